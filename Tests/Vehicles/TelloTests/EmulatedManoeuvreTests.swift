import Testing

@testable import TelloEmulator

/// Flips, arcs and mission pads of the emulated drone.
@Suite("Emulated manoeuvres") struct EmulatedManoeuvreTests {
    private struct Bench {
        var tello: EmulatedTello
        var now = 100.0

        init(_ change: (inout EmulatedTello.Settings) -> Void = { _ in }) {
            var settings = EmulatedTello.Settings()
            change(&settings)
            tello = EmulatedTello(settings, now: now)
            _ = ask("command")
            _ = ask("takeoff", within: 6)
        }

        /// What is answered to a command within a time.
        mutating func ask(_ text: String, within seconds: Double = 0.3) -> [String] {
            tello.receive(Array(text.utf8))
            var heard: [String] = []
            let end = now + seconds
            while now < end {
                now += 0.05
                tello.advance(to: now)
                heard += tello.takeAnswers().map { String(decoding: $0, as: UTF8.self) }
            }
            return heard
        }

        func isNear(_ x: Double, _ y: Double, _ z: Double, within metres: Double = 0.1) -> Bool {
            let body = tello.body
            return abs(body.x - x) < metres && abs(body.y - y) < metres && abs(body.z - z) < metres
        }
    }

    @Test func `an arc is flown to its end, over its place on the way`() {
        var bench = Bench()
        let start = bench.tello.height
        #expect(bench.ask("curve 100 100 50 200 0 0 50", within: 4) == [])
        #expect(abs(bench.tello.body.x - 1) < 0.35 && bench.tello.body.y > 0.6 && bench.tello.height > start + 0.3)
        #expect(bench.ask("battery?", within: 8).contains("ok"))
        #expect(bench.isNear(2, 0, start, within: 0.2), "\(bench.tello.body)")
    }

    @Test func `an arc with a radius that it does not fly is refused in its words`() {
        var bench = Bench()
        #expect(bench.ask("curve 30 10 0 60 0 0 61") == ["out of range"])
        #expect(bench.ask("curve 50 0 0 100 0 0 30") == ["error Radius is too large!"])
        #expect(bench.ask("curve 25 25 0 50 0 0 30") == ["error Radius is too large!"])
        #expect(bench.ask("curve 1 2 3") == ["error"])
    }

    @Test func `a flip needs half of the battery`() {
        var bench = Bench()
        #expect(bench.ask("flip f", within: 3) == ["ok"])
        #expect(bench.ask("flip x") == ["error"])
        bench.tello.settings.battery = 40
        #expect(bench.ask("flip f") == ["error"])
    }

    @Test func `a pad is seen from above it, once it is looked for, and flown to`() {
        var bench = Bench { $0.pads = [.init(3, x: 0.3, y: 0)] }
        #expect(bench.tello.stateLine.hasPrefix("mid:-2;x:-200;"))
        #expect(bench.ask("go 0 0 100 50 m3") == ["error No valid marker"])
        #expect(bench.ask("mdirection 0") == ["error"])
        #expect(bench.ask("mon") == ["ok"])
        #expect(bench.ask("mdirection 2") == ["ok"])
        #expect(bench.ask("mdirection 3") == ["out of range"])
        #expect(bench.tello.stateLine.hasPrefix("mid:3;x:-30;y:0;z:"))
        #expect(bench.ask("go 0 20 100 50 m2") == ["error No valid marker"])
        #expect(bench.ask("go 0 20 501 50 m3") == ["out of range"])
        #expect(bench.ask("go 0 20 120 50 m3", within: 5) == ["ok"])
        #expect(bench.isNear(0.3, 0.2, 1.2), "\(bench.tello.body)")
        #expect(bench.ask("forward 200", within: 6) == ["ok"])
        #expect(bench.tello.stateLine.hasPrefix("mid:-1;x:-100;"))
    }

    @Test func `a jump ends over the second pad, turned in its frame, or says that there is none`() {
        var bench = Bench { $0.pads = [.init(1, x: 0, y: 0), .init(2, x: 1, y: 0)] }
        _ = bench.ask("mon")
        #expect(bench.ask("jump 100 0 100 50 90 m1 m2", within: 8) == ["ok"])
        #expect(bench.isNear(1, 0, 1) && abs(bench.tello.body.yaw + .pi / 2) < 0.05, "\(bench.tello.body)")
        #expect(bench.ask("jump 0 200 100 50 0 m2 m1", within: 8) == ["error No valid marker"])
        #expect(bench.isNear(1, 2, 1, within: 0.2), "it is flown to, and nothing is there")
    }

    @Test func `a stop ends an arc where it is`() {
        var bench = Bench()
        _ = bench.ask("curve 100 100 0 200 0 0 20", within: 4)
        #expect(bench.ask("stop") == ["ok", "forced stop"])
        let place = (bench.tello.body.x, bench.tello.body.y)
        _ = bench.ask("battery?", within: 3)
        #expect(abs(bench.tello.body.x - place.0) < 0.1 && abs(bench.tello.body.y - place.1) < 0.1)
    }

    @Test func `the first edition knows no pads, and the speed of moves is as it was told`() {
        var bench = Bench { $0.edition = .sdk13 }
        #expect(bench.ask("mon") == ["unknown command: mon"])
        #expect(bench.ask("jump 0 0 100 50 0 m1 m2") == ["unknown command: jump"])
        #expect(bench.ask("speed 100") == ["ok"])
        #expect(bench.ask("speed?") == ["100.0\r\n"])
        #expect(bench.ask("forward 200", within: 3.5) == ["ok"])
        #expect(bench.ask("speed 5") == ["out of range"])
        #expect(bench.ask("streamon") == ["ok"])
        #expect(bench.tello.sendsVideo)
        #expect(bench.ask("streamoff") == ["ok"])
        #expect(!bench.tello.sendsVideo)
    }
}
