import FlightRecorder
import FlightTestKit
import Foundation
import IntegrationKit
import MRSMessages
import ROSMessages
import Testing
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Flights that are recorded, in the hands of those who read bags.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rosbag"), "rosbag is missing"),
    .serialized, .oneFlightStack, .timeLimit(.minutes(MachinePace.minutes(6))))
struct FlightRecordingTests {
    /// Takes off, flies east for two seconds and hovers, over a recorded link.
    func fly(
        _ kind: LinkKind, of stack: FlightStack, into path: String, _ watch: SchedulingWatch
    ) async throws -> (begin: Int64, end: Int64) {
        let profile = try ConfigurationFile(path: stack.configuration, environment: [:]).read().profile(named: nil)
        let recordings = Recordings(path: path)
        let connector = VehicleConnector(
            profile: profile, credentials: Credentials(), environment: stack.rosEnvironment,
            decorate: Recordings.decoration(recordings, vehicle: profile.vehicle))
        let link = try await connector.connect(.only(kind), within: .patient(seconds: 60))
        let flight = Flight(link)
        try await flight.takeOff()
        if let companion = stack.companionProcess() { watch.add(companion) }
        let clock = SystemMonotonicClock()
        await takeCommand(of: link)
        let (begun, steersFrom) = (clock.now, SchedulingWatch.now)
        for number in 0..<100 as Range<Int64> {
            let due = begun + .milliseconds(20 * number)
            if due > clock.now { try await Task.sleep(for: due - clock.now) }
            try link.steer(
                VelocitySetpoint(
                    velocityMetresPerSecond: Vector3(x: number < 5 ? 0 : 1, y: 0, z: 0), intendedAt: due,
                    validFor: .milliseconds(400)))
        }
        try await flight.perform(.hover)
        let steersTo = SchedulingWatch.now
        // It comes to rest, and its way there is recorded too.
        try await flight.wait("at rest") { ($0.velocityMetresPerSecond?.value.length ?? 9) < 0.1 }
        await link.close()
        await connector.close()
        let outcomes = await recordings.finish()
        #expect(outcomes.map(\.path) == [path])
        #expect(outcomes.allSatisfy { $0.failure == nil && $0.dropped == 0 })
        return (steersFrom, steersTo)
    }

    @Test func `a flight over udp is read by rosbag and by rosbags, played, shown, and flown again`() async throws {
        let stack = try await sharedStack()
        let path = stack.folder.path + "/flight.bag"
        let lapses = stack.leaseLapses
        let watch = SchedulingWatch()
        let steering = try await fly(.udp, of: stack, into: path, watch)
        watch.settle()

        let account = try await BagReaders.account(of: path, BagReaders.rosbag)
        #expect(account.counts["/uav1/uavlink/setpoint"] == 100)
        // The log comes a moment after what it tells of.
        if account.fates["refused"] != nil { _ = await eventually { stack.leaseLapses > lapses } }
        try await checkFates(account, of: path, lapses: stack.leaseLapses - lapses)
        // Nothing interrupts it where neither end had to wait for a processor.
        let waited = watch.longestWait(from: steering.begin, to: steering.end)
        if waited > 50_000_000 {
            print("recorded flight: NOT JUDGED on this machine: that nothing interrupts it; waited \(waited) ns")
        } else {
            #expect(account.whole >= 95, "\(account); waited \(waited) ns")
        }
        // The exchange that bounds it waits for a processor as well.
        #expect(account.bound > 0 && account.bound < 10_000_000 + waited, "\(account); waited \(waited) ns")
        #expect(account.commands.contains("takeoff ordered") && account.commands.last == "hover ordered", "\(account)")
        #expect(account.commands.allSatisfy { $0.hasSuffix(" ordered") }, "\(account)")
        #expect((account.counts["/uav1/estimation_manager/odom_main"] ?? 0) > 0, "\(account)")
        if let python = BagReaders.rosbags {
            let other = try await BagReaders.account(of: path, python)
            #expect(other == account)
        }
        try await info(path)
        try await play(path, on: stack)

        let shown = try await stack.uavlink("review", path, "--json")
        #expect(shown.status == 0, "\(shown)")
        let review = try json(shown)
        #expect(review["ended"] as? Bool == true)
        #expect(try await shownCount("applied", of: path, stack) == account.whole)
    }

    /// What the recording says of each setpoint, against what the vehicle's end did.
    ///
    /// How many are applied depends on the machine: the test's pauses can outlast the lease, and then the companion stops the
    /// vehicle and refuses what is not neutral. But of each it is known what became of it and when, and why.
    func checkFates(_ account: BagReaders.Account, of path: String, lapses: Int) async throws {
        print("recorded flight: \(account.fates), the lease lapsed \(lapses) times")
        let log = try await FlightLogFile.read(path)
        let setpoints = log.setpoints
        #expect(account.disordered == 0, "\(account)")
        // On one machine nothing is lost, and the companion tells of all that came.
        #expect(Set(account.fates.keys).isSubset(of: ["applied", "refused", "stale", "superseded"]), "\(account)")
        #expect(setpoints.allSatisfy { $0.received.seconds > 0 }, "\(account)")
        #expect(account.whole == account.fates["applied"] && account.whole > 0, "\(account)")
        // Refused is only what follows a lapse.
        #expect(account.fates["refused"] == nil || lapses > 0, "\(account)")
        // And a lapse only what follows a pause of the lease's length, by the companion's clock, among those that renew it.
        let hover = try #require(log.commands.last?.message)
        let renewing = setpoints.filter { $0.fate == "applied" }.map(\.received) + [hover.received]
        let longest = zip(renewing, renewing.dropFirst()).map { $0.nanoseconds(until: $1) }.max() ?? 0
        #expect(lapses == 0 || longest > 190_000_000, "\(lapses) lapses, but no pause beyond \(longest) ns")
        for setpoint in setpoints where setpoint.fate == "stale" {
            #expect(setpoint.intended.nanoseconds(until: setpoint.received) >= 390_000_000, "\(setpoint)")
        }
        // The hover may overtake the last, and a newer one an earlier one where both wait at the companion.
        for (index, setpoint) in setpoints.enumerated() where setpoint.fate == "superseded" {
            let newer = setpoints[(index + 1)...].map(\.received) + [hover.received]
            #expect(newer.contains { $0.nanoseconds(until: setpoint.received) >= 0 }, "\(setpoint)")
        }
    }

    /// The replay meets the recorded flight's end only where both were flown as they were meant. A flight that a busy machine
    /// interrupted says nothing of that, so another is flown.
    @Test func `a recorded flight that is flown again ends where it ended`() async throws {
        let stack = try await sharedStack()
        let watch = SchedulingWatch()
        for attempt in 1...Self.attempts {
            if attempt > 1 { _ = try await sharedStack() }
            let path = stack.folder.path + "/again-\(attempt).bag"
            _ = try await fly(.udp, of: stack, into: path, watch)
            let begin = SchedulingWatch.now
            let child = try stack.launch(["review", path, "--replay", "--json"])
            if await eventually({ child.pid != nil }), let pid = child.pid { watch.add(pid) }
            let status = try await child.exit(within: .seconds(120))
            let report = try json(.init(child, status: status, since: .now))
            watch.settle()
            #expect(report["setpoints"] as? Int == 100, "\(report)")
            let difference = try #require(report["end_difference_m"] as? Double, "\(report)")
            let account = try await BagReaders.account(of: path, BagReaders.rosbag)
            let setpoints = try await FlightLogFile.read(path).setpoints
            let pauses = zip(setpoints, setpoints.dropFirst()).map { $0.applied.nanoseconds(until: $1.applied) }
            let replaying = watch.longestWait(from: begin, to: SchedulingWatch.now)
            // Every setpoint was applied, none of them noticeably later than meant, and the replay ran smoothly.
            let isJudged = account.whole >= 95 && (pauses.max() ?? 0) < 100_000_000 && replaying < 100_000_000
            print(
                "replay: ends \(difference) m away; \(account.fates), \((pauses.max() ?? 0) / 1_000_000) ms between two "
                    + "setpoints, the replay waited \(replaying / 1_000_000) ms for a processor")
            if isJudged { return #expect(difference < 0.5, "\(report)") }
        }
        print("replay: NOT JUDGED on this machine: whether it ends where the recorded flight did")
    }

    static let attempts = 4

    /// Of how many setpoints `uavlink review` shows the age at a place.
    func shownCount(_ place: String, of path: String, _ stack: FlightStack) async throws -> Int {
        let review = try json(try await stack.uavlink("review", path, "--json"))
        let setpoints = try #require(review["setpoints"] as? [String: Any])
        let ages = try #require(setpoints["ages"] as? [String: [String: Any]])
        return try #require(ages[place]?["count"] as? Int)
    }

    func info(_ path: String) async throws {
        let child = try ChildProcess(["/usr/bin/rosbag", "info", path], environment: ["PATH": "/usr/bin:/bin"])
        #expect(try await child.exit(within: .seconds(60)) == 0, "\(child.errors)")
        #expect(child.output.contains("uavlink_msgs/Setpoint") && child.output.contains("version:     2.0"))
    }

    func play(_ path: String, on stack: FlightStack) async throws {
        let environment = stack.rosEnvironment.merging(["PATH": "/usr/bin:/bin"]) { _, new in new }
        let command = ["/usr/bin/rosbag", "play", "--quiet", "--rate=4", "--prefix=/played"]
        let whole = try ChildProcess(command + [path], environment: environment)
        #expect(try await whole.exit(within: .seconds(60)) == 0, "\(whole.output) \(whole.errors)")
        // One topic again for a node that listens, however late it is there: it asks its type of the player.
        let topic = "/uav1/uavlink/setpoint"
        let player = try ChildProcess(
            command + ["--wait-for-subscribers", path, "--topics", topic], environment: environment)
        let echo = try ChildProcess(
            ["/usr/bin/rostopic", "echo", "-n", "1", "/played" + topic], environment: stack.rosEnvironment)
        #expect(try await echo.exit(within: .seconds(60)) == 0, "\(echo.errors)")
        #expect(try await player.exit(within: .seconds(60)) == 0, "\(player.output) \(player.errors)")
        #expect(echo.output.contains("clock_bound"), "\(echo.output)")
    }

    @Test(arguments: ["udp", "tcp"])
    func `what one command steers stands in its recording`(link: String) async throws {
        let stack = try await sharedStack()
        let path = stack.folder.path + "/\(link).bag"
        var outcome: FlightStack.Outcome
        var attempts = 0
        repeat {
            attempts += 1
            try? FileManager.default.removeItem(atPath: path)
            outcome = try await stack.uavlink("steer", "--for", "1s", "--rate", "50", "--link", link, "--record", path)
            // On a busy machine a pause can outlast the lease, which ends it before.
        } while outcome.errors.contains("the lease expired") && attempts < Self.attempts
        // On the ground it steers nothing.
        #expect(outcome.status == 1 && outcome.errors.contains("is not flying"), "\(outcome)")
        #expect(outcome.errors.contains("recorded ") && outcome.errors.contains(path), "\(outcome)")
        let account = try await BagReaders.account(of: path, BagReaders.rosbag)
        let sent = try #require(account.counts["/uav1/uavlink/setpoint"])
        #expect(sent > 0 && account.disordered == 0, "\(account)")
        // The vehicle is on the ground: whatever becomes of a setpoint there, when it came is known.
        let log = try await FlightLogFile.read(path)
        #expect(log.setpoints.allSatisfy { $0.link == link })
        #expect(try await shownCount("received", of: path, stack) >= sent - 2)
        // Its end is no command.
        #expect(account.commands.isEmpty, "\(account)")

        // A recording never replaces a file.
        let refused = try await stack.uavlink("hover", "--link", link, "--record", path)
        expectFailure(refused, code: 2, saying: [path, "existing files are not overwritten"])
        #expect(try await FlightLogFile.read(path).setpoints.count == sent)
        let nowhere = try await stack.uavlink("hover", "--link", link, "--record", path + "/no.bag")
        expectFailure(nowhere, code: 2, saying: [path + "/no.bag"])
    }

    @Test func `a latency run is recorded, each link by its name and condition`() async throws {
        let stack = try await sharedStack()
        let path = stack.folder.path + "/latency.bag"
        let outcome = try await stack.uavlink(
            "latency", "--links", "ssh,ssh-tunnel,tcp,udp,ros", "--for", "6s", "--impair", "none", "--impair",
            "delay=10ms", "--record", path, environment: stack.rosEnvironment, within: .patient(seconds: 120))
        #expect(outcome.status == 0, "\(outcome)")
        let log = try await FlightLogFile.read(path)
        #expect(log.isWhole)
        for condition in ["none", "delay=10ms"] {
            for link in ["ssh", "ssh-tunnel", "tcp", "udp", "ros"] {
                let commands = log.commands.filter { $0.message.link == link && $0.message.condition == condition }
                #expect(commands.count > 0, "\(link) \(condition)")
                let setpoints = log.setpoints.filter { $0.link == link && $0.condition == condition }
                #expect(setpoints.count > (link == "ssh" ? 0 : 50), "\(link) \(condition)")
                let known = setpoints.filter { $0.received.seconds > 0 }
                #expect(known.count >= (link == "ssh" ? 0 : setpoints.count * 9 / 10), "\(link) \(condition)")
                // The ten milliseconds of the relay are between both ends, as far as their clocks are known.
                guard condition != "none", link != "ssh" else { continue }
                let fast = known.filter { $0.sent.nanoseconds(until: $0.received) < 9_900_000 - $0.bound }
                #expect(fast.isEmpty, "\(link) \(condition): \(fast)")
            }
        }
        let account = try await BagReaders.account(of: path, BagReaders.rosbag)
        #expect(account.disordered == 0, "\(account)")
        #expect(account.commands.count { $0.hasSuffix(" ordered") } > 20, "\(account)")
        #expect((account.counts["/uav1/estimation_manager/odom_main"] ?? 0) > 200, "\(account)")
    }
}

extension ROSTime {
    /// How much later another is.
    fileprivate func nanoseconds(until later: ROSTime) -> Int64 {
        FlightLog.nanoseconds(later) - FlightLog.nanoseconds(self)
    }
}

extension UavlinkMsgs.Setpoint {
    /// How far the companion's times can be from the truth, nanoseconds.
    fileprivate var bound: Int64 { Int64(clockBound.seconds) * 1_000_000_000 + Int64(clockBound.nanoseconds) }
}
