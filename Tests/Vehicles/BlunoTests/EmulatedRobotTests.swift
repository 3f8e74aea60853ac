import Testing

@testable import BlunoEmulator

@Suite("Bluno: emulated robot") struct EmulatedRobotTests {
    private func robot(_ change: (inout EmulatedRobot.Settings) -> Void = { _ in }) -> EmulatedRobot {
        var settings = EmulatedRobot.Settings()
        change(&settings)
        return EmulatedRobot(settings, now: 0)
    }

    private func said(_ robot: inout EmulatedRobot) -> String { String(decoding: robot.takeOutput(), as: UTF8.self) }

    @Test func `it reads characters and values as one stream, in any pieces`() {
        var robot = robot()
        for piece in ["1<1", "28", ">f"] { robot.receive(Array(piece.utf8)) }
        #expect(robot.words == ["1", "<128>", "f"] && robot.speed == 128)
        robot.advance(to: 0.5)
        #expect(robot.motors == Motors(128, 128) && robot.behaviour == .manual && robot.place.x > 1.05)
    }

    @Test func `what is no value ends one, so that a stop is one`() {
        var robot = robot()
        robot.receive(Array("1f<12s".utf8))
        robot.advance(to: 0.1)
        #expect(robot.words.last == "s" && robot.motors == .off)
        robot.receive(Array("<123456><<7>".utf8))
        #expect(robot.words.suffix(2) == [">", "<7>"])
    }

    @Test func `keys move it in task Remote only`() {
        var robot = robot()
        robot.receive(Array("f".utf8))
        robot.advance(to: 0.2)
        #expect(robot.motors == .off && robot.task == .status)
        robot.receive(Array("1".utf8))
        #expect(said(&robot).contains("task 1 Remote\r\n"))
        robot.receive(Array("l".utf8))
        robot.advance(to: 0.4)
        #expect(robot.heading > 0.1)
    }

    @Test func `it drives on when nobody speaks, unless it has a watchdog`() {
        var (alone, watched) = (robot(), robot { $0.watchdogSeconds = 0.5 })
        for at in [alone, watched].indices {
            if at == 0 { alone.receive(Array("1r".utf8)) } else { watched.receive(Array("1r".utf8)) }
        }
        for tenth in 1...10 {
            alone.advance(to: Double(tenth) / 10)
            watched.advance(to: Double(tenth) / 10)
        }
        #expect(alone.motors != .off && watched.motors == .off)
    }

    @Test func `the edge stops it, and it does not fall`() {
        var robot = robot()
        robot.receive(Array("1<255>f".utf8))
        var heard = ""
        // The pillar is not in its way.
        for step in 1...200 {
            robot.advance(to: Double(step) / 10)
            heard += said(&robot)
        }
        #expect(robot.motors == .off && robot.behaviour == .stop && !robot.hasFallen)
        #expect(heard.contains("cliff") || heard.contains("collision"))
        // Back, it may go.
        robot.receive(Array("b".utf8))
        robot.advance(to: 20.5)
        #expect(robot.motors == Motors(-255, -255))
    }

    @Test(arguments: [EmulatedTask.patrol, .followIR, .avoidIR])
    func `a task of its own keeps it on the floor, and moving at first`(_ task: EmulatedTask) {
        // Near enough to flee from.
        var robot = robot { if task == .avoidIR { $0.room.person = RoomPlace(1.8, 1.9) } }
        robot.receive(Array("\(task.rawValue)".utf8))
        var seen: Set<Behaviour> = []
        for step in 1...600 {
            robot.advance(to: Double(step) / 10)
            if let behaviour = robot.behaviour { seen.insert(behaviour) }
            #expect(!robot.hasFallen)
        }
        // Who has fled far enough stands.
        #expect(seen.count >= (task == .avoidIR ? 1 : 2), "\(seen)")
        #expect(robot.place != RoomPlace(1, 1.5))
    }

    @Test func `of what wants to drive the lowest priority does`() {
        #expect(
            Behaviour.allCases.sorted { $0.priority < $1.priority }.prefix(5) == [
                .stop, .manual, .escape, .avoid, .power,
            ])
        #expect(Behaviour.attract.priority == Behaviour.repel.priority)
        var robot = robot()
        robot.receive(Array("2".utf8))
        robot.advance(to: 0.1)
        #expect(robot.behaviour == .cruise)
    }

    @Test func `a low battery sends it to its dock, where it charges`() {
        var robot = robot { $0.battery = 15 }
        robot.receive(Array("2".utf8))
        var behaviours: Set<Behaviour> = []
        for step in 1...1200 {
            robot.advance(to: Double(step) / 10)
            if let behaviour = robot.behaviour { behaviours.insert(behaviour) }
        }
        #expect(behaviours.contains(.power))
    }

    @Test func `an empty one stands`() {
        var robot = robot { $0.battery = 0 }
        robot.receive(Array("1f".utf8))
        robot.advance(to: 1)
        #expect(robot.motors == .off)
        #expect(said(&robot).contains("battery 0 %\r\n"))
    }

    @Test func `it answers the function keys, and what it has no task for`() {
        var robot = robot()
        robot.receive(Array("wxyz9".utf8))
        let lines = said(&robot).split(separator: "\r\n").map(String.init)
        #expect(lines.first == "light on" && lines.last == "no task 9" && lines.count == 5)
    }

    @Test func `any bytes are taken`() {
        var robot = robot()
        robot.receive((0...255).flatMap { [UInt8]([UInt8($0), UInt8(255 - $0)]) })
        robot.advance(to: 3)
        #expect(robot.bytesReceived == 512)
    }
}
