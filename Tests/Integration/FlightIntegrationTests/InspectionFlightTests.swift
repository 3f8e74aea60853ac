import FlightControl
import FlightTestKit
import Foundation
import IntegrationKit
import MRSMessages
import Planning
import PointCloud
import ROSBag
import ROSMessages
import RouteFlight
import Testing
import Trajectories
import UAVLink

/// A room is inspected by the simulated hexacopter through real ROS along a planned path; rosbag records where it was.
@Suite(.serialized, .oneFlightStack, .enabled(if: FlightStack.missing == nil)) struct InspectionFlightTests {
    /// The hexacopter, and what the map, the estimate and the tracker may be wrong by.
    private static let settings: InspectionSettings = {
        var settings = InspectionSettings()
        settings.body = VehicleBody(radiusMetres: 0.35, marginMetres: 0.15)
        return settings
    }()

    private func stack(_ room: InspectedRoom) async throws -> FlightStack {
        let stack = try await sharedStack()
        await stack.endCompanion()
        await stack.stopSimulator()
        try await stack.startSimulator(options: ["--start-x", "\(room.start.x)", "--start-y", "\(room.start.y)"])
        return stack
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(4))), arguments: InspectedRoom.present)
    func `a room is inspected along a planned path, and the record shows that its clearance was kept`(
        _ room: InspectedRoom
    ) async throws {
        let map = try room.map()
        let stack = try await stack(room)
        try await stack.withLink(.udp) { link in
            let pilot = Flight(link)
            try await pilot.takeOff()
            let (plan, flight) = try await planned(room, map, link)
            #expect(plan.leastClearanceMetres >= 0.5)
            #expect(Set(plan.visits.compactMap(\.self)) == Set(room.points.indices))
            try await flight.send(try plan.confirmation.accept())
            try await flight.goToStart()
            let start = plan.path[0].position
            try await pilot.wait("at the start") {
                ($0.pose.map { ($0.value.positionMetres - start).length } ?? 9) < 0.1
                    && $0.tracker?.value.hasGoal == false
            }
            let recorder = try await Recorder(stack)
            try await flight.start()
            try await pilot.wait("under way") { $0.tracker?.value.isTrackingTrajectory == true }
            let snapshots = try await flyOn(flight, link)
            let recorded = try await recorder.end()
            try await pilot.perform(.hover)

            // Every point of the inspection was photographed, once, from where it should be.
            #expect(snapshots == plan.path.indices.filter { plan.visits[$0] != nil })
            for place in room.places {
                // Two seconds' hold, by the vehicle's own time stamps: it may have been kept from sending all its messages.
                var stay = 0.0
                for (one, next) in zip(recorded, recorded.dropFirst())
                where (one.position - place.place).length < 0.15 && (next.position - place.place).length < 0.15 {
                    stay += next.seconds - one.seconds
                }
                #expect(stay > 1.5, "\(stay) s near \(place.place)")
            }
            let least = clearance(recorded.map(\.position), map)
            print(
                "\(room.testDescription): \(recorded.count) positions recorded, never nearer than \(least) m to any of"
                    + " \(map.count) points; planned \(plan.leastClearanceMetres) m, promised \(plan.guaranteedMetres) m"
            )
            #expect(recorded.count > 1000)
            #expect(least >= plan.guaranteedMetres)
        }
        await stack.stopSimulator()
    }

    @Test(arguments: InspectedRoom.present)
    func `a place that cannot be reached is named with what is in the way`(_ room: InspectedRoom) async throws {
        let interactor = InspectionInteractor(map: try room.map(), settings: Self.settings)
        let failure = await #expect(throws: InspectionFailure.self) {
            try await interactor.plan(
                past: [PlannedPoint(position: room.unreachable)], from: room.start + Vector3(x: 0, y: 0, z: 1.5),
                FlightConditions(limits: .medium))
        }
        guard case .noPath(let why)? = failure, case .blocked(.place(0), _) = why.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(why.nearestReachable != nil)
    }

    @MainActor
    private func planned(
        _ room: InspectedRoom, _ map: PointCloud, _ link: any UAVLink
    ) async throws -> (InspectionPlan, TrajectoryFlight) {
        let flight = TrajectoryFlight(FlightDependency(link: link))
        try await flight.readEnvelope()
        var settings = TrajectorySettings()
        settings.options.cruiseSpeed = 1
        let conditions = flight.conditions(settings, volume: nil)
        let interactor = InspectionInteractor(map: map, settings: Self.settings)
        let position: Vector3 = try #require(conditions.vehiclePosition)
        let plan = try await interactor.plan(past: room.points, from: position, conditions)
        return (plan, flight)
    }

    /// Watches the flight to its end, and has a snapshot taken where one is due.
    ///
    /// - Returns: the places of the path at which snapshots were taken.
    @MainActor
    private func flyOn(_ flight: TrajectoryFlight, _ link: any UAVLink) async throws -> [Int] {
        var snapshots: [Int] = []
        while true {
            for due in flight.look() {
                try await flight.takeSnapshot()
                snapshots.append(due)
            }
            if link.latestTelemetry?.tracker?.value.isTrackingTrajectory == false { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        for due in flight.look() {
            try await flight.takeSnapshot()
            snapshots.append(due)
        }
        return snapshots
    }

    /// The least distance from a track to any point, metres, by looking at every one.
    private func clearance(_ track: [Vector3], _ map: PointCloud) -> Double {
        // A hundred positions a second lie closer than a millimetre where the vehicle holds: each counts once.
        var kept: [SIMD3<Double>] = []
        for position in track {
            let place = SIMD3(position.x, position.y, position.z)
            guard let last = kept.last else {
                kept.append(place)
                continue
            }
            let gap = place - last
            if (gap * gap).sum() > 1e-6 { kept.append(place) }
        }
        // A stretch whose first place is far from a point is far from it with all its places.
        let stretches = stride(from: 0, to: kept.count, by: 40).map { Array(kept[$0..<min($0 + 40, kept.count)]) }
        let radii = stretches.map { stretch in stretch.map { length($0 - stretch[0]) }.max() ?? 0 }
        var least = Double.infinity
        for index in 0..<map.count {
            let point = map.point(index)
            let at = SIMD3(point.x, point.y, point.z)
            for (stretch, radius) in zip(stretches, radii) where length(stretch[0] - at) - radius < least {
                for place in stretch { least = min(least, length(place - at)) }
            }
        }
        return least
    }

    private func length(_ gap: SIMD3<Double>) -> Double { (gap * gap).sum().squareRoot() }

    /// rosbag, which writes down where the vehicle is.
    private struct Recorder {
        /// Where it was, and when by its own clock.
        struct Place {
            var seconds: Double
            var position: Vector3
        }

        private let process: ChildProcess
        private let path: String

        init(_ stack: FlightStack) async throws {
            let path = "\(stack.folder.path)/inspection-\(UInt32.random(in: 0 ... .max)).bag"
            self.path = path
            process = try ChildProcess(
                ["/usr/bin/rosbag", "record", "-O", path, "/uav1/estimation_manager/odom_main"],
                environment: stack.rosEnvironment)
            let isRecording = await eventually(within: .seconds(60)) {
                FileManager.default.fileExists(atPath: path + ".active")
            }
            try #require(isRecording, "rosbag does not record: \(process.errors)")
        }

        func end() async throws -> [Place] {
            process.signal(SIGINT)
            _ = try await process.exit(within: .seconds(30))
            var reader = ROSBagReader()
            reader.feed(try Data(contentsOf: URL(filePath: path)))
            var track: [Place] = []
            while let message = try reader.next() {
                var bytes = message.reader
                let odometry = try NavMsgs.Odometry(from: &bytes)
                let (position, stamp) = (odometry.pose.pose.position, odometry.header.stamp)
                track.append(
                    Place(
                        seconds: Double(stamp.seconds) + Double(stamp.nanoseconds) / 1e9,
                        position: Vector3(x: position.x, y: position.y, z: position.z)))
            }
            try reader.finish()
            return track
        }
    }
}
