import Testing
import UAVLink

@testable import Tello

/// Stops and landings, which wait for nothing, and whose answers are easily mistaken.
@Suite("Tello stops") struct TelloStopTests {
    @Test func `a stop waits for nothing, and its answers belong to both`() {
        var bench = ClientBench.flying()
        let move = bench.perform(.ahead(5))
        let stop = bench.perform(.hover)
        #expect(bench.orders == ["go 500 0 0 50", "stop"])
        bench.hear("ok")
        #expect(bench.reply(stop)?.accepted == true && bench.answers[move] == nil)
        bench.hear("forced stop")
        #expect(bench.reply(move)?.message == "forced stop" && bench.reply(move)?.accepted == false)
    }

    @Test func `a stop is repeated until it is answered, a few times`() {
        var bench = ClientBench.flying()
        _ = bench.perform(.hover)
        bench.pass(.seconds(5))
        #expect(bench.orders == ["stop", "stop", "stop"])
        bench = .flying()
        _ = bench.perform(.hover)
        bench.hear("ok")
        bench.pass(.seconds(5))
        #expect(bench.orders == ["stop"])
    }

    @Test func `a stopped move whose answer is lost frees its place at once`() {
        var bench = ClientBench.flying()
        let move = bench.perform(.ahead(5))
        _ = bench.perform(.hover)
        bench.hear("ok")
        bench.pass(TelloTimes.stoppedMove + .milliseconds(20))
        #expect(bench.error(move)?.code == .timedOut)
        _ = bench.perform(.ahead(1))
        #expect(bench.orders == ["go 500 0 0 50", "stop", "go 100 0 0 50"])
    }

    @Test func `the first edition is stopped by neutral sticks, and a question shows that it hears`() {
        var bench = ClientBench.flying("unknown command: sdk?")
        let stop = bench.perform(.hover)
        #expect(bench.sent == ["rc 0 0 0 0", "rc 0 0 0 0", "rc 0 0 0 0", "battery?"])
        #expect(bench.answers[stop] == nil)
        bench.hear("80\r\n")
        #expect(bench.reply(stop)?.accepted == true)
    }

    @Test func `the motors are stopped at once, three times, without waiting for an answer`() {
        var bench = ClientBench.flying()
        let move = bench.perform(.ahead(5))
        let stop = bench.perform(.emergencyLand)
        #expect(bench.orders == ["go 500 0 0 50", "emergency"])
        #expect(bench.error(move)?.code == .timedOut)
        bench.motorsRun = false
        bench.pass(.seconds(1))
        #expect(bench.orders == ["go 500 0 0 50", "emergency", "emergency", "emergency"])
        bench.pass(.seconds(2))
        // By the state: it is often not answered.
        #expect(bench.reply(stop)?.accepted == true)
        #expect(bench.client.flight.state == .disarmed && bench.client.mode == .command)
    }

    // MARK: Landing

    @Test func `a landing during a move waits for its end, and half a second at most`() {
        var bench = ClientBench.flying()
        _ = bench.perform(.ahead(5))
        let landing = bench.perform(.land)
        #expect(bench.orders == ["go 500 0 0 50", "stop"])
        bench.hear("ok")
        bench.hear("forced stop")
        #expect(bench.orders == ["go 500 0 0 50", "stop", "land"])
        #expect(bench.answers[landing] == nil)
        bench.state = ClientBench.standing
        bench.pass(.milliseconds(100))
        bench.hear("ok")
        #expect(bench.reply(landing)?.accepted == true)
        #expect(bench.client.flight.state == .disarmed)

        bench = .flying()
        let move = bench.perform(.ahead(5))
        let other = bench.perform(.land)
        bench.pass(.milliseconds(520))
        #expect(bench.orders.last == "land")
        #expect(bench.error(move)?.code == .timedOut)
        // The answers that may still come, to the stop and its copies and to the move, are not the landing's.
        bench.hear("ok")
        #expect(bench.answers[other] == nil)
    }

    @Test func `the first edition is told to land at once, and again until it does`() {
        var bench = ClientBench.flying("unknown command: sdk?")
        let move = bench.perform(.ahead(5))
        let landing = bench.perform(.land)
        #expect(bench.orders == ["forward 500", "land"])
        #expect(bench.error(move)?.code == .timedOut)
        // It refuses that, as it does every command during a move, and answers the move seconds later: seen with the emulator, where
        // the move's answer was once taken for the landing's, and the drone for one that stands.
        bench.hear("error Not joystick")
        bench.pass(.seconds(4))
        bench.hear("ok")
        #expect(bench.answers[landing] == nil)
        #expect(bench.telemetry?.flight?.value.state == .landing)
        #expect(bench.orders.count { $0 == "land" } == 3)
        bench.state = "tof:40;h:30;bat:80;vgx:0;vgy:0;vgz:4;"
        bench.pass(.milliseconds(300))
        #expect(bench.reply(landing)?.accepted == true)
        bench.forget()
        bench.pass(.seconds(3))
        #expect(bench.orders.isEmpty)
    }

    @Test func `a landing on the ground is not repeated, and answered by the state where no answer counts`() {
        var bench = ClientBench.flying()
        _ = bench.perform(.land)
        (bench.state, bench.motorsRun) = (ClientBench.standing, false)
        bench.pass(.seconds(2))
        #expect(bench.client.flight.state == .disarmed)
        bench.forget()
        // The answer to the first one may still come.
        let again = bench.perform(.land)
        bench.hear("error Motor stop")
        bench.hear("error Motor stop")
        bench.pass(.seconds(5))
        #expect(bench.orders == ["land"])
        #expect(bench.reply(again)?.accepted == false)
    }

    @Test func `a late answer makes no landing of a drone that is in the air`() {
        var bench = ClientBench.flying()
        let landing = bench.perform(.land)
        bench.hear("ok")
        #expect(bench.answers[landing] == nil)
        #expect(bench.telemetry?.flight?.value.state == .landing)
        #expect(bench.orders == ["land", "land"])
    }

    @Test func `a stop takes back a landing that waits, and its caller is told`() {
        var bench = ClientBench.flying()
        _ = bench.perform(.ahead(5))
        let landing = bench.perform(.land)
        _ = bench.perform(.hover)
        bench.pass(.seconds(2))
        #expect(bench.reply(landing)?.accepted == false)
        #expect(!bench.orders.contains("land"))
    }

    @Test func `stops and landings are sent over a lost link, moves are not`() {
        var bench = ClientBench.flying()
        bench.state = nil
        bench.pass(TelloTimes.linkLoss + .milliseconds(50))
        #expect(!bench.client.isConnected(now: bench.now) && bench.client.mode == .disconnected)
        bench.forget()
        let move = bench.perform(.ahead(1))
        #expect(bench.error(move)?.code == .notConnected)
        _ = bench.perform(.hover)
        _ = bench.perform(.land)
        #expect(bench.orders == ["stop", "land"])
    }
}
