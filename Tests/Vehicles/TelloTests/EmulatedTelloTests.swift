import Testing

@testable import TelloEmulator

/// The emulated drone by itself, on times that are passed in.
@Suite("Emulated Tello") struct EmulatedTelloTests {
    private struct Bench {
        var tello: EmulatedTello
        var now = 100.0
        var heard: [String] = []

        init(_ change: (inout EmulatedTello.Settings) -> Void = { _ in }) {
            var settings = EmulatedTello.Settings()
            change(&settings)
            tello = EmulatedTello(settings, now: now)
        }

        mutating func say(_ text: String) { tello.receive(Array(text.utf8)) }

        mutating func pass(_ seconds: Double) {
            let end = now + seconds
            while now < end {
                now += 0.05
                tello.advance(to: now)
                heard += tello.takeAnswers().map { String(decoding: $0, as: UTF8.self) }
            }
        }

        /// What is answered to a command within a time.
        mutating func ask(_ text: String, within seconds: Double = 0.3) -> [String] {
            heard = []
            say(text)
            pass(seconds)
            return heard
        }

        static func flying(_ change: (inout EmulatedTello.Settings) -> Void = { _ in }) -> Bench {
            var bench = Bench(change)
            _ = bench.ask("command")
            _ = bench.ask("takeoff", within: 6)
            return bench
        }
    }

    @Test func `it answers nothing before it was greeted, and a greeting as often as it comes`() {
        var bench = Bench()
        #expect(bench.ask("battery?") == [] && bench.ask("takeoff") == [])
        #expect(bench.ask("command") == ["ok"])
        #expect(bench.ask("command") == ["ok"])
    }

    @Test func `answers have their real tails, and each edition its own`() {
        var bench = Bench { $0.battery = 87 }
        _ = bench.ask("command")
        #expect(bench.ask("battery?") == ["87\r\n"])
        #expect(bench.ask("speed?") == ["100.0\r\n"])
        #expect(bench.ask("sdk?") == ["20"])
        #expect(bench.ask("nonsense") == ["unknown command: nonsense"])
        var first = Bench { $0.edition = .sdk13 }
        _ = first.ask("command")
        #expect(first.ask("sdk?") == ["unknown command: sdk?"])
        #expect(first.ask("stop") == ["unknown command: stop"])
        var third = Bench { $0.edition = .sdk30 }
        _ = third.ask("command")
        #expect(third.ask("sdk?") == ["30"])
    }

    @Test func `it takes off, flies a move, answers at its end, and lands`() {
        var bench = Bench()
        _ = bench.ask("command")
        #expect(bench.ask("forward 100") == ["error Motor stop"])
        #expect(bench.ask("takeoff", within: 1) == [])
        bench.pass(5)
        #expect(bench.heard == ["ok"])
        #expect(bench.tello.height > 0.6)
        #expect(bench.ask("forward 100", within: 2) == [])
        #expect(bench.ask("cw 90") == ["error Not joystick"])
        bench.pass(2)
        #expect(bench.heard.last == "ok")
        #expect(abs(bench.tello.body.x - 1) < 0.15)
        #expect(bench.ask("land", within: 6) == ["ok"])
        #expect(bench.tello.activity == .standing && bench.tello.height == 0)
    }

    @Test func `a move is ended by a stop, and answers for itself`() {
        var bench = Bench.flying()
        bench.say("forward 500")
        bench.pass(1)
        #expect(bench.ask("stop") == ["ok", "forced stop"])
        bench.pass(10)
        #expect(bench.heard == ["ok", "forced stop"])
    }

    @Test func `a busy drone may drop commands instead`() {
        var bench = Bench.flying { $0.dropsWhenBusy = true }
        bench.say("forward 300")
        #expect(bench.ask("land") == [])
    }

    @Test func `it keeps the last sticks, and lands after fifteen seconds of silence`() {
        var bench = Bench.flying()
        #expect(bench.ask("rc 0 50 0 0") == [])
        bench.pass(3)
        #expect(bench.tello.body.x > 1)
        bench.pass(11)
        #expect(bench.tello.activity == .hovering)
        bench.pass(10)
        #expect(bench.tello.activity == .standing)
    }

    @Test func `sticks, questions and greetings put the landing off`() {
        for order in ["rc 0 0 0 0", "battery?", "command"] {
            var bench = Bench.flying()
            for _ in 0..<6 {
                bench.pass(5)
                bench.say(order)
            }
            #expect(bench.tello.activity == .hovering, "\(order)")
        }
    }

    @Test func `its motors stop at once, without an answer`() {
        var bench = Bench.flying()
        #expect(bench.ask("emergency", within: 1) == [])
        #expect(bench.tello.activity == .standing && !bench.tello.motorsRun)
    }

    @Test(arguments: [
        "forward 19", "back 501", "cw 0", "ccw 361", "go 10 10 10 50", "go 600 0 0 50", "go 100 0 0 5",
    ])
    func `what is out of range is refused`(_ command: String) {
        var bench = Bench.flying()
        #expect(bench.ask(command) == ["out of range"])
    }

    @Test func `faults are answered as by a real one`() {
        var inactive = Bench { $0.isActivated = false }
        #expect(inactive.ask("command") == ["error"])
        var dark = Bench.flying { $0.isDark = true }
        #expect(dark.ask("up 50") == ["error No valid imu"])
        var empty = Bench { $0.battery = 5 }
        _ = empty.ask("command")
        #expect(empty.ask("takeoff") == ["error"])
    }

    @Test func `hostile datagrams do nothing`() {
        var bench = Bench.flying()
        for bytes in [
            [0xFF, 0x00], [UInt8](repeating: 0x61, count: 5000), Array("go 99999999999999999999 0 0 50".utf8),
        ] {
            bench.tello.receive(bytes)
        }
        bench.say("rc 1e9 0 0 0")
        bench.say("rc 1 2 3")
        bench.say("   ")
        bench.pass(1)
        #expect(bench.tello.activity == .hovering && bench.tello.sticks == [0, 0, 0, 0])
    }
}
