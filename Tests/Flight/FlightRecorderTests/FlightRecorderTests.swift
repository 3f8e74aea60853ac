@testable import FlightRecorder
import Foundation
import IntegrationKit
import MRSMessages
import ROSBag
import ROSRecordings
import ROSMessages
import Statistics
import Testing
import UAVLink
import UAVTestKit

@Suite struct FlightRecorderTests {
    private let clock = FakeClock()
    private static let wall = WallClock(offsetNanoseconds: 1_700_000_000_000_000_000)

    private static func setpoint(_ milliseconds: Int64) -> VelocitySetpoint {
        VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: 1, y: 0, z: -0.5), frame: .body,
            intendedAt: MonotonicTime(nanoseconds: milliseconds * 1_000_000))
    }

    @Test func `what passes a link stands in the recording with its times`() async throws {
        let folder = try TemporaryFolder()
        let link = FakeLink(clock: clock)
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav7", clock: clock, wall: Self.wall)
        let recording = RecordingLink(link, recorder: recorder, clock: clock)
        try await recording.connect(within: .seconds(5))
        let began = clock.now
        clock.advance(by: .milliseconds(40))
        _ = try await recording.perform(.arm(true), within: .seconds(5))
        for number in 0..<5 {
            clock.advance(by: .milliseconds(10))
            var neutral = Self.setpoint(0)
            neutral.intendedAt = clock.now - .milliseconds(3)
            if number == 0 { neutral.velocityMetresPerSecond = .zero }
            try recording.steer(neutral)
        }
        try await clock.run(through: { await recording.close() })
        let outcome = try await clock.run(through: { await recorder.finish() })
        #expect(outcome.failure == nil && outcome.dropped == 0)

        let log = try await FlightLogFile.read(folder.file("f.bag"))
        #expect(log.cutOff == nil)
        #expect(log.commands.map(\.command) == [.arm(true)])
        let command = try #require(log.commands.first?.message)
        let intended = began + .milliseconds(40)
        #expect(FlightLog.nanoseconds(command.intended) == intended.nanoseconds + Self.wall.offsetNanoseconds)
        #expect(command.sent == command.intended && command.received == ROSTime())
        #expect(command.accepted)
        #expect(log.setpoints.map(\.number) == [1, 2, 3, 4, 5])
        #expect(log.events.contains { $0.kind == "link" && $0.text == "connected over sim" })
        #expect(log.machines == [link.vehicleCapabilities.machine])
        #expect(log.counts["/uav7/uavlink/setpoint"] == 5)
        let review = FlightReview(log, path: "f.bag")
        #expect(review.setpoints.ages[0].samples.sorted == Array(repeating: 3_000_000, count: 5))
        // A link on this machine applies what it sends.
        #expect(review.setpoints.ages[2].samples.count == 5 && review.setpoints.longestGapNanoseconds == 10_000_000)
    }

    @Test func `a recording offers what the wrapped link has, and no more`() async throws {
        let folder = try TemporaryFolder()
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1", clock: clock)
        let toy = RecordingLink(ToyLink(clock: clock), recorder: recorder, clock: clock)
        let bare = toy.capabilities
        #expect(bare.survey == nil && bare.bulk == nil && bare.callbacks == nil && bare.control == nil)
        #expect(bare.shutdownRequests == nil && !bare.transfersMaps)
        #expect(toy.vehicleCapabilities == ToyVehicle.capabilities)
        // A conformance alone promises nothing.
        let refused = await #expect(throws: LinkError.self) {
            try await toy.control(.take(name: "anna"), within: .seconds(1))
        }
        #expect(refused?.code == .unsupported)
        let unasked = await #expect(throws: LinkError.self) { try await toy.maps(within: .seconds(1)) }
        #expect(unasked?.code == .unsupported)

        let fake = RecordingLink(FakeLink(clock: clock), recorder: recorder, clock: clock)
        let some = fake.capabilities
        #expect(some.survey === fake && some.bulk === fake && some.transfersMaps)
        #expect(some.control == nil && some.callbacks == nil)
        let gated = GatedLink(clock: clock)
        let steered = RecordingLink(gated, recorder: recorder, clock: clock)
        #expect(steered.capabilities.control === steered && steered.capabilities.survey == nil)
        _ = try await steered.capabilities.control?.control(.take(name: "anna"), within: .seconds(1))
        #expect(gated.wishes == [.take(name: "anna")])
        _ = try await clock.run(through: { await recorder.finish() })
    }

    @Test func `a link whose vehicle's times are not known leaves them out`() async throws {
        let folder = try TemporaryFolder()
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1", clock: clock)
        let link = RecordingLink(FakeLink(kind: .udp, clock: clock), recorder: recorder, clock: clock)
        try await link.connect(within: .seconds(5))
        var neutral = Self.setpoint(0)
        neutral.velocityMetresPerSecond = .zero
        neutral.intendedAt = clock.now
        try link.steer(neutral)
        _ = try await clock.run(through: { await recorder.finish() })
        try await clock.run(through: { await link.close() })
        let log = try await FlightLogFile.read(folder.file("f.bag"))
        #expect(log.setpoints.map(\.applied) == [ROSTime()])
        #expect(FlightReview(log, path: "").text.contains("not known on this link"))
    }

    /// Over a channel the companion says what the vehicle is, with the first telemetry: until then a link takes it for an MRS one.
    @Test func `what a vehicle behind a channel is is noted once that is known`() async throws {
        let folder = try TemporaryFolder()
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1", clock: clock)
        let fake = FakeLink(kind: .udp, clock: clock)
        fake.setVehicleSilent(true)
        let link = RecordingLink(fake, recorder: recorder, clock: clock)
        try await link.connect(within: .seconds(5))
        _ = try await clock.run(through: { await recorder.finish() })
        try await clock.run(through: { await link.close() })
        #expect(try await FlightLogFile.read(folder.file("f.bag")).machines.isEmpty)
    }

    @Test func `a recording that ends stops the trace of its link`() async throws {
        let folder = try TemporaryFolder()
        let channel = FakeChannel(FakeLink(kind: .udp, clock: clock))
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1", clock: clock)
        let recording = RecordingLink(channel, recorder: recorder, clock: clock)
        try await recording.connect(within: .seconds(5))
        #expect(channel.isTraced)
        try await clock.run(through: { await recording.end() })
        #expect(!channel.isTraced && recording.recorder == nil)
        _ = try await clock.run(through: { await recorder.finish() })
    }

    @Test func `what fails is recorded as it failed, and fails for the caller too`() async throws {
        let folder = try TemporaryFolder()
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1", clock: clock)
        let recording = RecordingLink(FakeLink(clock: clock), recorder: recorder, clock: clock)
        // Not connected: nothing goes.
        await #expect(throws: LinkError.self) { _ = try await recording.perform(.hover, within: .seconds(1)) }
        #expect(throws: LinkError.self) { try recording.steer(Self.setpoint(0)) }
        _ = try await clock.run(through: { await recorder.finish() })
        let log = try await FlightLogFile.read(folder.file("f.bag"))
        #expect(log.commands.count == 1 && log.commands.allSatisfy { !$0.message.error.isEmpty })
        #expect(log.setpoints.count == 1 && log.setpoints.allSatisfy { !$0.error.isEmpty })
    }

    @Test func `a recording never replaces a file`() async throws {
        let folder = try TemporaryFolder()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.file("f.bag")))
        #expect(throws: LinkError.self) { try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("f.bag"))) == Data("mine".utf8))
    }

    @Test func `notes beyond the queue's capacity are counted and reported`() async throws {
        let folder = try TemporaryFolder()
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1", clock: clock)
        let note = RecordingEntry.setpoint(
            RecordedSetpoint(
                number: 1, link: "udp", setpoint: Self.setpoint(0), sentAt: MonotonicTime(nanoseconds: 5_000_000)))
        // Quicker than the thread can look.
        for _ in 0..<(FlightRecorder.capacity * 8) { recorder.note(note) }
        let outcome = try await clock.run(through: { await recorder.finish() })
        #expect(outcome.dropped > 0)
        let log = try await FlightLogFile.read(folder.file("f.bag"))
        #expect(log.setpoints.count + outcome.dropped == FlightRecorder.capacity * 8)
        #expect(log.events.contains { $0.kind == "recording" && $0.text.hasSuffix("entries dropped (buffer full)") })
    }

    @Test func `a recording that was cut off is read as far as it goes`() async throws {
        let folder = try TemporaryFolder()
        var bag = FlightBag(vehicle: "uav1", wall: Self.wall)
        var bytes = bag.beginning
        for number: UInt32 in 1...40 {
            bytes += bag.add(
                .setpoint(
                    RecordedSetpoint(
                        number: number, link: "udp", setpoint: Self.setpoint(Int64(number)),
                        sentAt: MonotonicTime(nanoseconds: Int64(number) * 1_000_000))))
            if number == 20 { bytes += bag.endChunk() }
        }
        bytes += bag.endChunk()
        try Data(bytes.dropLast(10)).write(to: URL(fileURLWithPath: folder.file("f.bag")))
        let log = try await FlightLogFile.read(folder.file("f.bag"))
        #expect(log.setpoints.count >= 20 && log.cutOff != nil)
        #expect(FlightReview(log, path: "f.bag").text.contains("the recording is truncated"))
    }

    @Test func `telemetry is written once for each change, under the vehicle's own topics`() throws {
        var bag = FlightBag(vehicle: "uav1", wall: Self.wall)
        var telemetry = Telemetry(vehicle: "uav1")
        let at = MonotonicTime(nanoseconds: 1_000_000_000)
        let pose = Pose(
            frame: FrameName("uav1/gps_origin"), positionMetres: Vector3(x: 1, y: 2, z: 3), headingRadians: .pi / 2)
        telemetry.pose = Sample(pose, at: at)
        telemetry.velocityMetresPerSecond = Sample(Vector3(x: 0, y: 2, z: 0), at: at)
        telemetry.battery = Sample(Battery(voltageVolts: 15.5, currentAmperes: 10), at: at)
        var bytes = bag.beginning
        for _ in 0..<3 { bytes += bag.add(.telemetry(telemetry, at: at)) }
        telemetry.pose?.at = at + .milliseconds(10)
        bytes += bag.add(.telemetry(telemetry, at: at))
        bytes += bag.finish().tail
        var reader = ROSBagReader()
        reader.feed(bytes)
        var seen: [String] = []
        while let message = try reader.next() {
            seen.append(message.connection.topic)
            guard message.connection.topic.hasSuffix("odom_main") else { continue }
            var fields = message.reader
            let odometry = try NavMsgs.Odometry(from: &fields)
            // Heading north, moving north: forward in the body.
            #expect(abs(odometry.twist.twist.linear.x - 2) < 1e-12 && abs(odometry.twist.twist.linear.y) < 1e-12)
            #expect(odometry.header.frameID == "uav1/gps_origin" && odometry.pose.pose.position.z == 3)
        }
        #expect(
            seen == [
                "/uav1/estimation_manager/odom_main", "/uav1/hw_api/battery_state",
                "/uav1/estimation_manager/odom_main",
            ])
    }

    @Test(arguments: [
        Command.arm(true), .arm(false), .enableOutput(false), .takeoff, .emergencyLand, .altitude(metres: 2.5),
        .heading(radians: -1), .turn(byRadians: 0.5), .snapshot(service: "camera/snapshot"),
        .goTo(.init(.relative, position: Vector3(x: 1, y: 2, z: 3), headingRadians: 4)),
        .goTo(.init(.body, position: Vector3(x: 1, y: 2, z: 3), headingRadians: 0)),
        .goTo(.init(.frame(.current), position: Vector3(x: 1, y: 2, z: 3), headingRadians: 0)),
        .goTo(.init(.frame(.worldOrigin), position: Vector3(x: 1, y: 2, z: 3), headingRadians: 0)),
        .uploadTrajectory(
            Trajectory(
                frame: .worldOrigin,
                points: [
                    .init(position: Vector3(x: 1, y: 2, z: 3), headingRadians: 0.1),
                    .init(position: Vector3(x: 2, y: 2, z: 3), headingRadians: 0.2),
                ], timeStepSeconds: 0.2, usesHeading: true, fliesNow: false, loops: true)),
    ])
    func `a command is the same after it was written down`(command: Command) {
        #expect(CommandFields(command).command == command)
    }

    @Test(arguments: [
        CommandFields(name: "fly", values: []), CommandFields(name: "hover", values: [1]),
        CommandFields(name: "goto", values: [1, 2, 3, 4]), CommandFields(name: "goto", reference: "body", values: [1]),
        CommandFields(name: "altitude", values: [.nan]),
        CommandFields(name: "goto", reference: "frame:a b", values: [1, 2, 3, 4]),
        CommandFields(name: "trajectory send", reference: "frame:", values: [0.2, 1, 0, 0, 1, 2, 3]),
        CommandFields(name: "trajectory send", reference: "frame:", values: [0, 1, 0, 0, 1, 2, 3, 4]),
    ])
    func `fields that are no command are none`(fields: CommandFields) {
        #expect(fields.command == nil)
    }
}
