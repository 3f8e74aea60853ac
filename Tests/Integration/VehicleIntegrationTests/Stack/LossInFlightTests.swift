import FlightTestKit
import Foundation
import IntegrationKit
import Testing
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What is lost while the vehicle flies, and what becomes of the flight; a rospy node watches.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct LossInFlightTests {
    @Test func `a roscore that dies in flight and comes back is joined again by vehicle and companion`() async throws {
        let stack = try await sharedStack()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            try await flight.takeOff()
            await stack.master.kill()
            // Topics and kept connections go from node to node: what the master is not needed for goes on.
            let heard = try #require(link.latestTelemetry?.newest)
            #expect(await eventually { (link.latestTelemetry?.newest ?? heard) > heard })
            let hover = try await link.perform(.hover, within: .patient(seconds: 10))
            #expect(hover.accepted, "\(hover)")
            await stack.dismissWitness()
            try await stack.master.start()
            // A stranger finds the vehicle's services and topics again.
            let isBack = try await eventually(within: .seconds(60)) {
                try await stack.master.tool("rosservice", "type", "/uav1/control_manager/hover").output
                    .contains("std_srvs/Trigger")
            }
            #expect(isBack, "the vehicle has not registered its services again")
            let witness = try await stack.witness()
            try await witness.sees("the vehicle flying") { $0.flying == true }
            // What the companion publishes reaches the vehicle as before.
            let before = try await witness.account()
            try await flight.steer(Vector3(x: 1, y: 0, z: 0)) { seen, start in seen.x > start.x + 1 }
            let isSteering = try await eventually { try await witness.account().setpoints > before.setpoints }
            #expect(isSteering, "the companion has not registered its topic again")
            let reply = try await link.perform(
                .goTo(.init(.relative, position: .zero, headingRadians: 0)), within: .patient(seconds: 20))
            #expect(reply.accepted)
            try await flight.land()
            try await witness.sees("the vehicle landed") { $0.isLanded }
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a program that steers and is asked to end has the vehicle hover first`(signal: Int32) async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        try await unlessLapsed {
            let steering = try await stack.launchSteering(["--link", "udp", "--vx", "1", "--for", "60s"]) {
                $0.speed > 0.5
            }
            steering.signal(signal)
            let status = try await steering.exit(within: .patient(seconds: 20))
            try expectNoLapse(of: steering)
            #expect(status == 128 + signal, "\(steering.errors)")
            try await witness.sees("the vehicle at rest") { $0.speed < 0.2 }
            // It says so once the vehicle has answered.
            #expect(steering.output.contains("; stopped"), "\(steering.output)")
        }
        #expect(try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet").status == 0)
    }

    @Test func `a program that steers and is asked to end does not wait long for a companion that answers no more`()
        async throws
    {
        let stack = try await sharedStack()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        try await unlessLapsed {
            let steering = try await stack.launchSteering(
                ["--link", "udp", "--vx", "1", "--for", "300s", "--timeout", "300s"]
            ) { $0.speed > 0.5 }
            let companion = try #require(stack.companionProcess())
            kill(companion, SIGSTOP)
            steering.signal(SIGTERM)
            let status = try? await steering.exit(within: min(.patient(seconds: 20), .seconds(200)))
            kill(companion, SIGCONT)
            try expectNoLapse(of: steering)
            #expect(status != nil && status != 0, "\(status as Any)")
            #expect(steering.errors.contains("the vehicle stops by itself"), "\(steering.errors)")
            await steering.stop()
        }
        #expect(try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet").status == 0)
    }

    @Test func `an sshd session killed in the middle of a command`() async throws {
        let stack = try await sharedStack()
        let exec = try stack.launch(["exec", "--timeout", "60s", "--", "echo begun >&2; sleep 50"])
        // The command says itself that it has begun.
        #expect(await eventually(within: .seconds(30)) { exec.errors.contains("begun") })
        await stack.ssh.killSessions()
        let status = try await exec.exit(within: .seconds(20))
        #expect(status == 3 || status == 4, "\(status) \(exec.errors)")
        #expect(exec.errors.split(separator: "\n").last?.hasPrefix("uavlink: ") == true, "\(exec.errors)")

        try await stack.withLink(.ssh) { link in
            await stack.freezeSimulator(true)
            let hover = Task { try await link.perform(.hover, within: .patient(seconds: 60)) }
            #expect(await eventually(within: .seconds(20)) { FlightStack.isHoverCalled })
            await stack.ssh.killSessions()
            let begun = ContinuousClock.now
            let error = await #expect(throws: LinkError.self) { try await hover.value }
            await stack.freezeSimulator(false)
            #expect(error?.code == .timedOut, "\(error as Any)")
            #expect(error?.hint.isEmpty == false)
            // Not only when the minute is over that the command had.
            #expect(ContinuousClock.now - begun < min(.patient(seconds: 10), .seconds(55)))
            #expect(!link.quality.isConnected)
        }
        // And the next one finds a server as before.
        #expect(try await stack.uavlink("exec", "--", "true").status == 0)
    }

    @Test func `the channel outlives the log-in that opened it`() async throws {
        let stack = try await sharedStack()
        try await stack.withLink(.udp) { link in
            await stack.ssh.killSessions()
            let reply = try await link.perform(.land, within: .patient(seconds: 10))
            #expect(reply.message == "can not land, 'NullTracker' is active!")
        }
    }

    @Test func `a companion killed while steering: the vehicle stops by itself, and motion does not come back`()
        async throws
    {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            try await flight.takeOff()
            let steering = try await flight.steerUntilUnderWay(Vector3(x: 1, y: 0, z: 0), witness)
            let watch = try await stack.schedulingWatch()
            let companion = try #require(stack.companionProcess())
            // Before the next companion can have refused: each says it once.
            let refusals = stack.refusalsOfMotion
            kill(companion, SIGKILL)
            #expect(await eventually { stack.companionProcess() == nil })
            let rested = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
            let milliseconds = Int((rested.restedAt - rested.setpointAt) * 1000)
            watch.settle()
            let last = SchedulingWatch.instant(wallSeconds: rested.setpointAt)
            let end = SchedulingWatch.instant(wallSeconds: rested.restedAt)
            let account = watch.account(from: last, to: end)
            print("companion killed: at rest \(milliseconds) ms after the last setpoint; \(account)")
            // The tracker's half a second, and the braking from 1 m/s.
            #expect(milliseconds - Int(watch.longestWait(from: last, to: end) / 1_000_000) < 2000, "\(account)")
            // The link asks for a new session by itself, which starts a new companion; the stick is still pushed.
            #expect(
                await eventually(within: .seconds(60)) { link.quality.isConnected && stack.companionProcess() != nil })
            // What is steered comes, and moves nothing.
            #expect(await eventually { stack.refusalsOfMotion > refusals }, "\(stack.companionLog)")
            try await stack.expectStill(rested)
            steering.cancel()
            await steering.value
            try await flight.land()
            try await witness.sees("the vehicle landed") { $0.isLanded }
        }
    }

    @Test func `a ground that stops while steering: the companion makes the vehicle hover`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        let watch = try await stack.schedulingWatch()
        let ground = try await stack.launchSteering(["--vx", "1", "--for", "60s", "--link", "udp", "--quiet"]) {
            $0.speed > 0.7
        }
        let lapses = stack.leaseLapses
        ground.signal(SIGSTOP)
        let rested = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
        // The log comes a moment after what it tells of; the time in its line counts.
        #expect(await eventually { stack.leaseLapses > lapses }, "\(stack.companionLog)")
        try await stack.expectHover("ground stopped", rested, watch)
        // When the process goes on, it has lost command: what it sends moves nothing, and it says so and ends.
        ground.signal(SIGCONT)
        let status = try await ground.exit(within: .seconds(30))
        // A stop of more than a second counts as a lost link.
        #expect(status == 1 || status == 3, "\(ground.errors)")
        #expect(
            ["the lease expired without a fresh setpoint", "link loss", "no frames received from the vehicle"].contains
            {
                ground.errors.contains($0)
            },
            "\(ground.errors)")
        try await stack.expectStill(rested)
        #expect(try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet").status == 0)
        try await witness.sees("the vehicle landed") { $0.isLanded }
    }
}

extension FlightStack {
    /// Whether a program that the test has started, or one of its own, calls the hover service: telemetry has sessions, too.
    fileprivate static var isHoverCalled: Bool {
        ProcessHoldings.descendants().contains { process in
            let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            let line = String(decoding: words, as: UTF8.self)
            return line.contains("call") && line.contains("control_manager/hover")
        }
    }
}
