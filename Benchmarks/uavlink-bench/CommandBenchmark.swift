import BenchmarkKit
import ChannelProtocol
import IntegrationKit
import MRS
import SSHTransport
import SocketTransport
import Statistics
import UAVLink

/// A command over the UDP channel through the companion to a ROS service and back, beside a rospy proxy that keeps its
/// connection, and beside `rosservice call` over SSH.
enum CommandBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        try await withCrew { crew in
            let vehicle = try await VehicleUnderTest(setting, crew)
            try await vehicle.takeOff()
            let contenders = [
                // Where rospy's caller is, too: on the thread that reads the answer.
                Contender.goTo("uavlink", "uavlink over UDP", vehicle, warmUp: 200),
                Contender.goTo(
                    "uavlink_shared", "the same, awaited on Swift's threads", vehicle, onLinkThread: false, count: 100),
                try Contender.rospy(setting, vehicle, warmUp: 200), Contender.hops(setting, count: 100),
            ]
            // A run is as long as its p99 takes.
            let pacedPlan = setting.plan(of: setting.amount(300, quick: 40), every: .milliseconds(50))
            var paced = try await compare(
                "command", "Command over UDP to a ROS service and back, paced at 20 Hz", pacedPlan, median: 1.2,
                contenders + [try await rosservice(setting, crew, vehicle)])
            try await count(&paced, setting, vehicle, every: pacedPlan.period)
            paced.notes.append("rosservice: 6 calls a run, one after the other, exec on a warm session")
            let (ours, shell) = (paced.series("uavlink"), paced.series("rosservice_over_ssh"))
            paced.figures.append(
                Figure(
                    name: "faster than rosservice call over SSH (medians)",
                    estimate: shell.compared(with: ours, at: .p50, /), unit: "times", limit: .atLeast(1000)))
            paced.figures.append(
                Figure(
                    "median against the four wake-ups in C", ours, over: paced.series("hops"), at: .p50,
                    limit: .atMost(1.15)))
            var dense = try await compare(
                "command_back_to_back", "The same back to back", setting.plan(blocks: 4, of: 100), median: 1.6,
                contenders)
            try await count(&dense, setting, vehicle, every: .zero)
            let direct = try await DirectBenchmark.run(setting, on: vehicle, "uavlink-sim", key: "command_direct")
            return [paced, dense] + direct
        }
    }

    private static func compare(
        _ key: String, _ title: String, _ plan: RunPlan, median: Double, _ contenders: [Contender]
    ) async throws -> Section {
        var section = Section(key: key, title: title)
        section.notes = ["goto; " + plan.text, "the vehicle and its companion are the same in all"]
        section.rows = try await plan.measure(contenders)
        let (ours, rospy) = (section.series("uavlink"), section.series("rospy"))
        section.figures = [
            Figure("median against rospy", ours, over: rospy, at: .p50, limit: .atMost(median)),
            Figure("p99 against rospy", ours, over: rospy, at: .p99, limit: .atMost(1.5)),
        ]
        return section
    }

    /// What it takes besides time, of each process on the way.
    private static func count(
        _ section: inout Section, _ setting: Setting, _ vehicle: VehicleUnderTest, every period: Duration
    ) async throws {
        let counter = OperationCounter.ofCommands(setting, every: period)
        let service = (name: "service", process: vehicle.service)
        section.notes.append(OperationCounter.note)
        section.counts = [
            try await counter.counts("uavlink", "uavlink over UDP") { crew in
                let ticket = try vehicle.master.folder.write(
                    try await vehicle.ticket().unwipedLine + "\n", to: "ticket-counted", mode: 0o600)
                return try await .peer(
                    "uavlink", [setting.programs + "/uavlink-bench", "command-worker", "udp", ticket], crew,
                    places: ["ground"], beyond: [(name: "companion", process: vehicle.companion), service])
            },
            try await counter.counts("rospy", "rospy, persistent proxy") { crew in
                try await .peer(
                    "rospy", Contender.rospyCommand(setting), environment: vehicle.python, crew, places: ["caller"],
                    beyond: [service])
            },
            try await counter.counts("hops", "our four wake-ups alone, in C") { crew in
                try await .peer(
                    "hops", [setting.peers + "/command_hops"], crew, places: ["ground", "service", "companion"])
            },
        ]
    }

    private static func rosservice(
        _ setting: Setting, _ crew: Crew, _ vehicle: VehicleUnderTest
    ) async throws -> Contender {
        let server = try await SSHServer()
        await crew.atEnd { await server.stop() }
        try await server.start()
        let service = try VehicleNames(vehicle: VehicleUnderTest.name).name(of: VehicleService.goTo)
        let exports = vehicle.python.sorted { $0.key < $1.key }
            .map { "export \($0.key)='\($0.value)'; " }.joined()
        func calling(_ arguments: String, _ sign: String) -> (Crew) async throws -> Contender.Runner {
            { crew in
                let session = try await server.warmSession()
                await crew.atEnd { await session.close() }
                let line = exports + "exec rosservice call " + arguments
                return { count, _ in
                    try await Pace.run(count) {
                        let result = try await session.run(line, within: .seconds(30))
                        guard result.isSuccess, result.outputText.contains(sign) else {
                            throw ProcessFailure("rosservice: \(result.outputText) \(result.errorText)")
                        }
                    }
                }
            }
        }
        // Without the call: the login shell, Python, and all that the program imports.
        return Contender(
            key: "rosservice_over_ssh", name: "rosservice call over SSH", count: 6, startsProcess: true,
            startAlone: calling("--help", "Usage"),
            start: calling(#"\#(service) "goal: [0, 0, 2, 0]""#, "success: True"))
    }
}

extension Contender {
    /// A goto over a link that is opened for each run.
    static func goTo(
        _ key: String, _ name: String, _ vehicle: VehicleUnderTest, onLinkThread: Bool = true, count: Int? = nil,
        warmUp: Int = 100, open: ((Crew) async throws -> SocketLink)? = nil
    ) -> Contender {
        Contender(key: key, name: name, count: count, warmUp: warmUp) { crew in
            let link: SocketLink
            if let open { link = try await open(crew) } else { link = try await crew.link(.udp, to: vehicle.ticket()) }
            @Sendable func calls(_ count: Int, _ period: Duration, _ clock: some PaceClock) async throws -> Timings {
                try await Pace.run(count, every: period, on: clock) {
                    try await link.commandGoal()
                }
            }
            return { count, period in
                guard onLinkThread else { return try await calls(count, period, TaskClock()) }
                return try await link.onLinkThread { try await calls(count, period, LinkThreadClock()) }
            }
        }
    }

    /// A proxy that keeps its connection.
    static func rospy(_ setting: Setting, _ vehicle: VehicleUnderTest, warmUp: Int = 100) throws -> Contender {
        .peer(
            "rospy", "rospy, persistent proxy", try rospyCommand(setting), environment: vehicle.python, warmUp: warmUp)
    }

    /// - Parameter topic: one that it subscribes to meanwhile.
    static func rospyCommand(_ setting: Setting, reading topic: VehicleTopic? = nil) throws -> [String] {
        let name = try topic.map { ["--reading", try VehicleNames(vehicle: VehicleUnderTest.name).name(of: $0)] }
        return [Setting.python, setting.scripts + "/rospy_call.py"] + (name ?? []) + (try goalWords())
    }

    /// The service and its argument, for peers.
    static func goalWords() throws -> [String] {
        [try VehicleNames(vehicle: VehicleUnderTest.name).name(of: VehicleService.goTo), "0", "0", "2", "0"]
    }

    /// The floor: as many processes, threads and sockets on the way, and nothing else.
    static func hops(_ setting: Setting, count: Int) -> Contender {
        .peer("hops", "our four wake-ups alone, in C", [setting.peers + "/command_hops"], count: count)
    }
}
