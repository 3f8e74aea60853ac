import Companion
import ChannelProtocol
import Testing
import UAVLink
import UAVTestKit

/// Several pilots, and their commands.
extension CompanionTests {
    @Test func `one session flies; the other is notified who does, and its goto is refused`() async {
        take()
        #expect(steer(0) == .applied)
        let other = SessionID(2)
        #expect(steer(0, by: other) == .refused)
        #expect(companion.steeringSession == session)
        let reply = ask(.take(name: "ben"), from: other)
        #expect(!reply.accepted)
        #expect(reply.message.contains("anna has had control authority for 0 s"))
        let goto = Command.goTo(.init(.relative, position: .zero, headingRadians: 0))
        let refused = await companion.perform(goto, from: other)
        #expect((try? refused.get())?.accepted == false)
        #expect(backend.commands.isEmpty)
        #expect(companion.controlStatus(for: other)?.pilot?.name == "anna")
        #expect(companion.controlStatus(for: other)?.isYours == false)
        #expect(companion.controlStatus(for: session)?.isYours == true)
        #expect(lines.all.contains { $0.contains("it does not have control authority") })
    }

    @Test func `a take-over stops the vehicle, and both are notified`() {
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        let before = companion.controlRevision
        let other = SessionID(2)
        #expect(ask(.takeOver(name: "ben", reason: "a tree"), from: other).accepted)
        #expect(companion.controlRevision != before)
        _ = companion.tick(now: clock.now)
        #expect(speeds == [0, 1, 0])
        #expect(companion.controlStatus(for: session)?.lastEndReason == "taken over by ben: a tree")
        #expect(companion.controlStatus(for: other)?.isYours == true)
        #expect(steer(0) == .refused)
    }

    @Test func `two sessions with the same name are told apart by a number, which each keeps`() {
        let (other, third) = (SessionID(2), SessionID(3))
        take()
        #expect(companion.controlStatus(for: other)?.pilot?.name == "anna")
        take(other, "anna", by: "a tree")
        #expect(companion.controlStatus(for: session)?.pilot?.name == "anna #2")
        #expect(companion.controlStatus(for: session)?.lastEndReason == "taken over by anna #2: a tree")
        take(third, "anna", by: "another tree")
        #expect(companion.pilotName == "anna #3")
        take(session, "anna", by: "mine")
        #expect(companion.pilotName == "anna")
        #expect(ask(.take(name: "anna"), from: other).message.hasPrefix("anna has had control authority"))
        take(other, "anna", by: "back")
        #expect(companion.pilotName == "anna #2")
        // Its number is free when it is gone.
        companion.sessionClosed(other)
        take(SessionID(4), "anna")
        #expect(companion.pilotName == "anna #2")
    }

    @Test func `a session that is not heard does not block its name: the program may have another one`() {
        let other = SessionID(2)
        take()
        companion.sessionLinkLost(session)
        take(other)
        #expect(companion.pilotName == "anna")
        // Both are heard now: the one that requests it later gets a number.
        companion.sessionLinkRestored(session)
        take(session, "anna", by: "a tree")
        #expect(companion.pilotName == "anna #2")
    }

    @Test func `a name with a number is not longer than a name may be`() throws {
        let name = String(repeating: "ä", count: 32)
        take(session, name)
        take(SessionID(2), name, by: "a tree")
        let shown = try #require(companion.pilotName)
        #expect(shown == String(repeating: "ä", count: 30) + " #2")
        try ControlAuthorityRequest.take(name: shown).validate()
    }

    @Test func `a session without control authority releases nothing, and is notified who has it`() {
        let other = SessionID(2)
        let unheld = ask(.release(reason: "lunch"), from: other)
        #expect(unheld == CommandReply(accepted: false, message: "you do not have control authority, no pilot has it"))
        take()
        let annas = ask(.release(reason: "lunch"), from: other)
        #expect(annas == CommandReply(accepted: false, message: "you do not have control authority, anna has it"))
        #expect(companion.pilotName == "anna")
        #expect(!lines.all.contains { $0.contains("releases control authority") }, "\(lines.all)")
        #expect(
            ask(.release(reason: "lunch"), from: session)
                == CommandReply(accepted: true, message: "control authority released"))
        #expect(
            lines.all.contains { $0.contains("session \(session): releases control authority: lunch") }, "\(lines.all)")
        // And how command ended, where that was reported meanwhile.
        #expect(
            ask(.release(reason: "lunch"), from: session).message.hasPrefix(
                "you do not have control authority, no pilot has it: "))
    }

    @Test func `a stop by a ground without a name is reported in words, and logged with its session`() async {
        take()
        #expect(steer(0) == .applied)
        let other = SessionID(2)
        _ = await companion.perform(.hover, from: other)
        #expect(companion.controlStatus(for: session)?.lastEndReason == "another ground commanded hover")
        #expect(lines.all.contains { $0.contains("session \(other): hover") }, "\(lines.all)")
        // One that has said who it is, is named.
        take(other, "ben")
        take(session, "anna", by: "a tree")
        _ = await companion.perform(.hover, from: other)
        #expect(companion.controlStatus(for: session)?.lastEndReason == "ben commanded hover")
    }

    /// Five seconds of two joysticks.
    @Test func `two that both steer are reported once each, and then counted`() {
        let other = SessionID(2)
        take()
        for step in 0..<500 {
            #expect(steer(0) == .applied)
            #expect(steer(0.5, by: other) == .refused)
            // The one who steers stumbles now and then.
            if step % 100 == 99 {
                clock.advance(by: .milliseconds(250))
                _ = companion.tick(now: clock.now)
                #expect(steer(1) == .refused)
            }
            clock.advance(by: .milliseconds(10))
        }
        let logged = lines.all.filter { $0.contains("session") && !$0.contains("braking") }
        #expect(logged.count { $0.contains("it does not have control authority") } == 1, "\(logged)")
        #expect(logged.count { $0.hasSuffix("steers") && $0.contains("session \(session) steers") } <= 2, "\(logged)")
        #expect(logged.count < 8, "\(logged)")
    }

    @Test(arguments: [
        Command.hover, .emergencyHover, .land, .goTo(.init(.relative, position: .zero, headingRadians: 0)),
    ])
    func `a command that takes over suspends steering when it begins, however long its answer takes`(
        command: Command
    ) async throws {
        for step in [Command.arm(true), .enableOutput(true), .offboard, .takeoff] {
            _ = try await backend.perform(step, within: .seconds(1))
        }
        #expect(await clock.run { backend.vehicle.state == .flying })
        backend.always(.delay(.milliseconds(350)))
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        let answer = Task { await companion.perform(command, from: session) }
        await settle()
        for _ in 0..<35 {
            #expect(steer(1) == .refused)
            #expect(steer(0) == .refused)
            _ = companion.tick(now: clock.now)
            await clock.run(for: .milliseconds(10))
        }
        #expect(try await answer.value.get().accepted)
        pass(.seconds(1))
        #expect(speeds == [0, 1])
        #expect(backend.commands.last == command)
        #expect(companion.counts.lapses == 0)
    }

    @Test func `a stop that cannot be delivered is followed by the brake`() async {
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        backend.always(.fail(LinkError(.rosMasterUnreachable, "gone")))
        let result = await companion.perform(.hover, from: session)
        #expect(throws: LinkError.self) { try result.get() }
        #expect(steer(1) == .refused)
        _ = companion.tick(now: clock.now)
        #expect(speeds == [0, 1, 0])
    }

    @Test func `a refused goto leaves the pilot in command, who begins neutral`() async {
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        backend.always(.reply(CommandReply(accepted: false, message: "outside")))
        _ = await companion.perform(.goTo(.init(.relative, position: .zero, headingRadians: 0)), from: session)
        _ = companion.tick(now: clock.now)
        #expect(speeds == [0, 1, 0])
        #expect(steer(1) == .refused)
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
    }

    /// With the sticks in the middle too: a hover would end the landing.
    @Test(arguments: [0.0, 1])
    func `a landing that another pilot began is left alone when setpoints stop`(speed: Double) async {
        take()
        #expect(steer(0) == .applied)
        #expect(steer(speed) == .applied)
        let run = Task { await companion.run { _ in } }
        await settle()
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: .landing, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
            at: clock.now)
        backend.publish(telemetry)
        #expect(await becomesTrue { companion.steeringSession == nil })
        #expect(steer(0) == .refused)
        pass(.seconds(2))
        #expect(speeds == [0, speed])
        #expect(backend.commands.isEmpty)
        run.cancel()
        await run.value
    }
}
