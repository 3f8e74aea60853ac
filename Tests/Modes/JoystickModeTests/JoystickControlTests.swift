import FlightControl
import JoystickMode
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@Suite("Control: states, desk and run")
struct JoystickControlTests {
    private let clock = FakeClock()
    static let reasons: [StopReason] = [
        .controlReleased, .hover, .leftScreen, .focusLost, .suspended, .terminalSilent, .stopKey,
        .frontEndStalled(.seconds(2)),
        .linkLost("gone"), .controllerDisconnected,
        .otherVehicle, .notFlying(.landing), .flownByRadio, .command(.land),
    ]

    @Test("every reason stops, and only a user leads back", arguments: reasons)
    func stops(_ reason: StopReason) {
        var machine = ControlMachine()
        #expect(machine.handle(.ready) == nil)
        #expect(machine.state == .released(nil))
        #expect(machine.handle(.take) == nil)
        #expect(machine.handle(.ready) == .begin)
        #expect(machine.handle(.stop(reason)) == .end(reason))
        // A second reason changes nothing, nor does asking for control before hover is answered.
        #expect(machine.handle(.stop(.hover)) == nil)
        #expect(machine.handle(.take) == nil)
        #expect(machine.state == .stopping(reason))
        #expect(machine.handle(.ended(.accepted(.milliseconds(1)))) == nil)
        let ended = ControlState.Ended(reason, .accepted(.milliseconds(1)))
        #expect(machine.state == .released(ended))
        #expect(machine.handle(.ready) == nil)
        #expect(machine.state == .released(ended))
    }

    @Test("who waits and stops was never engaged")
    func waiting() {
        var machine = ControlMachine()
        _ = machine.handle(.take)
        #expect(machine.isActive)
        #expect(machine.handle(.stop(.focusLost)) == nil)
        #expect(machine.state == .released(.init(.focusLost, .notEngaged)))
        #expect(!machine.isActive)
    }

    @Test("hover follows every stop but those where the vehicle does something else", arguments: reasons)
    func hovers(_ reason: StopReason) {
        switch reason {
        case .notFlying, .flownByRadio, .stopKey, .command(.land): #expect(!reason.stopsVehicle)
        default: #expect(reason.stopsVehicle)
        }
    }

    @Test("that somebody else has control authority is no reason of now once that is over")
    func over() {
        func status(_ pilot: String?, isYou: Bool = false) -> ControlStatus {
            ControlStatus(pilot: pilot.map { .init(name: $0, since: clock.now, isYou: isYou) })
        }
        let other = StopReason.authorityLost("anna@laptop has had control authority for 1 s")
        #expect(!other.isOver(knowing: nil) && !other.isOver(knowing: status("anna@laptop")))
        #expect(other.isOver(knowing: status(nil)) && other.isOver(knowing: status("bob", isYou: true)))
        let nobody = StopReason.authorityLost("no pilot has control authority: the lease expired")
        #expect(!nobody.isOver(knowing: status(nil)) && nobody.isOver(knowing: status("bob", isYou: true)))
        #expect(!StopReason.hover.isOver(knowing: status("bob", isYou: true)))
    }

    private func desk(_ keys: HeldKeys, frame: VelocitySetpoint.Frame = .body) -> SetpointGenerator {
        SetpointGenerator(source: keys, shaping: StickShaping(), frame: frame, clock: clock, now: clock.now)
    }

    @Test("a key takes from the read of its bytes to the first setpoint with it")
    func keyDelays() throws {
        let desk = desk(HeldKeys())
        let readAt = clock.now
        clock.advance(by: .milliseconds(2))
        desk.set(forward, readAt: readAt)
        // A second key before that setpoint changes the same one.
        clock.advance(by: .milliseconds(1))
        desk.set(HeldKeys(), readAt: clock.now)
        clock.advance(by: .milliseconds(4))
        _ = try #require(desk.setpoint(at: clock.now))
        clock.advance(by: .milliseconds(10))
        // A repetition changes none.
        desk.set(HeldKeys())
        _ = try #require(desk.setpoint(at: clock.now))
        #expect(desk.takeKeyDelays() == [.milliseconds(7)] && desk.takeKeyDelays().isEmpty)
        for _ in 0..<100 {
            desk.set(forward, readAt: clock.now)
            desk.beat(at: clock.now)
            _ = desk.setpoint(at: clock.now)
        }
        #expect(desk.takeKeyDelays().count == 32)
    }

    @Test("of the newest keys the middle one and the longest are known")
    func newestKeys() {
        var delays = KeyDelays()
        #expect(delays.median == nil && delays.longest == nil)
        delays.add([.milliseconds(90), .milliseconds(3), .milliseconds(5)])
        #expect(delays.median == .milliseconds(5) && delays.longest == .milliseconds(90) && delays.count == 3)
        delays.add(Array(repeating: .milliseconds(4), count: KeyDelays.kept))
        #expect(delays.longest == .milliseconds(4) && delays.count == KeyDelays.kept + 3)
    }

    private var forward: HeldKeys {
        var keys = HeldKeys()
        keys.press(StickKey("w", .forward))
        return keys
    }

    @Test("speed grows with the acceleration, and the setpoint is of its instant")
    func growing() throws {
        let desk = desk(forward)
        let first = try #require(desk.setpoint(at: clock.now))
        #expect(first.isNeutral)
        clock.advance(by: .milliseconds(10))
        let second = try #require(desk.setpoint(at: clock.now))
        #expect(abs(second.velocityMetresPerSecond.x - 0.02) < 1e-9)
        #expect(second.intendedAt == clock.now)
        #expect(second.frame == .body)
    }

    @Test("without a beat setpoints are neutral after 300 ms, and end after a second")
    func staleBeat() throws {
        let desk = desk(forward)
        for _ in 0..<30 {
            clock.advance(by: .milliseconds(10))
            let setpoint = try #require(desk.setpoint(at: clock.now))
            #expect(setpoint.velocityMetresPerSecond.x >= 0)
        }
        #expect(desk.output.motion != .none)
        clock.advance(by: .milliseconds(1))
        #expect(try #require(desk.setpoint(at: clock.now)).isNeutral)
        // The screen comes back: the stick that was held moves nothing before it was centred, and then it begins from rest.
        #expect(desk.output.mustCentre)
        desk.beat(at: clock.now)
        clock.advance(by: .milliseconds(10))
        #expect(try #require(desk.setpoint(at: clock.now)).isNeutral)
        clock.advance(by: .milliseconds(100))
        #expect(try #require(desk.setpoint(at: clock.now)).isNeutral)
        desk.set(HeldKeys())
        clock.advance(by: .milliseconds(10))
        #expect(try #require(desk.setpoint(at: clock.now)).isNeutral)
        #expect(!desk.output.mustCentre)
        desk.set(forward)
        clock.advance(by: .milliseconds(10))
        #expect(abs(try #require(desk.setpoint(at: clock.now)).velocityMetresPerSecond.x - 0.02) < 1e-9)
        clock.advance(by: .milliseconds(870))
        #expect(try #require(desk.setpoint(at: clock.now)).isNeutral)
        clock.advance(by: .milliseconds(1))
        #expect(desk.setpoint(at: clock.now) == nil)
        desk.beat(at: clock.now)
        #expect(desk.setpoint(at: clock.now) == nil)
        #expect(desk.ending == .frontEndStalled(.milliseconds(1001)))
    }

    @Test("other axes wait until the vehicle is asked to stand")
    func frames() throws {
        let desk = desk(forward)
        for _ in 0..<20 {
            clock.advance(by: .milliseconds(10))
            desk.beat(at: clock.now)
            _ = desk.setpoint(at: clock.now)
        }
        desk.set(VelocitySetpoint.Frame.world)
        var setpoints: [VelocitySetpoint] = []
        for _ in 0..<30 {
            clock.advance(by: .milliseconds(10))
            desk.beat(at: clock.now)
            setpoints.append(try #require(desk.setpoint(at: clock.now)))
        }
        let change = try #require(setpoints.firstIndex { $0.frame == .world })
        #expect(change > 0)
        #expect(setpoints[change - 1].isNeutral)
        #expect(setpoints[..<change].allSatisfy { $0.frame == .body })
        #expect(try #require(setpoints.last).velocityMetresPerSecond.x > 0)
    }

    @Test("a desk that ended gives nothing more, and keeps its first reason")
    func ending() {
        let desk = desk(forward)
        desk.end(.focusLost)
        desk.end(.hover)
        #expect(desk.setpoint(at: clock.now) == nil)
        #expect(desk.ending == .focusLost)
    }

    @Test("a ramp begins when setpoints reach the vehicle: what was held back does not come at once")
    func rampBeginsAtTheVehicle() async throws {
        let link = GatedLink(clock: clock)
        let start = clock.now
        link.take(after: .milliseconds(800))
        let desk = desk(forward)
        let run = try SteeringRun(
            link: link, desk: desk, rateHertz: 100, clock: clock,
            listener: .init(stopped: { _ in }, ended: { _, _ in }))
        for _ in 0..<100 {
            desk.beat(at: clock.now)
            await clock.run(for: .milliseconds(10))
        }
        run.stop(.leftScreen)
        await clock.run(for: .milliseconds(200))
        let moved = link.setpoints.filter { !$0.isNeutral }
        let first = try #require(moved.first)
        #expect(first.intendedAt >= start + .milliseconds(800))
        // 2 m/s² for 10 ms.
        #expect(first.velocityMetresPerSecond.x < 0.05, "\(first)")
        #expect(try #require(moved.last).velocityMetresPerSecond.x > 0.2)
    }

    @Test("a run whose owner goes ends, and hovers once")
    func ownerGoes() async throws {
        let link = FakeLink(.flying, clock: clock)
        try await link.connect(within: .seconds(1))
        let ending = Mutex<(StopReason, StopOutcome)?>(nil)
        do {
            let run = try SteeringRun(
                link: link, desk: desk(forward), rateHertz: 100, clock: clock,
                listener: .init(
                    stopped: { _ in }, ended: { reason, hover in ending.withLock { $0 = (reason, hover) } }))
            await clock.run(for: .milliseconds(100))
            withExtendedLifetime(run) {}
        }
        #expect(await clock.run(within: .seconds(1)) { ending.withLock { $0 != nil } })
        let ended = try #require(ending.withLock { $0 })
        #expect(ended.0 == .leftScreen)
        if case .accepted = ended.1 {} else { Issue.record("\(ended.1)") }
        #expect(link.commands == [.hover])
        guard case .command(.hover)? = link.asked.last else {
            Issue.record("a setpoint followed the hover")
            return
        }
        await link.close()
    }

    @Test(
        "command is given back once, whatever ends the run; hover goes out where a user asks for it, and nothing else",
        arguments: [StopReason.leftScreen, .hover, .notFlying(.landing), .stopKey])
    func givesBackOnce(_ reason: StopReason) async throws {
        let link = GatedLink(clock: clock)
        link.take(after: .zero)
        let outcome = Mutex<StopOutcome?>(nil)
        let run = try SteeringRun(
            link: link, desk: desk(forward), rateHertz: 100, clock: clock,
            listener: .init(stopped: { _ in }, ended: { _, end in outcome.withLock { $0 = end } }))
        await clock.run(for: .milliseconds(100))
        run.stop(reason)
        #expect(await clock.run(within: .seconds(1)) { outcome.withLock { $0 != nil } })
        #expect(link.wishes.filter { $0 == .release(reason: reason.words) }.count == 1)
        #expect(link.wishes.last == .release(reason: reason.words))
        #expect(link.commands == (reason == .hover ? [.hover] : []))
        switch (reason, try #require(outcome.withLock { $0 })) {
        case (.hover, .accepted), (.leftScreen, .braked), (.notFlying, .notStopped), (.stopKey, .notStopped): break
        case (_, let other): Issue.record("\(other)")
        }
    }

    @Test("a link that fails ends the run with its reason")
    func linkFails() async throws {
        let link = FakeLink(.flying, clock: clock)
        let ending = Mutex<(StopReason, StopOutcome)?>(nil)
        let run = try SteeringRun(
            link: link, desk: desk(forward), rateHertz: 100, clock: clock,
            listener: .init(
                stopped: { _ in }, ended: { reason, hover in ending.withLock { $0 = (reason, hover) } }))
        #expect(await clock.run(within: .seconds(1)) { ending.withLock { $0 != nil } })
        let ended = try #require(ending.withLock { $0 })
        #expect(ended.0 == .linkLost("the link is not connected"))
        #expect(ended.1 == .unanswered("the link is not connected"))
        withExtendedLifetime(run) {}
    }
}
