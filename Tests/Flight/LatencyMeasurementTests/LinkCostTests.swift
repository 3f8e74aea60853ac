import FlightRecorder
import Impairment
import LatencyTestKit
import ReportKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@testable import LatencyMeasurement
@testable import LatencyOutput

@Suite struct LinkCostTests {
    private static let cost = LinkCost(
        seconds: 20, groundNanoseconds: 1_000_000_000, groundWakeUps: 400,
        vehicleNanoseconds: .value(500_000_000, of: "the rospy process, without sshd"),
        vehicleWakeUps: .value(900, of: "the companion"),
        traffic: .value(.init(packetsUp: 2000, bytesUp: 60_000, packetsDown: 1000, bytesDown: 40_000), of: "segments"))

    private func member(_ key: String, of value: JSONValue?) -> JSONValue? {
        guard case .object(let members)? = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    @Test func `the table, the page and JSON have what each link cost, and say what is not known`() throws {
        var links = LatencyExamples.twoLinks
        links[0].cost = Self.cost
        links[1].cost = Self.cost
        links[1].cost?.vehicleNanoseconds = .unknown("the vehicle's own nodes")
        links[1].cost?.vehicleWakeUps = .unknown("counted of the companion only")
        links[1].cost?.traffic = .unknown("datagrams")
        let result = LatencyResult(LatencyExamples.report(links))
        let text = result.table.text
        let rows = text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        #expect(rows.contains { $0.contains("ssh 5.0 % 20 2.5 % 45 3.0 2.0 100 50") }, "\(text)")
        #expect(rows.contains { $0.contains("udp 5.0 % 20 ? ? ? ? ? ?") }, "\(text)")
        #expect(text.contains("udp: vehicle CPU: the vehicle's own nodes; traffic: datagrams"))
        #expect(result.html.contains("<h3>Cost</h3>") && result.html.contains("<td>2.5 %</td>"))
        guard case .array(let all)? = member("links", of: result.json) else {
            Issue.record("no links")
            return
        }
        let (ssh, udp) = (member("cost", of: all.first), member("cost", of: all.last))
        #expect(member("bytes_up", of: ssh) == 60_000 && member("vehicle_cpu_s", of: ssh) == 0.5)
        #expect(member("packets_down", of: udp) == .null)
        #expect(member("vehicle_wake_ups", of: ssh) == 900 && member("vehicle_wake_ups", of: udp) == .null)
        #expect(!LatencyResult(LatencyExamples.report(LatencyExamples.twoLinks)).table.text.contains("cost:"))
    }

    @Test func `times of processes are those of the file, whatever a process is called`() {
        let stat = "812 (sshd: a) b) S 1 812 812 0 -1 4194560 900 700 0 0 12 30 5 3 20 0 1 0 100 16998400 1024\n"
        #expect(RemoteProcessorTime.nanoseconds(stat, lines: 1, first: "sshd") == 500_000_000)
        #expect(RemoteProcessorTime.nanoseconds(stat + stat, lines: 2) == 1_000_000_000)
        #expect(RemoteProcessorTime.nanoseconds(stat, lines: 2) == nil)
        #expect(RemoteProcessorTime.nanoseconds(stat, lines: 1, first: "bash") == nil)
        for bad in ["", "812 sshd S 1", "812 (sshd) S 1 2 3", stat.replacing(" 12 30 ", with: " x 30 ")] {
            #expect(RemoteProcessorTime.nanoseconds(bad, lines: 1) == nil)
        }
    }

    @Test func `the waits of the one companion are those of its threads`() {
        let stat = "812 (uavlink-compani) S 1 812 812 0 -1 4194560 900 700 0 0 12 30 5 3 20 0 1 0 100 16998400 1024\n"
        let seen = RemoteProcessorTime.companion(stat + Self.waits([812: "70", 813: "5"]))
        #expect(seen.nanoseconds == 500_000_000)
        let later = RemoteProcessorTime.companion(stat + Self.waits([812: "75", 813: "6"])).waits
        #expect(seen.waits.flatMap { later?.since($0) } == 6)
        #expect(RemoteProcessorTime.companion(stat).waits == nil)
        let other = Self.waits([900: "3"], of: 900)
        let two = RemoteProcessorTime.companion(stat + Self.waits([812: "70"]) + stat + other)
        #expect(two.nanoseconds == nil && two.waits == nil)
        for bad in ["x", "-", "9223372036854775807", ""] {
            #expect(RemoteProcessorTime.companion(stat + Self.waits([812: "70", 813: bad])).waits == nil)
        }
    }

    @Test func `a thread that ended takes nothing from the waits of the others, and one that began adds its own`() {
        func known(_ counts: [Int: String], of process: Int = 812) -> LinkCost.Known<ThreadWaits> {
            let waits = RemoteProcessorTime.companion(Self.waits(counts, of: process)).waits
            return waits.map { .value($0, of: "it") } ?? .unknown("none")
        }
        let before = known([812: "100", 813: "5000"])
        #expect(CostMeter.waits(before, known([812: "130"])) == .value(30, of: "it"))
        #expect(CostMeter.waits(before, known([812: "130", 820: "7"])) == .value(37, of: "it"))
        // A number that is used again is of a new thread.
        #expect(CostMeter.waits(before, known([812: "130", 813: "4"])) == .value(34, of: "it"))
        // Of another process nothing is known, however often it has waited.
        #expect(CostMeter.waits(before, known([812: "130", 813: "6000"], of: 900)).value == nil)
        #expect(CostMeter.waits(before, .unknown("why")) == .unknown("why"))
        #expect(CostMeter.waits(.unknown("why"), before) == .unknown("why"))
    }

    private static func waits(_ counts: [Int: String], of process: Int = 812) -> String {
        counts.map { "/proc/\(process)/task/\($0)/status:voluntary_ctxt_switches:\t\($1)\n" }.joined()
    }

    @Test func `a sum with an unknown part is unknown, and so is a counter that went back`() {
        typealias Known = LinkCost.Known<Int64>
        let (one, two, unknown) = (Known.value(1, of: "a"), Known.value(2, of: "a"), Known.unknown("why"))
        #expect(CostMeter.added(nil, one, +) == one)
        #expect(CostMeter.added(one, two, +) == .value(3, of: "a"))
        #expect(CostMeter.added(one, unknown, +) == unknown)
        #expect(CostMeter.added(unknown, one, +) == unknown)
        #expect(CostMeter.difference(one, two) == one)
        #expect(CostMeter.difference(two, one).value == nil)
        #expect(CostMeter.difference(one, unknown) == unknown)
    }

    @Test func `datagrams count within one connection of the link`() {
        let before = (connection: 1, traffic: LinkCost.Traffic(packetsUp: 4, bytesUp: 400))
        let after = (connection: 1, traffic: LinkCost.Traffic(packetsUp: 10, bytesUp: 900))
        #expect(CostMeter.datagrams(before, after)?.value == .init(packetsUp: 6, bytesUp: 500))
        #expect(CostMeter.datagrams(before, (2, after.traffic))?.value == nil)
        #expect(CostMeter.datagrams(before, nil)?.value == nil && CostMeter.datagrams(nil, after) == nil)
    }

    @Test func `of a connection only what went over it in the turn counts`() {
        let own = OwnConnections.Identity(descriptor: 5, number: 1)
        let other = OwnConnections.Identity(descriptor: 6, number: 2)
        let before = OwnConnections(counts: [own: .init(bytesUp: 100), other: .init(bytesUp: 7)])
        let after = OwnConnections(counts: [own: .init(bytesUp: 130), other: .init(bytesUp: 70)])
        #expect(after.traffic(since: before, of: [own]) == .init(bytesUp: 30))
        #expect(after.traffic(since: OwnConnections(counts: [:]), of: [own]) == .init(bytesUp: 130))
    }

    @Test func `what a turn waits for before it begins is not in its cost`() async throws {
        let clock = FakeClock()
        let probe = WaitingProbe(clock)
        let costs = CostMeter(clock: clock)
        let bench = ProbeBench(
            probes: [probe], failures: [], emulation: .none, reference: ReferenceClock(), lossObstacle: nil,
            costs: costs)
        await costs.begin()
        var rounds = MeasuringRounds(
            plan: MeasuringPlan(links: [.ros], rounds: 3, duration: nil), clock: clock, bench: bench, start: clock.now,
            reportsFigures: false, progress: { _ in })
        await rounds.run(.none)
        #expect(await probe.steps == ["prepare", "take", "prepare", "take", "prepare", "take"])
        let cost = try #require(await costs.cost(of: .ros))
        #expect(abs(cost.seconds - 0.3) < 1e-6, "\(cost.seconds)")
    }
}

/// A probe whose subscription takes a while, and its turn a tenth of a second.
private actor WaitingProbe: Probe {
    nonisolated let link = MeasuredLink.ros
    nonisolated let relays = RelaySet(seed: 1)
    private let clock: FakeClock
    private(set) var steps: [String] = []

    init(_ clock: FakeClock) { self.clock = clock }

    func prepare(_ turn: Turn) async {
        steps.append("prepare")
        clock.advance(by: .milliseconds(600))
    }

    func take(_ turn: Turn) async {
        steps.append("take")
        clock.advance(by: .milliseconds(100))
    }

    func open() async throws(LinkError) {}
    func begin(at start: MonotonicTime, recording: RunRecording?) {}
    func push() async -> Pose? { nil }
    func goBack(to home: Pose) async {}
    func soFar() async -> LinkRun { LinkRun(link: "ros", how: "") }
    func finish() async -> LinkRun { LinkRun(link: "ros", how: "") }
    func recorded(in recording: RunRecording) async -> [RecordingEntry] { [] }
    func close() async {}
}
