import BenchmarkKit
import ChannelProtocol
import Foundation
import IntegrationKit
import MRS
import MRSMessages

/// A ROS master, a companion, a ground that steers and a subscriber that notes what arrives.
final class SteeredVehicle: Sendable {
    private static let ground = "ground"
    private static let companion = "companion"

    private let vehicle: VehicleUnderTest
    private let ground: ChildProcess
    private let subscriber: ChildProcess
    private let runs = Counter()

    private actor Counter {
        var count = 0
        func next() -> Int {
            count += 1
            return count
        }
    }

    /// Starts everything; the crew ends it.
    init(_ setting: Setting, _ crew: Crew, countsAllocations: Bool) async throws {
        // Ours is the companion's first subscriber, as the vehicle is when nothing else subscribes; the simulator is the second.
        var probe: ChildProcess?
        vehicle = try await VehicleUnderTest(setting, crew, counting: countsAllocations ? Self.companion : nil) {
            probe = try await Self.subscribe(setting, crew, $0)
        }
        guard let probe else { throw ProcessFailure("no subscriber was started") }
        subscriber = probe
        ground = try await crew.process(
            setting.counted(
                countsAllocations ? vehicle.countFile(Self.ground) : nil,
                [setting.programs + "/uavlink-bench", "steering-worker"]), environment: Setting.environment)
        ground.send(line: try await vehicle.ticket().unwipedLine)
        try await ground.line(containing: "ready", within: .seconds(60))
    }

    /// What both ends allocate, by thread, in the middle of a run of setpoints that lasts some seconds longer.
    func allocations(over seconds: Int, every period: Duration) async throws -> (
        ground: [AllocationCounts.Thread], companion: [AllocationCounts.Thread]
    ) {
        func counts() throws -> [AllocationCounts] {
            try [Self.ground, Self.companion].map { try AllocationCounts(file: vehicle.countFile($0)) }
        }
        let count = Int(Double(seconds + 3) / (Double(period.wholeNanoseconds) / 1e9))
        async let flight = steer(count, every: period, beside: nil)
        try await Task.sleep(for: .seconds(2))
        let before = try counts()
        try await Task.sleep(for: .seconds(seconds))
        let after = try counts()
        let (judged, _) = try await flight
        guard judged.missed == 0 else {
            throw ProcessFailure(
                "\(judged.missed) of \(count) setpoints were missed while counting, \(judged.failures) refused by the link"
            )
        }
        return (after[0].since(before[0]), after[1].since(before[1]))
    }

    /// Whether both ends note the times of each setpoint from now on.
    func trace(_ isOn: Bool) { ground.send(line: isOn ? "trace on" : "trace off") }

    func steer(_ count: Int, every period: Duration, beside raw: Peer?) async throws -> (SteeredFlight, raw: Timings) {
        let number = await runs.next()
        let (sentFile, recordFile) = (
            "\(vehicle.master.folder.path)/sent\(number)", "\(vehicle.master.folder.path)/arrived\(number)"
        )
        let start = Pace.now + 200_000_000
        ground.send(line: "run \(count) \(period.wholeNanoseconds) \(start) \(sentFile)")
        async let rawTimings = raw?.run(count, every: period, from: start + period.wholeNanoseconds / 2)
        try await Task.sleep(for: .milliseconds(250) + period * count)
        let answer = try await ground.line(containing: "took", skipping: number - 1, within: .seconds(30))
        let failures = answer.split(separator: " ").last.flatMap { Int($0) } ?? count
        // What is on its way arrives within this; what has not arrived by then counts as missed.
        try await Task.sleep(for: .milliseconds(200))
        subscriber.send(line: recordFile)
        try await subscriber.line(containing: "wrote", skipping: number - 1)
        let flight = SteeredFlight(
            called: try Self.integers(sentFile), from: start, every: period.wholeNanoseconds,
            records: try Self.integers(recordFile).pairs.map { (at: $0, number: $1) }, failures: failures)
        return (flight, try await rawTimings ?? Timings())
    }

    private static func subscribe(
        _ setting: Setting, _ crew: Crew, _ master: ROSMasterProcess
    ) async throws -> ChildProcess {
        let topic = try VehicleNames(vehicle: VehicleUnderTest.name).name(of: VehicleTopic.velocityReference)
        let address = try await VehicleUnderTest.address(
            of: "topic", topic, setting, crew, environment: master.environment)
        let type = MRSMsgs.VelocityReferenceStamped.self
        let subscriber = try await crew.process(
            [setting.peers + "/tcpros_subscriber"] + address + [topic, type.typeName, type.md5, "0"],
            environment: master.environment)
        try await subscriber.line(containing: "ready")
        return subscriber
    }

    private static func integers(_ file: String) throws -> [Int64] {
        try Data(contentsOf: URL(fileURLWithPath: file)).withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self).littleEndian }
        }
    }
}

extension [Int64] {
    fileprivate var pairs: [(Int64, Int64)] {
        (0..<count / 2).map { (self[2 * $0], self[2 * $0 + 1]) }
    }
}
