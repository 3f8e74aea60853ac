import Testing
import UAVLink

@testable import Tello

/// A flight plan at the client: who may command the drone meanwhile, and what ends it.
@Suite("Tello plans") struct TelloPlanTests {
    private typealias Bench = ClientBench

    /// A drone that was taken off by a plan.
    private func flying() throws -> (bench: ClientBench, plan: UInt64) {
        var bench = Bench.open()
        let plan = try bench.beginPlan()
        _ = bench.send(.takeoff, ofPlan: plan)
        bench.motorsRun = true
        bench.state = "tof:80;h:70;bat:87;vgx:0;vgy:0;vgz:0;"
        bench.pass(.seconds(4))
        bench.hear("ok")
        bench.pass(.seconds(1))
        bench.forget()
        return (bench, plan)
    }

    @Test func `a plan is flown in the state autoPilot from its beginning to its end`() throws {
        var bench = Bench.open()
        #expect(bench.client.mode == .command)
        let plan = try bench.beginPlan()
        #expect(bench.client.mode == .autoPilot)
        let takeOff = bench.send(.takeoff, ofPlan: plan)
        bench.motorsRun = true
        bench.state = "tof:80;h:70;bat:87;vgx:0;vgy:0;vgz:0;"
        bench.pass(.seconds(3))
        #expect(bench.client.mode == .autoPilot)
        #expect(bench.reply(takeOff) == nil, "a step is answered when it has ended, not when the motors run")
        bench.hear("ok")
        #expect(bench.reply(takeOff)?.accepted == true)
        bench.client.endPlan(plan, now: bench.now)
        #expect(bench.client.mode == .manual)
        bench.client.endPlan(plan, now: bench.now)
        #expect(bench.client.mode == .manual)
    }

    @Test func `moves and sticks of others are refused while it is flown`() throws {
        var (bench, _) = try flying()
        let move = bench.perform(.ahead(1))
        #expect(bench.reply(move)?.accepted == false)
        #expect(bench.reply(move)?.message.contains("a flight plan is flown") == true)
        let isSteered = [bench.steer(0), bench.steer(1)]
        #expect(isSteered == [false, false])
        bench.pass(.milliseconds(200))
        #expect(bench.orders == [])
    }

    @Test(arguments: [Command.hover, .land, .emergencyLand])
    func `what stops or lands ends it at once, and a step that comes later is not sent`(_ stop: Command) throws {
        var (bench, plan) = try flying()
        _ = bench.perform(stop)
        bench.forget()
        let step = bench.send(.move(.forward, centimetres: 100), ofPlan: plan)
        #expect(bench.error(step)?.code == .notInCommand)
        #expect(bench.orders == [])
        #expect(bench.client.plan == nil)
    }

    @Test func `stop as a step does not end it`() throws {
        var (bench, plan) = try flying()
        _ = bench.send(.stop, ofPlan: plan)
        #expect(bench.orders == ["stop"])
        bench.hear("ok")
        bench.pass(.seconds(2))
        #expect(bench.client.isReadyForStep)
        _ = bench.send(.turn(clockwise: true, degrees: 90), ofPlan: plan)
        #expect(bench.orders.last == "cw 90")
    }

    @Test func `it begins on the ground, and one at a time`() throws {
        var bench = Bench.flying()
        let airborne = #expect(throws: LinkError.self) { try bench.beginPlan() }
        #expect(airborne?.code == .notInCommand && airborne?.what.contains("in the air") == true)
        bench = Bench.open()
        _ = try bench.beginPlan()
        #expect(throws: LinkError.self) { try bench.beginPlan() }
        bench = Bench()
        let closed = #expect(throws: LinkError.self) { try bench.beginPlan() }
        #expect(closed?.code == .notConnected)
    }

    @Test func `while a plan is edited a drone on the ground does not take off, and its flight begins in autoPilot`()
        throws
    {
        var bench = Bench.open()
        bench.client.editPlan(true, now: bench.now)
        #expect(bench.client.mode == .planning)
        let takeOff = bench.perform(.takeoff)
        #expect(bench.reply(takeOff)?.message == "a flight plan is edited")
        bench.pass(.seconds(1))
        #expect(bench.client.mode == .planning && bench.orders == [])
        _ = try bench.beginPlan()
        #expect(bench.client.mode == .autoPilot)
        // Nothing is edited any more.
        bench.client.editPlan(false, now: bench.now)
        #expect(bench.client.mode == .autoPilot)
    }

    @Test func `a plan that is not edited any more leaves the drone where it is: heard, lost or in the air`() {
        var bench = Bench.open()
        bench.client.editPlan(true, now: bench.now)
        bench.client.editPlan(false, now: bench.now)
        #expect(bench.client.mode == .command)
        // It is silent from now on.
        bench.client.editPlan(true, now: bench.now)
        bench.state = nil
        bench.pass(.seconds(5))
        #expect(bench.client.mode == .planning)
        bench.client.editPlan(false, now: bench.now)
        #expect(bench.client.mode == .disconnected)
        bench = .flying()
        bench.client.editPlan(true, now: bench.now)
        #expect(bench.client.mode == .manual)
    }

    @Test func `a setting is sent on the ground, a move is not`() {
        var bench = Bench.open()
        let speed = bench.send(.speed(50))
        bench.hear("ok")
        #expect(bench.reply(speed)?.accepted == true)
        let flip = bench.send(.flip(.left))
        #expect(bench.reply(flip)?.message == "the Tello stands on the ground")
        let wrong = bench.send(.speed(500))
        #expect(bench.error(wrong)?.code == .invalidInput)
        #expect(bench.orders == ["speed 50"])
    }

    @Test func `a ground without the drone's state only stops and lands it, and does not keep it awake`() {
        var bench = Bench()
        bench.client.restrictToStops(because: "cannot receive on UDP port 8890", now: bench.now)
        let opening = bench.open()
        bench.hear("ok")
        bench.pass(until: "sdk?")
        bench.hear("20")
        #expect(bench.openings[opening] == .some(nil))
        bench.forget()
        let move = bench.perform(.ahead(1))
        #expect(bench.error(move)?.code == .notInCommand)
        let isSteered = bench.steer(0)
        #expect(!isSteered)
        bench.pass(.seconds(30))
        #expect(bench.sent == [])
        let hover = bench.perform(.hover)
        #expect(bench.orders.first == "stop")
        bench.hear("ok")
        #expect(bench.reply(hover)?.accepted == true)
        bench.pass(.seconds(1))
        bench.forget()
        let landing = bench.perform(.land)
        #expect(bench.orders == ["stop"], "the other ground's move would make the drone refuse it")
        bench.hear("ok")
        #expect(bench.orders == ["stop", "land"])
        bench.hear("ok")
        #expect(bench.reply(landing)?.accepted == true)
        // Without an answer to the stop it does not wait.
        bench.pass(.seconds(3))
        bench.forget()
        _ = bench.perform(.land)
        bench.pass(.milliseconds(600))
        #expect(bench.orders.last == "land")
        #expect(throws: LinkError.self) { try bench.beginPlan() }
    }
}
