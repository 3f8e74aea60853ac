import Bluno
import BlunoEmulator
import FuzzKit
import UAVLink

/// What a robot sends, in any order and at any time, to a client that drives it; and what the client sends to the emulated robot. The
/// first byte of each line says what happens.
@main enum FuzzBluno: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        var client = BlunoClient(vehicle: "r1", program: RobotProgram())
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        var robot = EmulatedRobot(now: 1)
        client.opened("port", now: now)
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
            let first = line[line.startIndex]
            let rest = line.dropFirst()
            now = now + .milliseconds(Int(first))
            let direction = RobotDirection(rawValue: first >> 4 & 3) ?? .forward
            switch first % 12 {
            case 0: _ = try? client.hold(direction, speed: Int(first), until: now + .milliseconds(200), now: now)
            case 1: client.release(now: now)
            case 2: try? client.stop(now: now)
            case 3: try? client.send(Array(rest), now: now)
            case 4:
                let text = String(decoding: rest, as: UTF8.self)
                try? client.start(RobotTask(name: text, text: text), now: now)
            case 5: try? client.send(speed: Int(first) * 7, now: now)
            case 6: client.lost("fuzz", now: now)
            case 7: client.opened("port", now: now)
            case 8: robot.receive(rest)
            default: client.receive(Array(rest) + [0x0A], now: now)
            }
            client.advance(now: now)
            var pieces = 0
            while let piece = client.next(underWay: Int(first) / 4) {
                // A port that takes a part, and at last nothing.
                let taken = min(piece.bytes.count, pieces < 80 ? max(1, Int(first) / 8) : 0)
                client.wrote(taken, of: piece.bytes, now: now)
                robot.receive(piece.bytes.prefix(taken))
                pieces += 1
                if taken == 0 { break }
            }
            precondition(client.state.waitingBytes < 8192)
            precondition(client.log(after: 0).count <= RobotLogLine.most)
            precondition((client.telemetry.battery?.value.remaining ?? 0) <= 1)
            robot.advance(to: Double(now.nanoseconds) / 1e9)
            precondition(robot.place.x.isFinite && robot.place.y.isFinite && robot.heading.isFinite)
            _ = robot.takeOutput()
            _ = client.takeNews()
        }
    }
}
