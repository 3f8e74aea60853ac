import Testing
import UAVLink

@testable import Tello

/// What is sent when, and what an answer means.
@Suite("Tello client") struct TelloClientTests {
    // MARK: Opening

    @Test(arguments: [("20", TelloVersion.sdk20), ("30", .sdk30), ("unknown command: sdk?", .sdk13)])
    func `it greets, asks for the edition, and is open`(_ answer: String, _ version: TelloVersion) {
        var bench = ClientBench()
        let call = bench.open()
        #expect(bench.sent == ["command"])
        #expect(bench.client.mode == .wifiUp)
        bench.hear("ok")
        #expect(bench.sent == ["command", "sdk?"])
        #expect(bench.openings[call] == nil)
        bench.hear(answer)
        #expect(bench.openings[call] == .some(nil))
        #expect(bench.client.version == version && bench.client.mode == .command)
    }

    @Test func `the greeting is repeated, and its other answers are nobody's`() {
        var bench = ClientBench()
        let call = bench.open()
        bench.pass(.milliseconds(1200))
        #expect(bench.sent == ["command", "command", "command"])
        for answer in ["ok", "ok", "ok"] { bench.hear(answer) }
        bench.hear("20")
        #expect(bench.openings[call] == .some(nil))
        bench.state = ClientBench.standing
        // The first two answers are counted off; a take-off that is sent later is not answered by them.
        bench.pass(.seconds(2))
        let takeOff = bench.perform(.takeoff)
        #expect(bench.answers[takeOff] == nil)
    }

    @Test func `a drone that never says its edition is taken for the first one`() {
        var bench = ClientBench()
        let call = bench.open(within: .seconds(30))
        bench.hear("ok")
        bench.pass(.seconds(3))
        #expect(bench.sent.count { $0 == "sdk?" } == TelloTimes.versionAttempts)
        #expect(bench.openings[call] == .some(nil) && bench.client.version == .sdk13)
    }

    @Test func `nobody answers, and the caller is told in time`() {
        var bench = ClientBench()
        let call = bench.open(within: .seconds(2))
        bench.pass(.milliseconds(1990))
        #expect(bench.openings[call] == nil)
        bench.pass(.milliseconds(20))
        #expect(bench.openings[call]??.code == .unreachable)
        #expect(bench.client.mode == .disconnected)
        bench.forget()
        bench.pass(.seconds(5))
        #expect(bench.sent.isEmpty)
        // And once more.
        let again = bench.open()
        bench.hear("ok")
        bench.hear("20")
        #expect(bench.openings[again] == .some(nil))
    }

    @Test func `a drone that was never activated says so`() {
        var bench = ClientBench()
        let call = bench.open()
        bench.hear("error")
        #expect(bench.openings[call]??.code == .remoteFailed)
        #expect(bench.openings[call]??.hint.contains("activated") == true)
    }

    @Test func `the vendor's binary datagrams change nothing`() {
        var bench = ClientBench()
        let call = bench.open()
        bench.client.receive([0xCC, 0x58, 0x00, 0x7C], now: bench.now)
        #expect(bench.openings[call] == nil && bench.client.mode == .wifiUp)
        bench.hear("ok")
        bench.hear("20")
        #expect(bench.openings[call] == .some(nil))
        #expect(bench.client.statistics.unread == 1)
    }

    // MARK: One command at a time

    @Test func `a second move is refused while the first is not answered, and not sent`() {
        var bench = ClientBench.flying()
        let first = bench.perform(.ahead(1))
        let second = bench.perform(.turn(byRadians: 1))
        #expect(bench.orders == ["go 100 0 0 50"])
        #expect(bench.reply(second)?.accepted == false)
        bench.pass(.seconds(3))
        bench.hear("ok")
        #expect(bench.reply(first)?.accepted == true)
        #expect(bench.orders == ["go 100 0 0 50"])
    }

    @Test(arguments: ["error Not joystick", "out of range", "error No valid imu", "error Run timeout"])
    func `a refused move is answered in the drone's words, and never repeated`(_ words: String) {
        var bench = ClientBench.flying()
        let call = bench.perform(.ahead(1))
        bench.hear(words)
        #expect(bench.reply(call)?.message == words && bench.reply(call)?.accepted == false)
        bench.pass(.seconds(10))
        #expect(bench.orders == ["go 100 0 0 50"])
    }

    @Test func `an answer that comes after its caller gave up is not taken for the next command's`() {
        var bench = ClientBench.flying()
        let late = bench.perform(.ahead(1), within: .seconds(1))
        bench.pass(.seconds(2))
        #expect(bench.error(late)?.code == .timedOut)
        // The drone may still fly it.
        let next = bench.perform(.turn(byRadians: 1))
        #expect(bench.reply(next)?.accepted == false)
        bench.hear("ok")
        let third = bench.perform(.turn(byRadians: 1))
        #expect(bench.orders == ["go 100 0 0 50", "ccw 57"])
        #expect(bench.answers[third] == nil)
        bench.hear("ok")
        #expect(bench.reply(third)?.accepted == true)
    }

    @Test func `a move that was dropped silently frees its place in the end`() {
        var bench = ClientBench.flying()
        let dropped = bench.perform(.ahead(1), within: .seconds(100))
        bench.pass(TelloTimes.move + .milliseconds(50))
        #expect(bench.error(dropped)?.code == .timedOut)
        let next = bench.perform(.ahead(2))
        #expect(bench.orders == ["go 100 0 0 50", "go 200 0 0 50"])
        bench.hear("ok")
        #expect(bench.reply(next)?.accepted == true)
    }

    @Test func `an answer to a question is none to a command`() {
        var bench = ClientBench.flying()
        bench.pass(until: "battery?")
        let call = bench.perform(.ahead(1))
        bench.hear("87\r\n")
        #expect(bench.answers[call] == nil)
        bench.hear("ok")
        #expect(bench.reply(call)?.accepted == true)
        #expect(bench.client.statistics.quality(isConnected: true).roundTrip != nil)
    }

    @Test func `a stray answer is nobody's`() {
        var bench = ClientBench.flying()
        bench.hear("ok")
        bench.hear("error Auto land")
        #expect(bench.telemetry?.messages.last?.value.text == "error Auto land")
        #expect(bench.client.flight.state == .landing)
    }

    @Test func `what moves is not sent to a drone that stands, or is in the air already`() {
        var bench = ClientBench.open()
        let move = bench.perform(.ahead(1))
        #expect(bench.reply(move)?.message == "the Tello stands on the ground")
        bench = .flying()
        let takeOff = bench.perform(.takeoff)
        #expect(bench.reply(takeOff)?.accepted == false)
        #expect(bench.orders.isEmpty)
    }

    // MARK: Being kept awake

    @Test func `it is asked while the program uses the link, and not when it hangs`() {
        var bench = ClientBench.flying()
        bench.pass(.seconds(10))
        #expect((4...6).contains(bench.sent.count { $0 == "battery?" }))
        bench.isUsed = false
        bench.pass(TelloTimes.use)
        bench.forget()
        bench.pass(.seconds(30))
        #expect(bench.sent.isEmpty)
    }

    @Test func `a drone that comes back is greeted, and flies on where it was`() {
        var bench = ClientBench.flying()
        let state = bench.state
        bench.state = nil
        bench.pass(.seconds(6))
        #expect(bench.sent.contains("command"))
        bench.state = state
        bench.pass(.milliseconds(200))
        #expect(bench.client.isConnected(now: bench.now) && bench.client.mode == .manual)
    }

    @Test func `closing answers everybody, and releases the sticks`() {
        var bench = ClientBench.flying()
        bench.steer(0)
        bench.pass(.milliseconds(50))
        bench.steer(0.5)
        bench.pass(.milliseconds(50))
        bench.forget()
        let call = bench.perform(.hover)
        bench.client.close()
        bench.pass(.seconds(1))
        #expect(bench.error(call)?.code == .closed)
        #expect(bench.orders.first == "rc 0 0 0 0")
    }
}
