import BenchmarkKit
import ChannelProtocol
import Foundation
import IntegrationKit
import MRSMessages
import MRSMessagesROS2
import ROS2
import ROS2Node
import SocketTransport
import Statistics

/// ROS 2 over Zenoh beside the `eclipse-zenoh` package with the same router: a service call, and publications at the rate of
/// steering. And a command over UDP through a companion, in ROS 2 beside ROS 1.
enum ROS2Benchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        if let missing = ROS2Peer.missing { throw ProcessFailure(missing) }
        return [
            try await calls(setting), try await publications(setting), try await allocations(setting),
            try await commands(setting),
        ]
    }

    // MARK: A service

    private static func calls(_ setting: Setting) async throws -> Section {
        try await withCrew { crew in
            let vehicle = try await ROS2VehicleUnderTest(setting, crew)
            try await vehicle.takeOff()
            let service = "/uav1/control_manager/goto"
            let ours = Contender(key: "uavlink", name: "uavlink, service client", warmUp: 200) { crew in
                let session = try await vehicle.session(crew)
                let client = try session.node(try ROS2NodeName(name: "bench")).client(
                    of: service, type: MRSMsgs.Vec4.self)
                return { count, period in
                    try await Pace.run(count, every: period, on: TaskClock()) {
                        let answer = try await client.call(.init(goal: [0, 0, 2, 0]), timeout: .seconds(5))
                        guard answer.success else { throw ProcessFailure("goto was refused: \(answer.message)") }
                    }
                }
            }
            let type = "mrs_msgs::srv::dds_::Vec4_/\(MRSMsgs.Vec4.ros2TypeHash)"
            let theirs = Contender.peer(
                "eclipse_zenoh", "eclipse-zenoh, query",
                vehicle.peer(setting, "call", "0\(service)/\(type)", "0", "0", "2", "0"), warmUp: 200)
            let plan = setting.plan(blocks: 2, of: setting.amount(150, quick: 50), every: .milliseconds(20))
            var section = Section(key: "ros2_call", title: "A service call through a Zenoh router")
            section.notes = ["goto of uavlink-sim --ros 2; " + plan.text]
            section.rows = try await plan.measure([ours, theirs])
            let (mine, other) = (section.series("uavlink"), section.series("eclipse_zenoh"))
            section.figures = [
                Figure("median against eclipse-zenoh", mine, over: other, at: .p50, limit: .atMost(1)),
                Figure("p99 against eclipse-zenoh", mine, over: other, at: .p99, limit: .atMost(1)),
            ]
            return section
        }
    }

    // MARK: Publications

    private static let topic = "/uav1/bench"
    /// Of the topic, in Zenoh.
    private static let key =
        "0\(topic)/mrs_msgs::msg::dds_::VelocityReferenceStamped_/\(MRSMsgs.VelocityReferenceStamped.ros2TypeHash)"

    /// How old publications are when a subscriber of the package gets them, by the times in their attachments.
    private static func publications(_ setting: Setting) async throws -> Section {
        let count = setting.amount(6000, quick: 3000)
        var (ours, theirs): ([Timings], [Timings]) = ([], [])
        var (missed, doubled) = (0, 0)
        for _ in 0..<setting.runs {
            try await withCrew { crew in
                let router = try await ROS2VehicleUnderTest.router(crew)
                let python = ROS2VehicleUnderTest.peer(setting, router)
                let subscriber = try await crew.process(python + ["subscribe", key], environment: Setting.environment)
                try await subscriber.line(containing: "ready")
                let session = try ROS2Session(
                    configuration: try ROS2Configuration(router: router, domain: 0, environment: [:]))
                await crew.atEnd { await session.shutdown() }
                try await session.waitForRouter(within: .seconds(10))
                let publisher: ROS2Publisher<MRSMsgs.VelocityReferenceStamped> =
                    try session.node(try ROS2NodeName(name: "bench")).publisher(of: topic)
                let peer = try await crew.peer(
                    "eclipse-zenoh", python + ["publish", key], environment: Setting.environment)
                var reports = 0
                func report(_ count: Int) async throws -> Timings {
                    subscriber.send(line: "report \(count)")
                    let line = try await subscriber.line(containing: "took", skipping: reports)
                    reports += 1
                    let words = line.split(separator: " ")
                    doubled += words.last.flatMap { Int($0) } ?? 0
                    let ages = words.dropFirst().dropLast(2).compactMap { Int64($0) }
                    missed += max(0, count - ages.count)
                    return Timings(latencies: ages)
                }
                for amount in [500, count] {
                    _ = try await Pace.run(amount, every: SteeringBenchmark.period, on: ThreadClock()) {
                        _ = publisher.publish(MRSMsgs.VelocityReferenceStamped())
                    }
                    let mine = try await report(amount)
                    _ = try await peer.run(amount, every: SteeringBenchmark.period)
                    let other = try await report(amount)
                    if amount == count { (ours, theirs) = (ours + [mine], theirs + [other]) }
                }
            }
        }
        var section = Section(
            key: "ros2_publication", title: "A setpoint through a Zenoh router to a subscriber of eclipse-zenoh")
        section.notes = [
            "\(ours.count) runs of \(count) publications each, one a millisecond; from the time in the attachment to the "
                + "subscriber's callback in Python"
        ]
        section.rows = [
            .init("uavlink", "uavlink, publisher", RunSeries(ours)),
            .init("eclipse_zenoh", "eclipse-zenoh, publisher", RunSeries(theirs)),
        ]
        section.figures = [
            Figure(name: "publications missed, of both", value: Double(missed), unit: "", limit: .atMost(0)),
            Figure(name: "publications that came twice", value: Double(doubled), unit: "", limit: .atMost(0)),
            Figure(
                "median against eclipse-zenoh", section.series("uavlink"), over: section.series("eclipse_zenoh"),
                at: .p50, limit: .atMost(1.2)),
        ]
        return section
    }

    /// What the thread that publishes allocates in a process of its own, since counting costs time.
    private static func allocations(_ setting: Setting) async throws -> Section {
        try await withCrew { crew in
            let folder = try TemporaryFolder()
            await crew.atEnd { withExtendedLifetime(folder) {} }
            let router = try await ROS2VehicleUnderTest.router(crew)
            let subscriber = try await crew.process(
                ROS2VehicleUnderTest.peer(setting, router) + ["subscribe", key], environment: Setting.environment)
            try await subscriber.line(containing: "ready")
            let file = folder.file("publisher.count")
            let publisher = try await crew.process(
                setting.counted(file, [setting.programs + "/uavlink-bench", "publication-worker", router, topic]),
                environment: Setting.environment)
            try await publisher.line(containing: "ready")
            let seconds = setting.amount(10, quick: 4)
            // Warm before, and still at work afterwards.
            let count = (seconds + 3) * 1000
            publisher.send(line: "run \(count) \(SteeringBenchmark.period.wholeNanoseconds)")
            try await Task.sleep(for: .seconds(2))
            let before = try AllocationCounts(file: file)
            try await Task.sleep(for: .seconds(seconds))
            let threads = try AllocationCounts(file: file).since(before)
            let sent = try await publisher.line(containing: "took").split(separator: " ").last ?? ""
            subscriber.send(line: "report \(count)")
            // `took`, the ages, `doubled` and a number.
            let arrived = try await subscriber.line(containing: "took").split(separator: " ").count - 3
            guard arrived > 0 else { throw ProcessFailure("none of \(count) publications arrived, \(sent) were sent") }
            guard let thread = threads.max(by: { $0.sent < $1.sent }), thread.sent > seconds * 900 else {
                throw ProcessFailure("the thread that publishes was not found among those counted")
            }
            let others = threads.reduce(-thread.allocations) { $0 + $1.allocations }
            var section = Section(
                key: "ros2_allocations", title: "Heap allocations per publication of a setpoint in the steady state")
            section.notes = [
                "counted in \(seconds) s in the middle of a run at 1000 publications a second through a router, every "
                    + "call of malloc and its kin",
                "of \(count) publications \(sent) were sent, and \(arrived) arrived at a subscriber of eclipse-zenoh",
                "the thread that publishes: \(thread.allocations) with \(thread.sent) setpoints sent; the other threads "
                    + "of the process: \(others)",
            ]
            section.figures = [
                Figure(
                    name: "publisher: heap allocations", value: Double(thread.allocations), unit: "for \(thread.sent)",
                    limit: .atMost(0))
            ]
            return section
        }
    }

    // MARK: A command

    private static func commands(_ setting: Setting) async throws -> Section {
        try await withCrew { crew in
            let one = try await VehicleUnderTest(setting, crew)
            try await one.takeOff()
            let two = try await ROS2VehicleUnderTest(setting, crew)
            try await two.takeOff()
            let plan = setting.plan(of: setting.amount(300, quick: 40), every: .milliseconds(50))
            var section = Section(key: "ros2_command", title: "Command over UDP through a companion, in both ROS")
            section.notes = ["goto; " + plan.text]
            section.rows = try await plan.measure([
                Contender.goTo("ros2", "ROS 2 over Zenoh", one, warmUp: 200) { crew in
                    try await crew.link(.udp, to: two.ticket())
                },
                Contender.goTo("ros1", "ROS 1", one, warmUp: 200),
            ])
            section.figures = [
                Figure(
                    "median against ROS 1", section.series("ros2"), over: section.series("ros1"), at: .p50,
                    limit: .atMost(1.3))
            ]
            return section
        }
    }
}

/// A Zenoh router, `uavlink-sim --ros 2` behind it and a companion, each a process of its own.
private struct ROS2VehicleUnderTest: Sendable {
    let router: String
    private let folder: TemporaryFolder
    private let setting: Setting
    private let companion: [String]

    /// Starts everything; the crew ends it.
    init(_ setting: Setting, _ crew: Crew) async throws {
        self.setting = setting
        folder = try TemporaryFolder()
        router = try await Self.router(crew)
        let place = ["--ros", "2", "--router", router]
        let simulator = try await crew.process(
            [setting.programs + "/uavlink-sim"] + place, environment: Setting.environment)
        try await simulator.line(ofErrorsContaining: "ready")
        companion = [setting.programs + "/uavlink-companion"] + place + ["--runtime-dir", folder.path]
        let running = try await crew.process(
            companion + ["run", "--bind", "127.0.0.1"], environment: Setting.environment)
        try await running.line(ofErrorsContaining: "connected to uav1 over ros")
    }

    /// A router of the package.
    static func router(_ crew: Crew) async throws -> String {
        let peer = try await ROS2Peer.start()
        await crew.atEnd { await peer.stop() }
        return peer.locator
    }

    static func peer(_ setting: Setting, _ router: String) -> [String] {
        [ROS2Peer.python, setting.scripts + "/zenoh_peer.py", router]
    }

    func peer(_ setting: Setting, _ words: String...) -> [String] { Self.peer(setting, router) + words }

    func session(_ crew: Crew) async throws -> ROS2Session {
        let session = try ROS2Session(
            configuration: try ROS2Configuration(router: router, domain: 0, environment: [:]))
        await crew.atEnd { await session.shutdown() }
        try await session.waitForRouter(within: .seconds(10))
        return session
    }

    /// A ticket for one session.
    func ticket() async throws -> ChannelTicket {
        let program = try ChildProcess(companion + ["bootstrap"], environment: Setting.environment)
        guard try await program.exit(within: .seconds(30)) == 0 else { throw ProcessFailure(program.errors) }
        return try ChannelTicket.find(in: program.output)
    }

    /// Takes off, and returns when the vehicle is in the air.
    func takeOff() async throws {
        let ground = try ChildProcess(
            [
                setting.programs + "/uavlink", "takeoff", "--arm", "--wait", "--timeout", "60s", "--link", "ros",
                "--router", router,
            ], environment: Setting.environment.merging(["HOME": folder.path]) { $1 })
        guard try await ground.exit(within: .seconds(90)) == 0 else { throw ProcessFailure(ground.errors) }
    }
}
