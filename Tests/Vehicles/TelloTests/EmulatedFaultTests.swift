import Testing

@testable import TelloEmulator

/// The faults of the emulated drone, and what only the first and the third edition have.
@Suite("Emulated Tello: faults and editions") struct EmulatedTelloFaultTests {
    private struct Bench {
        var tello: EmulatedTello
        var now = 100.0

        init(_ change: (inout EmulatedTello.Settings) -> Void = { _ in }) {
            var settings = EmulatedTello.Settings()
            change(&settings)
            tello = EmulatedTello(settings, now: now)
        }

        mutating func pass(_ seconds: Double) -> [String] {
            var heard: [String] = []
            let end = now + seconds
            while now < end {
                now += 0.05
                tello.advance(to: now)
                heard += tello.takeAnswers().map { String(decoding: $0, as: UTF8.self) }
            }
            return heard
        }

        /// What is answered to a command within a time.
        mutating func ask(_ text: String, within seconds: Double = 0.3) -> [String] {
            tello.receive(Array(text.utf8))
            return pass(seconds)
        }

        static func greeted(_ change: (inout EmulatedTello.Settings) -> Void = { _ in }) -> Bench {
            var bench = Bench(change)
            _ = bench.ask("command")
            return bench
        }
    }

    @Test func `one of three answers is lost, late or comes twice`() {
        var losing = Bench { $0.losesAnswers = true }
        #expect((1...6).map { _ in losing.ask("command").count } == [1, 1, 0, 1, 1, 0])
        var late = Bench { $0.delaysAnswers = true }
        #expect((1...3).map { _ in late.ask("command").count } == [0, 1, 1])
        #expect(late.pass(0.8) == [] && late.pass(1) == ["ok"])
        var double = Bench { $0.doublesAnswers = true }
        #expect((1...6).map { _ in double.ask("command").count } == [1, 2, 1, 1, 2, 1])
    }

    @Test func `a move that runs into its time is given up after fifteen seconds, and nothing else is`() {
        var bench = Bench.greeted { $0.runsIntoTimeout = true }
        #expect(bench.ask("takeoff", within: 6) == ["ok"])
        #expect(bench.ask("forward 100", within: 7) == [])
        // Silence of 15 s would land it.
        #expect(bench.ask("battery?", within: 7).count == 1)
        #expect(bench.pass(1.6) == ["error Run timeout"])
        #expect(abs(bench.tello.body.x - 1) < 0.15)
        #expect(bench.ask("land", within: 6) == ["ok"])
    }

    @Test func `its state comes after the greeting, pauses, or never arrives`() {
        var healthy = Bench()
        #expect(!healthy.tello.sendsState)
        _ = healthy.ask("command")
        #expect(healthy.tello.sendsState)
        let hidden = Bench.greeted { $0.hidesState = true }
        #expect(!hidden.tello.sendsState)
        var pausing = Bench.greeted { $0.pausesState = true }
        #expect(pausing.tello.sendsState)
        _ = pausing.pass(6)
        #expect(!pausing.tello.sendsState)
        _ = pausing.pass(4)
        #expect(pausing.tello.sendsState)
    }

    @Test func `the first edition answers what the later ones have dropped`() {
        let questions = ["temp?", "attitude?", "baro?", "acceleration?", "tof?", "height?"]
        var first = Bench.greeted { $0.edition = .sdk13 }
        #expect(
            questions.flatMap { first.ask($0) } == [
                "60~63C\r\n", "pitch:0;roll:-1;yaw:0;\r\n", "94.480000\r\n", "agx:-10.00;agy:16.00;agz:-999.00;\r\n",
                "100mm\r\n", "0dm\r\n",
            ])
        var second = Bench.greeted()
        #expect(questions.flatMap { second.ask($0) } == questions.map { "unknown command: \($0)" })
    }

    @Test func `the third edition takes the pad that it sees first and the nearest, and the second one does not`() {
        for (edition, answer) in [(EmulatedTello.Edition.sdk20, "error No valid marker"), (.sdk30, "ok")] {
            for pad in ["m-1", "m-2"] {
                var bench = Bench.greeted {
                    $0.edition = edition
                    $0.pads = [.init(3, x: 0.3, y: 0)]
                }
                _ = bench.ask("mon")
                _ = bench.ask("takeoff", within: 6)
                #expect(bench.ask("go 0 0 100 50 \(pad)", within: 5) == [answer])
            }
        }
    }

    @Test func `the third edition has settings of its video, and an expansion with a light`() {
        let commands = ["setfps low", "setbitrate 5", "setresolution high", "downvision 1", "motoron", "motoroff"]
        var third = Bench.greeted { $0.edition = .sdk30 }
        #expect(commands.flatMap { third.ask($0) } == commands.map { _ in "ok" })
        #expect(
            ["setfps fast", "setbitrate 6", "downvision 2"].flatMap { third.ask($0) } == ["error", "error", "error"])
        #expect(third.ask("EXT led 255 0 12") == ["led ok"] && third.tello.light == [255, 0, 12])
        #expect(third.ask("EXT led 256 0 0") == ["led error"] && third.ask("EXT mled sc") == ["matrix ok"])
        #expect(third.ask("EXT tof?") == ["tof 100"] && third.ask("hardware?") == ["RMTT"])
        var second = Bench.greeted()
        #expect(
            (commands + ["EXT led 1 2 3"]).flatMap { second.ask($0) }
                == (commands + ["EXT"]).map { "unknown command: \($0.prefix { $0 != " " })" })
        #expect(third.ask("reboot") == [] && third.ask("battery?") == [])
    }
}
