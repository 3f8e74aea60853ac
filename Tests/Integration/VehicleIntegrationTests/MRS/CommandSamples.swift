import Testing
import UAVLink

/// Each kind of command, with the words in which the rospy vehicle prints what it was asked.
enum CommandSamples {
    static let all: [(Command, String)] = [
        (.arm(true), "hw_api/arming {'data': True}"), (.arm(false), "hw_api/arming {'data': False}"),
        (.enableOutput(true), "control_manager/toggle_output {'data': True}"),
        (.offboard, "hw_api/offboard {}"), (.takeoff, "uav_manager/takeoff {}"), (.land, "uav_manager/land {}"),
        (.landHome, "uav_manager/land_home {}"), (.hover, "control_manager/hover {}"),
        (.emergencyHover, "control_manager/ehover {}"), (.emergencyLand, "control_manager/eland {}"),
        (
            .goTo(.init(.frame(.current), position: place, headingRadians: 0.5)),
            "control_manager/goto {'goal': [1.25, -2.5, 0.0625, 0.5]}"
        ),
        (
            .goTo(.init(.relative, position: place, headingRadians: -0.5)),
            "control_manager/goto_relative {'goal': [1.25, -2.5, 0.0625, -0.5]}"
        ),
        (
            .goTo(.init(.body, position: place, headingRadians: 0)),
            "control_manager/goto_fcu {'goal': [1.25, -2.5, 0.0625, 0.0]}"
        ),
        (
            .goTo(.init(.frame(.worldOrigin), position: place, headingRadians: 0.5)),
            "'frame_id': 'world_origin'}, 'reference': {'position': {'x': 1.25, 'y': -2.5, 'z': 0.0625}, 'heading': 0.5}}"
        ),
        (.altitude(metres: 3), "control_manager/goto_altitude {'goal': 3.0}"),
        (.heading(radians: 1.5), "control_manager/set_heading {'goal': 1.5}"),
        (.turn(byRadians: -1.5), "control_manager/set_heading_relative {'goal': -1.5}"),
        (
            .uploadTrajectory(trajectory(points: 2)),
            "'use_heading': True, 'fly_now': True, 'loop': False, 'dt': 0.25, 'points': [{'position': {'x': 0.0, 'y': "
                + "0.0, 'z': 2.0}, 'heading': 0.0}, {'position': {'x': 0.1, 'y': 0.0, 'z': 2.0}, 'heading': 0.01}]}}"
        ),
        (.goToTrajectoryStart, "control_manager/goto_trajectory_start {}"),
        (.startTrajectory, "control_manager/start_trajectory_tracking {}"),
        (.stopTrajectory, "control_manager/stop_trajectory_tracking {}"),
        (.resumeTrajectory, "control_manager/resume_trajectory_tracking {}"),
        (.snapshot(service: "camera/snapshot"), "camera/snapshot {}"),
    ]

    static func trajectory(points: Int) -> Trajectory {
        Trajectory(
            frame: .localOrigin,
            points: (0..<points).map {
                .init(position: Vector3(x: Double($0) / 10, y: 0, z: 2), headingRadians: Double($0) / 100)
            },
            timeStepSeconds: 0.25, fliesNow: true)
    }

    private static let place = Vector3(x: 1.25, y: -2.5, z: 0.0625)
}

/// Expects a failure of this kind, reported in one line.
func expect<Value>(
    _ code: LinkError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async {
    let error = await #expect(throws: LinkError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, "\(error as Any)", sourceLocation: sourceLocation)
    #expect(error?.description.contains("\n") != true, sourceLocation: sourceLocation)
}
