import Figures
import FlightControl
import Foundation
import IntegrationKit
import MRSMessages
import ROSMessages
import ReportKit
import RouteFlight
import Testing
import Trajectories
import UAVLink

/// Bags made by the tests.
private struct BagMaker {
    private(set) var bytes = Array("#ROSBAG V2.0\n".utf8)
    private var connections: [String: UInt32] = [:]

    mutating func add<Message: ROSMessage>(_ topic: String, _ message: Message, at seconds: Double) {
        if connections[topic] == nil {
            connections[topic] = UInt32(connections.count)
            let header = ConnectionHeader([
                "topic": topic, "type": Message.typeName, "md5sum": Message.md5,
                "message_definition": Message.definition,
            ])
            var fields = ROSWriter()
            for (name, value) in header.fields.sorted(by: { $0.key < $1.key }) {
                fields.write(Array("\(name)=\(value)".utf8))
            }
            bytes += record(
                [("op", [7]), ("conn", little(connections[topic] ?? 0)), ("topic", Array(topic.utf8))], fields.bytes)
        }
        var body = ROSWriter()
        message.write(to: &body)
        let whole = UInt32(seconds)
        let nanoseconds = UInt32(((seconds - Double(whole)) * 1e9).rounded())
        bytes += record(
            [("op", [2]), ("conn", little(connections[topic] ?? 0)), ("time", little(whole) + little(nanoseconds))],
            body.bytes)
    }

    private func record(_ fields: [(String, [UInt8])], _ data: [UInt8]) -> [UInt8] {
        var header = ROSWriter()
        for (name, value) in fields { header.write(Array((name + "=").utf8) + value) }
        var whole = ROSWriter()
        whole.write(header.bytes)
        whole.write(data)
        return whole.bytes
    }

    private func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

@Suite("A recorded flight against its plan")
struct FlightReviewTests {
    /// Ten metres along x at 1 m/s from second 20 on, 0.1 m beside the plan; before and after something else.
    ///
    /// - Parameters:
    ///   - from: the tick at which the vehicle is first reported to follow the trajectory; `nil`: never.
    ///   - pause: a tick at which it stopped following it for three seconds, and the vehicle stood still.
    private func bag(
        frame: String = "uav1/gps_garmin_origin", withPlan: Bool = true, other: Bool = false, from: Int? = 100,
        pause: Int? = nil, reports: Bool = false
    ) -> [UInt8] {
        var bag = BagMaker()
        for tick in 0...400 {
            let seconds = 10 + Double(tick) * 0.1
            var odometry = NavMsgs.Odometry()
            odometry.header.frameID = frame
            let waited = pause.map { Double(min(30, max(0, tick - $0))) * 0.1 } ?? 0
            let isPaused = waited > 0 && waited < 3
            let along = min(max(seconds - waited - 20, 0), 10)
            odometry.pose.pose.position = .init(x: along, y: seconds < 20 ? 7 : 0.1, z: 2)
            bag.add("/uav1/estimation_manager/odom_main", odometry, at: seconds)
            if other {
                odometry.pose.pose.position.y = 99
                bag.add("/uav2/estimation_manager/odom_main", odometry, at: seconds)
            }
            if tick == 50, withPlan {
                var plan = MRSMsgs.TrajectoryReference()
                plan.header.frameID = "world_origin"
                plan.dt = 0.1
                plan.points = (0...100).map { .init(position: .init(x: Double($0) * 0.1, y: 0, z: 2), heading: 0) }
                bag.add("/uav1/control_manager/trajectory_reference", plan, at: seconds)
            }
            var status = MRSMsgs.ControlManagerDiagnostics()
            status.trackerStatus.trackingTrajectory =
                !isPaused && tick >= from ?? .max && tick < (pause == nil ? 200 : 230)
            if reports {
                status.trackerStatus.trajectoryIdx = Int32((along * 10).rounded())
                status.trackerStatus.trajectoryLength = 101
            }
            bag.add("/uav1/control_manager/diagnostics", status, at: seconds)
        }
        return bag.bytes
    }

    private func flight(_ bytes: [UInt8], vehicle: String? = nil, step: Int = 1 << 20) throws -> RecordedFlight {
        var flight = RecordedFlight(vehicle: vehicle)
        var start = 0
        while start < bytes.count {
            try flight.feed(bytes[start...].prefix(step))
            start += min(step, bytes.count - start)
        }
        try flight.finish()
        return flight
    }

    @Test(
        "Only what was flown while it was followed counts, in whatever pieces the bag comes",
        arguments: [7, 1000, 1 << 20])
    func compares(step: Int) throws {
        let comparison = try FlightComparison(try flight(bag(), step: step), plan: nil, session: nil)
        #expect(comparison.vehicle == "uav1")
        #expect(comparison.plan.points.count == 101)
        #expect((comparison.error.crossTrack.mean - 0.1).magnitude < 1e-9)
        #expect((comparison.error.crossTrack.maximum - 0.1).magnitude < 1e-9)
        #expect(try #require(comparison.error.atTime).maximum < 0.1 + 0.02)
        #expect((99...101).contains(comparison.flown.count))
        #expect(comparison.notes == [])
    }

    /// The time along the plan is that of the tracker's samples.
    @Test("What was stopped and resumed is compared at the time of its samples, or not in time")
    func resumed() throws {
        for bytes in [bag(pause: 140, reports: true), bag(from: 150, reports: true)] {
            let comparison = try FlightComparison(try flight(bytes), plan: nil, session: nil)
            #expect((comparison.error.crossTrack.maximum - 0.1).magnitude < 1e-9)
            #expect(try #require(comparison.error.atTime).maximum < 0.1 + 0.12)
        }
        let blind = try FlightComparison(try flight(bag(pause: 140)), plan: nil, session: nil)
        #expect(blind.error.atTime == nil && blind.notes.contains { $0.contains("no error at the same time") })
    }

    @Test("A recording in which nothing was followed is no flight")
    func notFlown() throws {
        let recorded = try flight(bag(from: nil))
        let error = #expect(throws: LinkError.self) { try FlightComparison(recorded, plan: nil, session: nil) }
        #expect(error?.what == "nothing was flown in the recording: the vehicle followed no trajectory")
    }

    @Test("A truncated bag is compared as far as it goes, with a warning")
    func truncated() throws {
        let recorded = try flight(Array(bag().dropLast(10)))
        #expect(recorded.cutOff != nil)
        let comparison = try FlightComparison(recorded, plan: nil, session: nil)
        #expect(comparison.notes.first?.hasPrefix("the recording is truncated: ") == true)
    }

    @Test("A bag that ends before its first position or trajectory says where it ends")
    func cutOffEarly() throws {
        let early = #expect(throws: LinkError.self) { try flight(Array(bag().prefix(60))) }
        let end = "and ends early: the bag is truncated inside the record at byte 13"
        #expect(early?.what == "the recording has no vehicle positions, \(end)")
        let recorded = try flight(Array(bag(withPlan: false).dropLast(10)))
        let error = #expect(throws: LinkError.self) { try FlightComparison(recorded, plan: nil, session: nil) }
        #expect(error?.what.hasPrefix("the recording has no trajectory, and ends early: ") == true)
    }

    @Test("A plan from elsewhere counts instead of the bag's")
    func otherPlan() throws {
        var limits = MotionLimits.medium
        limits.horizontal.speed = 1
        let generated = try TrajectoryGenerator(limits: limits).trajectory(through: [
            PlannedPoint(position: Vector3(x: 0, y: 1, z: 2)), PlannedPoint(position: Vector3(x: 10, y: 1, z: 2)),
        ])
        let comparison = try FlightComparison(try flight(bag(withPlan: false)), plan: generated, session: nil)
        #expect((comparison.error.crossTrack.mean - 0.9).magnitude < 1e-6)
        #expect(comparison.points.count == 2)
        #expect(throws: LinkError.self) {
            try FlightComparison(try flight(bag(withPlan: false)), plan: nil, session: nil)
        }
    }

    @Test("The vehicle that was named counts; one that is not in the bag is an error")
    func vehicles() throws {
        let bytes = bag(other: true)
        #expect(try flight(bytes).vehicle == "uav1")
        #expect(try flight(bytes, vehicle: "uav2").positions.allSatisfy { $0.position.y == 99 })
        #expect(throws: LinkError.self) { try flight(bytes, vehicle: "uav9") }
    }

    @Test("A frame that is not known is said, not guessed")
    func frames() throws {
        let recorded = try flight(bag(frame: "uav1/hector_origin"))
        do {
            _ = try FlightComparison(recorded, plan: nil, session: nil)
            Issue.record("it was compared")
        } catch {
            #expect(error.description.contains("hector_origin"))
        }
    }

    @Test("What is no bag is an error, in any piece")
    func notABag() {
        #expect(throws: LinkError.self) { try flight(Array("#ROSBAG V1.0\nnothing".utf8)) }
        #expect(throws: LinkError.self) { try flight([]) }
        #expect(throws: LinkError.self) { try flight(Array(bag().prefix(40))) }
    }

    @Test("The drawing has both, and the points")
    func drawing() throws {
        let comparison = try FlightComparison(try flight(bag()), plan: nil, session: nil)
        let figure = comparison.figure()
        #expect(figure.series.map(\.name) == ["planned", "flown"])
        #expect(figure.hasEqualAspect)
        #expect(figure.title.contains("mean error 0.10 m"))
        #expect(SVG.text(figure).contains("<svg"))
    }

    /// A flight recorded from the real stack; it lies beside the project, not in it.
    private static let name = "data/flight.bag"

    @Test(
        "The recorded flight is compared with the trajectory that the vehicle was given",
        .enabled(if: SharedFiles.arePresent(name), "no recorded flight beside the project"))
    func realFlight() async throws {
        let recorded = try await BagFile(path: SharedFiles.path(Self.name)).read()
        let comparison = try FlightComparison(recorded, plan: nil, session: nil)
        #expect(comparison.flown.count > 500)
        // A circle of 2 m radius that was flown from a standstill, without going to its start at its speed.
        #expect(comparison.plan.points.count == 61)
        #expect((0.05...0.2).contains(comparison.error.crossTrack.mean))
    }
}
