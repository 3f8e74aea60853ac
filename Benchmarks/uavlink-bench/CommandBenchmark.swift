import IntegrationKit
import MRS
import SSHTransport
import ChannelProtocol
import SocketTransport
import UAVLink

/// A command over the UDP channel through the companion to a ROS service and back, beside a rospy proxy that keeps its
/// connection, and beside `rosservice call` over SSH.
enum CommandBenchmark {
    private static let period = Duration.milliseconds(50)

    static func run(_ setting: Setting) async throws -> [Section] {
        try await withCrew { crew in
            let vehicle = try await VehicleUnderTest(setting, crew)
            try await vehicle.takeOff()
            let ticket = try await vehicle.ticket()
            let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in ticket }
            await crew.atEnd { await link.close() }
            try await link.connect(within: .seconds(10))
            let python = vehicle.master.environment.merging(["PYTHONPATH": setting.messages]) { $1 }
            let goal = Command.Destination(.frame(.current), position: Vector3(x: 0, y: 0, z: 2), headingRadians: 0)
            let service = try VehicleNames(vehicle: VehicleUnderTest.name).name(of: VehicleService.goTo)
            let rospy = try await crew.peer(
                "rospy", [Setting.python, setting.scripts + "/rospy_call.py", service, "0", "0", "2", "0"],
                environment: python)
            // The floor: as many processes, threads and sockets on the way, and nothing else.
            let hops = try await crew.peer("hops", [setting.peers + "/command_hops"], environment: Setting.environment)
            @Sendable func shared(_ count: Int, every period: Duration) async throws -> [Int64] {
                try await Pace.run(count, every: period) {
                    let reply = try await link.perform(.goTo(goal), within: .seconds(5))
                    guard reply.accepted else { throw ProcessFailure("goto was refused: \(reply.message)") }
                }
            }
            // Where rospy's caller is, too: on the thread that reads the answer.
            func ours(_ count: Int, every period: Duration) async throws -> [Int64] {
                try await link.onLinkThread { try await shared(count, every: period) }
            }
            _ = try await ours(200, every: .zero)
            _ = try await shared(200, every: .zero)
            _ = try await rospy.run(200)
            var sections = [
                try await compare(
                    "command", "Command over UDP to a ROS service and back, paced at 20 Hz", every: period,
                    blocks: setting.amount(30, quick: 4), of: setting.amount(40, quick: 40), ours: ours, shared: shared,
                    rospy: rospy, hops: hops),
                try await compare(
                    "command_back_to_back", "The same back to back", every: .zero,
                    blocks: setting.amount(40, quick: 10), of: setting.amount(100, quick: 100), ours: ours,
                    shared: shared, rospy: rospy, hops: hops),
            ]
            let overSSH = try await rosservice(setting, crew, service, python)
            sections[0].add("rosservice_over_ssh", "rosservice call over SSH", overSSH)
            let median = sections[0].rows[0].latencies.median
            sections[0].notes.append("rosservice: \(overSSH.count) calls, one after the other, exec on a warm session")
            sections[0].figures.append(
                Figure(
                    name: "faster than rosservice call over SSH (medians)", value: overSSH.median / median,
                    unit: "times",
                    limit: .atLeast(1000)))
            return sections
        }
    }

    private static func compare(
        _ key: String, _ title: String, every period: Duration, blocks: Int, of count: Int,
        ours: (Int, Duration) async throws -> [Int64], shared: (Int, Duration) async throws -> [Int64], rospy: Peer,
        hops: Peer
    ) async throws -> Section {
        var section = Section(key: key, title: title)
        var (mine, others, theirs, floor): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
        for block in 0..<blocks {
            // By turns who goes first.
            if block % 2 == 0 { mine += try await ours(count, period) }
            theirs += try await rospy.run(count, every: period)
            if block % 2 == 1 { mine += try await ours(count, period) }
            others += try await shared(count, period)
            floor += try await hops.run(count, every: period)
        }
        let (uavlink, proxy) = (Latencies(nanoseconds: mine), Latencies(nanoseconds: theirs))
        section.notes.append(
            "goto, in \(blocks) blocks of \(count) by turns, "
                + (period == .zero
                    ? "each when the one before has its answer" : "one every \(period.inMilliseconds) ms"))
        section.add("uavlink", "uavlink over UDP", uavlink)
        section.add("uavlink_shared", "the same, awaited on Swift's threads", Latencies(nanoseconds: others))
        section.add("rospy", "rospy, persistent proxy", proxy)
        section.add("hops", "our four wake-ups alone, in C", Latencies(nanoseconds: floor))
        section.figures = [
            Figure(
                name: "median against rospy", value: uavlink.median / proxy.median, unit: "times", limit: .atMost(2)),
            Figure(
                name: "p99 against rospy", value: uavlink.percentile(99) / proxy.percentile(99), unit: "times",
                limit: .atMost(1.5)),
        ]
        return section
    }

    private static func rosservice(
        _ setting: Setting, _ crew: Crew, _ service: String, _ environment: [String: String]
    ) async throws -> Latencies {
        let server = try await SSHServer()
        await crew.atEnd { await server.stop() }
        try await server.start()
        let session = try await server.warmSession()
        await crew.atEnd { await session.close() }
        let exports = environment.sorted { $0.key < $1.key }.map { "export \($0.key)='\($0.value)'; " }.joined()
        let line = exports + #"exec rosservice call \#(service) "goal: [0, 0, 2, 0]""#
        return Latencies(
            nanoseconds: try await Pace.run(setting.amount(15, quick: 4)) {
                let result = try await session.run(line, within: .seconds(30))
                guard result.isSuccess, result.outputText.contains("success: True") else {
                    throw ProcessFailure("rosservice: \(result.outputText) \(result.errorText)")
                }
            })
    }
}
