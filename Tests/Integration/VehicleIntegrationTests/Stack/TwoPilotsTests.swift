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

/// Two who want to fly the same vehicle, seen through the program, with a companion of its own process.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct TwoPilotsTests {
    @Test func `one flies; the other is refused, moves nothing, may always stop, and may take over`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        // On a busy machine a pause can outlast her lease while others ask: then all of it is asked again.
        try await unlessLapsed { try await othersAskWhileOneFlies(stack, witness) }
        try await unlessLapsed { try await anotherTakesOver(stack, witness) }
        try await unlessLapsed { try await anotherLands(stack, witness) }
    }

    /// One who steers in the air.
    private func pilot(_ stack: FlightStack, _ velocity: String) async throws -> ChildProcess {
        try await stack.launchSteering(["--vx", velocity, "--for", "60s", "--link", "udp", "--quiet"]) {
            $0.speed > 0.4
        }
    }

    private func othersAskWhileOneFlies(_ stack: FlightStack, _ witness: FlightWitness) async throws {
        let anna = try await pilot(stack, "0.6")
        let seen = try await stack.uavlink("control", "--link", "tcp", "--json")
        if !seen.output.contains("\"steering\": true") { _ = await eventually { anna.exitStatus != nil } }
        try expectNoLapse(of: anna)
        #expect(seen.status == 0 && seen.output.contains("\"steering\": true"), "\(seen)")
        #expect(seen.output.contains("\"yours\": false"), "\(seen)")
        for refused in [["goto", "0", "0", "3"], ["steer", "--vy", "1", "--for", "1s"], ["control", "--take"]] {
            let ben = try stack.launch(refused + ["--link", "udp", "--quiet"])
            _ = await eventually(within: .seconds(60)) { ben.exitStatus != nil || anna.exitStatus != nil }
            let words = "has had control authority for"
            // Where her steering has lapsed, he is refused no more, and may be notified before her program has ended.
            if ben.exitStatus != 1 || !ben.errors.contains(words) { _ = await eventually { anna.exitStatus != nil } }
            if anna.exitStatus != nil { await ben.stop() }
            try expectNoLapse(of: anna)
            #expect(try await ben.exit(within: .seconds(60)) == 1, "\(refused): \(ben.errors)")
            #expect(ben.errors.contains(words), "\(refused): \(ben.errors)")
        }
        // And she flies on, as if no other had asked.
        let fliesOn = try await eventually {
            if anna.exitStatus != nil { return true }
            return try await witness.account().speed > 0.4
        }
        try expectNoLapse(of: anna)
        #expect(fliesOn && anna.exitStatus == nil, "\(anna.errors)")

        // A stop is accepted from every pilot.
        #expect(try await stack.uavlink("hover", "--link", "udp", "--quiet").status == 0)
        let status = try await anna.exit(within: .seconds(30))
        try expectNoLapse(of: anna)
        #expect(status == 1, "\(anna.errors)")
        #expect(anna.errors.contains("commanded hover"), "\(anna.errors)")
        try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
    }

    /// With a reason: the vehicle is braked, and she cannot go on.
    private func anotherTakesOver(_ stack: FlightStack, _ witness: FlightWitness) async throws {
        let anna = try await pilot(stack, "-0.6")
        let ben = try stack.launch(["control", "--take", "--reason", "a tree", "--link", "tcp"])
        let status = try await anna.exit(within: .seconds(30))
        do { try expectNoLapse(of: anna) } catch {
            await ben.stop()
            throw error
        }
        #expect(status == 1, "\(anna.errors)")
        #expect(anna.errors.contains("taken over by") && anna.errors.contains("a tree"), "\(anna.errors)")
        let rested = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
        #expect(rested.brakeMilliseconds != nil, "no neutral setpoint came")
        try await ben.line(containing: "you have had control authority")
        let refused = try await stack.uavlink("goto", "0", "0", "3", "--link", "udp", "--quiet")
        #expect(refused.status == 1 && refused.errors.contains("has had control authority for"), "\(refused)")
        // Until he releases it.
        ben.signal(SIGINT)
        #expect(try await ben.exit(within: .seconds(20)) == 130, "\(ben.errors)")
        let free = try await stack.uavlink("control", "--link", "udp", "--json")
        #expect(free.output.contains("\"pilot\": null"), "\(free)")
    }

    /// A landing by another ends her steering, and goes on to the ground.
    private func anotherLands(_ stack: FlightStack, _ witness: FlightWitness) async throws {
        if try await witness.account().isLanded {
            #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        }
        let anna = try await pilot(stack, "0.6")
        let begun = FlightTrack.now
        #expect(try await stack.uavlink("land", "--wait", "--link", "tcp", "--quiet").status == 0)
        let status = try await anna.exit(within: .seconds(30))
        try await witness.sees("the vehicle landed") { $0.isLanded }
        try expectNoLapse(of: anna)
        #expect(status == 1, "\(anna.errors)")
        #expect(anna.errors.contains("commanded land"), "\(anna.errors)")
        let track = try await FlightTrack(witness, named: "landing-by-another-pilot").after(begun)
        #expect(track.greatestRise < 0.2, "it rose by \(track.greatestRise) m while it landed")
    }

    @Test func `a ground that goes on when its time is over leaves the landing alone that another has begun`()
        async throws
    {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        var stopped: ChildProcess?
        for _ in 0..<5 where stopped == nil {
            let begun = try await witness.account().toldAt
            let pilot = try stack.launch(["steer", "--vx", "0.5", "--for", "2s", "--link", "udp", "--quiet"])
            let isUnderWay = try await eventually {
                if pilot.exitStatus != nil { return true }
                let account = try await witness.account()
                return account.speed > 0.3 && account.setpointAt > begun
            }
            #expect(isUnderWay)
            pilot.signal(SIGSTOP)
            // Until her two seconds are over: what she would do then is her end. On a busy machine it may have come before.
            try await Task.sleep(for: .seconds(2))
            if pilot.exitStatus == nil { stopped = pilot }
        }
        let anna = try #require(stopped, "each time she had ended before she was stopped")
        try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
        #expect(try await stack.uavlink("land", "--link", "tcp", "--quiet").status == 0)
        try await witness.sees("the landing") { $0.tracker == "LandoffTracker" }
        let before = stack.companionLog.components(separatedBy: "hover accepted").count
        anna.signal(SIGCONT)
        let status = try await anna.exit(within: .seconds(30))
        #expect(status == 1 || status == 3, "\(status) \(anna.errors)")
        try await witness.sees("the vehicle landed") { $0.isLanded }
        #expect(stack.companionLog.components(separatedBy: "hover accepted").count == before, "\(stack.companionLog)")
    }

    @Test(arguments: [false, true])
    func `who holds control authority sees that its companion is gone, since when, and what became of it`(isJSON: Bool)
        async throws
    {
        let stack = try await sharedStack()
        let holder = try stack.launch(
            ["control", "--take", "--link", "udp", "--quiet"] + (isJSON ? ["--json"] : []))
        try await holder.line(containing: isJSON ? "\"yours\": true" : "you have had control authority")
        let companion = try #require(stack.companionProcess())
        let killedAt = FlightTrack.now
        kill(companion, SIGKILL)
        let line = try await holder.line(ofErrorsContaining: "link loss: nothing received from the companion since ")
        // The status comes five times a second.
        let since = CompanionLogTime.seconds(String(line.split(separator: " since ").last ?? "").prefix { $0 != ";" })
        let lastHeard = try #require(since, "\(line)")
        #expect(lastHeard < killedAt + 1 && lastHeard > killedAt - 2, "\(lastHeard - killedAt) s; \(line)")
        if isJSON {
            let told = try await holder.line(containing: "\"link_lost\": true")
            #expect(told.contains("\"ok\": false") && told.contains("link loss"), "\(told)")
        }
        // The link asks for a new session, which starts another companion: there no pilot has control authority. Where that takes
        // longer than the timeout, there is no link.
        let status = try await holder.exit(within: .seconds(90))
        #expect(status == 1 || status == 3, "\(status) \(holder.errors)")
        #expect(!holder.errors.contains("received again"), "good news is no error: \(holder.errors)")
        if status == 1 {
            #expect(holder.errors.contains("control authority has ended"), "\(holder.errors)")
            let last = holder.output.split(separator: "\n").last ?? ""
            #expect(last.contains(isJSON ? "\"ok\": false" : "no pilot has control authority"), "\(holder.output)")
        }
        if status == 3 {
            #expect(holder.errors.contains("nothing received from the companion for"), "\(holder.errors)")
        }
    }

    @Test func `an emergency landing that rosservice begins while a pilot steers goes on to the ground`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        #expect(try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet").status == 0)
        let ground = try await stack.launchSteering(["--vx", "1", "--for", "60s", "--link", "udp", "--quiet"]) {
            $0.speed > 0.7
        }
        let call = try ChildProcess(
            ["/usr/bin/rosservice", "call", "/uav1/control_manager/eland"], environment: stack.rosEnvironment)
        #expect(try await call.exit(within: .seconds(30)) == 0, "\(call.errors)")
        #expect(call.output.contains("success: True"), "\(call.output)")
        let begun = FlightTrack.now
        try await witness.sees("the vehicle landed", within: .seconds(60)) { $0.isLanded }
        let track = try await FlightTrack(witness, named: "emergency-landing-by-others").after(begun)
        #expect(track.greatestRise < 0.2, "it rose by \(track.greatestRise) m while it landed")
        #expect(abs(track.lastHeight) < 0.5)
        #expect(try await ground.exit(within: .seconds(20)) == 1, "\(ground.errors)")
        #expect(ground.errors.contains("no pilot has control authority"), "\(ground.errors)")
        // Its flight stack refuses to switch the output on again.
        await stack.dismissWitness()
        await stack.stopSimulator()
        try await stack.startSimulator()
    }
}
