@testable import FlightRecorder
import Foundation
import IntegrationKit
import ROSRecordings
import ReportKit
import RouteFlight
import Testing
import UAVLink
import UAVTestKit

/// MCAP recordings say what bags say.
@Suite struct RecordingFormatTests {
    private static let trajectory = Trajectory(
        frame: .worldOrigin,
        points: (0..<50).map { .init(position: Vector3(x: Double($0) * 0.1, y: 1, z: 2), headingRadians: 0.5) },
        timeStepSeconds: 0.1)

    /// Everything that a recording may have.
    private static let notes: [RecordingEntry] = {
        var telemetry = Telemetry(vehicle: "uav1")
        let at = BagOfNotes.at(50)
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_origin"), positionMetres: Vector3(x: 1, y: 2, z: 3), headingRadians: 1),
            at: at)
        telemetry.velocityMetresPerSecond = Sample(Vector3(x: 0.5, y: 0, z: 0), at: at)
        telemetry.heightAboveGroundMetres = Sample(2.5, at: at)
        telemetry.rangeFinderMetres = Sample(2.25, at: at)
        telemetry.battery = Sample(Battery(voltageVolts: 15.5, currentAmperes: 10, remaining: 0.75), at: at)
        telemetry.gnss = Sample(
            GNSSFix(
                quality: .fix, latitudeDegrees: 47, longitudeDegrees: 8, altitudeMetres: 400,
                horizontalAccuracyMetres: 1), at: at)
        telemetry.flight = Sample(
            FlightStatus(
                state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true), at: at)
        return [
            BagOfNotes.machine("MRS hexacopter"), .telemetry(telemetry, at: at),
            BagOfNotes.setpoint(1, at: 60, Vector3(x: 1, y: 0, z: 0), fate: .applied),
            BagOfNotes.setpoint(2, at: 70, error: "not connected"),
            BagOfNotes.command(.uploadTrajectory(trajectory), at: 100), BagOfNotes.command(.startTrajectory, at: 200),
            BagOfNotes.pose(Vector3(x: 0, y: 1, z: 2), at: 300), BagOfNotes.pose(Vector3(x: 1, y: 1, z: 2), at: 400),
            .event(RecordedEvent(.warning, "link", "gone", at: BagOfNotes.at(500))),
        ]
    }()

    @Test(arguments: [true, false])
    func `a review of MCAP is that of a bag`(isEnded: Bool) throws {
        let bag = try BagOfNotes.log(Self.notes, ended: isEnded)
        let mcap = try BagOfNotes.log(Self.notes, ended: isEnded, format: .mcap)
        #expect(mcap.isWhole == isEnded && mcap.cutOff == nil)
        let review = FlightReview(mcap, path: "f")
        let text = review.text.replacingOccurrences(of: "mcap recover FILE -o NEW", with: "rosbag reindex FILE")
        #expect(text == FlightReview(bag, path: "f").text)
        #expect(review.json.text == FlightReview(bag, path: "f").json.text)
        #expect(mcap.commands.map(\.command) == bag.commands.map(\.command) && mcap.commands.count == 2)
        #expect(mcap.setpoints.count == 2 && mcap.places.count == 3 && mcap.plans == bag.plans)
        #expect(mcap.machines == ["MRS hexacopter"] && mcap.counts == bag.counts && mcap.span == bag.span)
    }

    @Test func `planned and flown are compared from MCAP too`() throws {
        let flights = try RecordingFormat.allCases.map { format in
            var flight = RecordedFlight()
            try flight.feed(BagOfNotes.bytes(Self.notes, format: format))
            try flight.finish()
            return flight
        }
        for flight in flights {
            #expect(
                flight.vehicle == "uav1" && flight.cutOff == nil && flight.plans.map(\.trajectory) == [Self.trajectory])
            #expect(flight.positions == flights[0].positions && flight.positions.count == 3)
        }
    }

    @Test func `an MCAP recording that was cut off is read as far as it goes`() throws {
        let whole = BagOfNotes.bytes(
            (1...40).map { BagOfNotes.setpoint($0, at: Int64($0)) }, ended: false, format: .mcap)
        let more = BagOfNotes.bytes([BagOfNotes.setpoint(41, at: 41)], ended: false, format: .mcap)
        // Behind the header of the second file: a chunk that is not whole.
        let header = FlightBag(vehicle: "uav1", wall: BagOfNotes.wall, format: .mcap).beginning.count
        var pieces = [whole + more[header...].prefix(100)][...]
        let log = try FlightLogFile.decode { pieces.popFirst() }
        #expect(log.setpoints.count == 40 && !log.isWhole)
        #expect(log.cutOff == "the file is truncated inside the record at byte \(whole.count)")
    }

    @Test func `the format is that of the option, else of the file's name, else of the vehicle's ROS`() async throws {
        let cases: [(format: RecordingFormat?, name: String, isROS2: Bool, expected: RecordingFormat)] = [
            (nil, "a.bag", true, .bag), (nil, "b.mcap", false, .mcap), (nil, "c", true, .mcap), (nil, "d", false, .bag),
            (.mcap, "e.bag", false, .mcap), (.bag, "f.mcap", true, .bag), (.bag, "g", true, .bag),
        ]
        let folder = try TemporaryFolder()
        for (format, name, isROS2, expected) in cases {
            let clock = FakeClock()
            let recordings = Recordings(path: folder.file(name), format: format, clock: clock)
            _ = Recordings.decoration(recordings, vehicle: "uav1", isROS2: isROS2)
            _ = try recordings.recorder(of: "uav1")
            let outcomes = try await clock.run(through: { await recordings.finish() })
            #expect(outcomes.map(\.path) == [folder.file(name)])
            let first = try Data(contentsOf: URL(filePath: folder.file(name))).first
            #expect(first == (expected == .mcap ? 0x89 : UInt8(ascii: "#")), "\(name)")
        }
    }

    @Test func `in a folder, the file's name ends as its format`() async throws {
        let folder = try TemporaryFolder()
        let clock = FakeClock()
        let recordings = Recordings(path: folder.path, clock: clock)
        _ = Recordings.decoration(recordings, vehicle: "uav1", isROS2: true)
        _ = Recordings.decoration(recordings, vehicle: "uav2")
        for vehicle in ["uav1", "uav2"] { _ = try recordings.recorder(of: vehicle) }
        let paths = try await clock.run(through: { await recordings.finish() }).map(\.path)
        #expect(
            paths.map { $0.hasSuffix(".mcap") } == [true, false] && paths.map { $0.hasSuffix(".bag") } == [false, true])
        let named = Recordings(path: folder.file("f.mcap"), clock: FakeClock())
        #expect(try named.recorder(of: "uav1").path == folder.file("f.mcap"))
        #expect(try named.recorder(of: "uav2").path == folder.file("f-uav2.mcap"))
    }

    /// A companion finds the vehicle's ROS by itself, and says it over the channel with the first telemetry.
    @Test func `a vehicle that says that it runs ROS 2 is recorded as MCAP, whatever the profile knows`() async throws {
        for (says, isHeard, suffix) in [(true, true, ".mcap"), (false, true, ".bag"), (false, false, ".bag")] {
            let folder = try TemporaryFolder()
            let clock = FakeClock()
            let link = FakeLink(kind: .udp, clock: clock)
            link.setVehicleSilent(!isHeard)
            try await link.connect(within: .seconds(5))
            if says { link.vehicleCapabilities = .mrsInROS2 }
            let recordings = Recordings(path: folder.path, clock: clock)
            let around = Recordings.decoration(recordings, vehicle: "uav1")
            let recorded = try await clock.run(through: { try await around(link) })
            try await clock.run(through: { await recorded.close() })
            let paths = try await clock.run(through: { await recordings.finish() }).map(\.path)
            #expect(paths.count == 1 && paths[0].hasSuffix(suffix), "\(paths)")
        }
    }

    @Test func `the ROS is waited for until the vehicle says it, for a moment, and not before a command that stops`()
        async throws
    {
        for (says, mayWait, suffix) in [
            (Duration.milliseconds(100), true, ".mcap"), (.milliseconds(100), false, ".bag"),
            (.seconds(2), true, ".bag"),
        ] {
            let folder = try TemporaryFolder()
            let clock = FakeClock()
            let link = FakeLink(kind: .udp, clock: clock)
            link.setVehicleSilent(true)
            try await link.connect(within: .seconds(5))
            let begun = clock.now
            let saying = Task {
                try await clock.sleep(for: says)
                link.vehicleCapabilities = .mrsInROS2
            }
            let recordings = Recordings(path: folder.path, clock: clock)
            let around = Recordings.decoration(recordings, vehicle: "uav1", mayWait: mayWait)
            let recorded = try await clock.run(through: { try await around(link) })
            #expect(mayWait ? clock.now - begun <= .milliseconds(400) : clock.now == begun)
            saying.cancel()
            _ = await saying.result
            try await clock.run(through: { await recorded.close() })
            let paths = try await clock.run(through: { await recordings.finish() }).map(\.path)
            #expect(paths.count == 1 && paths[0].hasSuffix(suffix), "\(paths)")
        }
    }

    @Test func `a recording that begins later is of the ROS that the vehicle has said by then`() async throws {
        let folder = try TemporaryFolder()
        let clock = FakeClock()
        let link = FakeLink(kind: .udp, clock: clock)
        try await link.connect(within: .seconds(5))
        let recordings = Recordings(path: nil, clock: clock)
        let recorded = try await Recordings.decoration(recordings, vehicle: "uav1")(link)
        link.vehicleCapabilities = .mrsInROS2
        #expect(try recordings.start("uav1", at: folder.path).hasSuffix(".mcap"))
        try await clock.run(through: { await recorded.close() })
        _ = try await clock.run(through: { await recordings.finish() })
    }

    /// `ros2 bag record` writes a folder; a long recording has several files.
    @Test func `the folder of a bag of ROS 2 is read, all of its files`() async throws {
        let folder = try TemporaryFolder()
        let halves = [Self.notes.prefix(5), Self.notes.dropFirst(5)]
        for (index, half) in halves.enumerated() {
            let bytes = BagOfNotes.bytes(Array(half), format: .mcap)
            try Data(bytes).write(to: URL(filePath: folder.file("f_\(index).mcap")))
        }
        try folder.write(
            """
            rosbag2_bagfile_information:
              version: 9
              storage_identifier: mcap
              compression_mode: ""
              relative_file_paths:
                - f_0.mcap
                - f_1.mcap
            """, to: "metadata.yaml")
        let log = try await FlightLogFile.read(folder.path)
        let bag = try BagOfNotes.log(Self.notes)
        #expect(log.isWhole && log.counts == bag.counts && log.span == bag.span)
        #expect(log.commands.map(\.command) == bag.commands.map(\.command))
        let flight = try await BagFile(path: folder.path).read()
        #expect(flight.positions.count == 3 && flight.plans.count == 1 && flight.cutOff == nil)
    }

    @Test func `a folder that is no bag is refused by name`() async throws {
        let folder = try TemporaryFolder()
        let log = await #expect(throws: LinkError.self) { try await FlightLogFile.read(folder.path) }
        #expect(log?.description.contains("\(folder.path): the folder has no metadata.yaml") == true)
        let flight = await #expect(throws: LinkError.self) { try await BagFile(path: folder.path).read() }
        #expect(flight?.what.contains("the folder has no metadata.yaml") == true)
    }
}
