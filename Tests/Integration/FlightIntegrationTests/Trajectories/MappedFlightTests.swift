import FlightControl
import FlightTestKit
import FlightVolume
import Foundation
import Geodesy
import IntegrationKit
import MRSMessages
import ROSBag
import ROSMessages
import RouteFlight
import Testing
import Trajectories
import UAVLink

/// A route on a map becomes a trajectory, and the trajectory a flight: through real ROS, with rosbag as witness.
@Suite(.serialized, .oneFlightStack, .enabled(if: FlightStack.missing == nil)) struct MappedFlightTests {
    /// A plan in the field's world, as a user's session has it.
    @MainActor private struct Session {
        let flight: TrajectoryFlight
        let session: WorldSession
        let volume: FlyableVolume

        init(_ field: MappedField, _ link: any UAVLink) async throws {
            flight = TrajectoryFlight(FlightDependency(link: link))
            let envelope = try await flight.readEnvelope()
            #expect(envelope.limits == .medium)
            // The origin is the vehicle's own word, the area that of the file that it was given.
            session = try WorldSession(vehicle: try #require(envelope.worldOrigin))
            flight.session = session
            let world = try WorldFileReader.read(try field.world(), source: field.testDescription)
            volume = try session.volume(try #require(world.safetyArea))
        }

        func plan(_ corners: [Vector3]) throws -> TrajectoryPlan {
            let route = Route(points: try corners.map { try MappedField.point($0, session) })
            let points = try RouteResolver(
                references: WorldReferences(session: session), defaultHeading: .alongPath
            ).resolve(route)
            return try TrajectoryPlan(through: points, flight.conditions(TrajectorySettings(), volume: volume))
        }
    }

    private func stack(_ field: MappedField) async throws -> FlightStack {
        let stack = try await sharedStack()
        let path = try stack.folder.write(
            String(decoding: try field.world(), as: UTF8.self), to: "world-\(UInt32.random(in: 0 ... .max)).yaml")
        await stack.endCompanion()
        await stack.stopSimulator()
        try await stack.startSimulator(options: ["--world", path])
        return stack
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(3))), arguments: MappedField.present)
    func `a route at 4 m-s is flown within 0_3 m of its plan`(_ field: MappedField) async throws {
        let stack = try await stack(field)
        try await stack.withLink(.udp) { link in
            let pilot = Flight(link)
            try await pilot.takeOff()
            let session = try await Session(field, link)
            let flight = session.flight
            let plan = try await session.plan(field.corners)
            #expect(plan.report.greatestSpeed > 3.9)
            #expect(plan.report.isOK, "\(plan.report.findings)")
            let reply = try await flight.send(try FlightConfirmation(plan).accept())
            #expect(!reply.trajectoryModified)
            try await flight.goToStart()
            let start = try #require(plan.generated.trajectory.points.first?.position)
            try await pilot.wait("at the start") {
                ($0.pose.map { ($0.value.positionMetres - start).length } ?? 9) < 0.3
                    && $0.tracker?.value.hasGoal == false
            }
            let recorder = try await record(stack)
            try await flight.start()
            try await pilot.wait("under way") { $0.tracker?.value.isTrackingTrajectory == true }
            while true {
                await flight.look()
                if link.latestTelemetry?.tracker?.value.isTrackingTrajectory == false { break }
                try await Task.sleep(for: .milliseconds(10))
            }
            // What the ground saw.
            let seen = try #require(await flight.track?.crossTrack)
            #expect(seen.count > 100 && seen.maximum < 0.3, "\(seen)")
            // What rosbag saw.
            let recorded = try await recorder.end()
            let figures = try #require(TrackError.Figures(try distances(recorded, from: plan)))
            print("\(field.testDescription): seen \(seen), recorded \(figures)")
            #expect(figures.count > 500 && figures.maximum < 0.3)
            #expect(recorded.map(\.speed).max() ?? 0 > 3.7)
            try await pilot.perform(.hover)
        }
        await stack.stopSimulator()
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(2))), arguments: MappedField.present)
    func `a route that is partly outside is refused before anything is sent`(_ field: MappedField) async throws {
        let stack = try await stack(field)
        try await stack.withLink(.udp) { link in
            let session = try await Session(field, link)
            var corners = field.corners
            corners.insert(field.outside, at: 2)
            let plan = try await session.plan(corners)
            let findings = plan.report.findings.filter { $0.kind == .safetyArea && $0.weight == .failure }
            #expect(findings.first?.pointIndex != nil, "\(plan.report.findings)")
            #expect(throws: TrajectoryFlightFailure.self) { try FlightConfirmation(plan).accept() }
            #expect(await session.flight.loaded == nil)
            // Forced anyway, the vehicle's own change of it is seen and it does not fly as sent.
            try await Flight(link).takeOff()
            #expect(await !stack.simulatorLog.contains("trajectory_reference"))
            let flight = session.flight
            let forced = try await flight.send(try FlightConfirmation(plan).accept(force: true))
            let isChanged = await flight.isChangedByVehicle
            #expect(forced.trajectoryModified && isChanged)
            #expect(await eventually { await stack.simulatorLog.contains("trajectory_reference") })
        }
        await stack.stopSimulator()
    }

    // MARK: Recording

    /// One odometry message of a bag.
    private struct Seen {
        var position: Vector3
        var speed: Double
    }

    private struct Recorder {
        let process: ChildProcess
        let path: String

        func end() async throws -> [Seen] {
            process.signal(SIGINT)
            _ = try await process.exit(within: .seconds(20))
            var reader = ROSBagReader()
            reader.feed(try Data(contentsOf: URL(filePath: path)))
            var seen: [Seen] = []
            while let message = try reader.next() {
                var bytes = message.reader
                let odometry = try NavMsgs.Odometry(from: &bytes)
                let (p, v) = (odometry.pose.pose.position, odometry.twist.twist.linear)
                seen.append(
                    Seen(position: Vector3(x: p.x, y: p.y, z: p.z), speed: Vector3(x: v.x, y: v.y, z: v.z).length))
            }
            try reader.finish()
            return seen
        }
    }

    private func record(_ stack: FlightStack) async throws -> Recorder {
        let path = "\(stack.folder.path)/flight-\(UInt32.random(in: 0 ... .max)).bag"
        let process = try ChildProcess(
            ["/usr/bin/rosbag", "record", "-O", path, "/uav1/estimation_manager/odom_main"],
            environment: stack.rosEnvironment)
        let isRecording = await eventually(within: .seconds(30)) {
            FileManager.default.fileExists(atPath: path + ".active")
        }
        try #require(isRecording, "rosbag does not record: \(process.errors)")
        return Recorder(process: process, path: path)
    }

    /// How far each place was from the plan's path.
    private func distances(_ recorded: [Seen], from plan: TrajectoryPlan) throws -> [Double] {
        let path = try #require(PathDistance(plan.generated.trajectory.points.map(\.position)))
        return recorded.map { path.distance(to: $0.position) }
    }
}
