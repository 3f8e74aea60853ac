import Testing
import UAVLink

@testable import Tello

/// What the drone is doing, derived from what was commanded and whether its motors run.
@Suite("Tello flight") struct TelloFlightTests {
    @Test func `it is not known what it does until its motors show it`() {
        var bench = ClientBench()
        _ = bench.open()
        bench.hear("ok")
        bench.hear("20")
        bench.state = ClientBench.standing
        bench.pass(.milliseconds(200))
        #expect(bench.telemetry?.flight?.value.state == .unknown)
        bench.pass(.seconds(2))
        #expect(bench.telemetry?.flight?.value.state == .disarmed)
    }

    @Test func `a drone that flies already is seen flying`() {
        var bench = ClientBench()
        _ = bench.open()
        bench.hear("ok")
        bench.hear("20")
        bench.state = "tof:120;h:110;bat:50;"
        bench.motorsRun = true
        bench.pass(.seconds(2))
        #expect(bench.telemetry?.flight?.value.state == .flying && bench.client.mode == .manual)
    }

    @Test func `a take-off is accepted when the motors start, and over when it is answered`() {
        var bench = ClientBench.open()
        let call = bench.perform(.takeoff)
        #expect(bench.telemetry?.flight?.value.state == .takingOff)
        bench.pass(.milliseconds(300))
        #expect(bench.answers[call] == nil)
        bench.motorsRun = true
        bench.pass(.seconds(2))
        #expect(bench.reply(call)?.accepted == true)
        #expect(bench.telemetry?.flight?.value.state == .takingOff && bench.client.mode == .manual)
        bench.hear("ok")
        #expect(bench.telemetry?.flight?.value.state == .flying)
    }

    @Test func `a refused take-off leaves it on the ground`() {
        var bench = ClientBench.open()
        let call = bench.perform(.takeoff)
        bench.hear("error")
        #expect(bench.reply(call)?.accepted == false)
        #expect(bench.telemetry?.flight?.value.state == .disarmed && bench.client.mode == .command)
    }

    @Test func `a take-off that was dropped silently is over when no motor starts`() {
        var bench = ClientBench.open()
        let call = bench.perform(.takeoff)
        bench.pass(.seconds(6))
        #expect(bench.error(call)?.code == .timedOut)
        #expect(bench.telemetry?.flight?.value.state == .disarmed)
        bench.pass(.seconds(2))
        bench.forget()
        _ = bench.perform(.takeoff)
        #expect(bench.orders == ["takeoff"])
    }

    @Test func `a landing is accepted when it comes down, and over when its motors stop, answered or not`() {
        var bench = ClientBench.flying()
        let call = bench.perform(.land)
        #expect(bench.telemetry?.flight?.value.state == .landing)
        bench.state = "tof:40;h:30;bat:80;vgx:0;vgy:0;vgz:4;"
        bench.pass(.milliseconds(200))
        #expect(bench.reply(call)?.accepted == true)
        bench.state = ClientBench.standing
        bench.motorsRun = false
        bench.pass(.seconds(3))
        #expect(bench.telemetry?.flight?.value.state == .disarmed && bench.client.mode == .command)
        // A further take-off is not held up by the answer that never came.
        bench.forget()
        _ = bench.perform(.takeoff)
        #expect(bench.orders == ["takeoff"])
    }

    @Test func `a drone that lands by itself is seen on the ground`() {
        var bench = ClientBench.flying()
        bench.motorsRun = false
        bench.pass(.seconds(2))
        #expect(bench.telemetry?.flight?.value.state == .disarmed && bench.client.mode == .command)
    }

    @Test func `a drone that was switched off and on begins anew`() {
        var flight = TelloFlight()
        let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
        func state(_ seconds: Int) -> TelloState {
            var state = TelloState()
            state.motorSeconds = seconds
            return state
        }
        flight.take(state(500), at: start)
        flight.take(state(501), at: start + .milliseconds(900))
        #expect(flight.state == .flying)
        flight.take(state(0), at: start + .seconds(20))
        flight.take(state(0), at: start + .seconds(22))
        #expect(flight.state == .disarmed)
    }
}
