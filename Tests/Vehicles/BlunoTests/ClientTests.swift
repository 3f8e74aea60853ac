import Testing
import UAVLink

@testable import Bluno

/// A client whose time is the test's, and what leaves it.
struct RobotBench {
    var client: BlunoClient
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// What was written since it was asked.
    private var written = ""

    init(_ program: RobotProgram = RobotProgram()) { client = BlunoClient(vehicle: "r1", program: program) }

    /// One that is ready, and was released; the stops of its beginning are gone.
    static func ready(_ program: RobotProgram = RobotProgram()) -> RobotBench {
        var bench = RobotBench(program)
        bench.client.opened("port", now: bench.now)
        bench.pass(.seconds(2))
        bench.client.release(now: bench.now)
        _ = bench.out()
        return bench
    }

    /// Lets time pass, with everything that is due on the way.
    mutating func pass(_ time: Duration) {
        let end = now + time
        while let due = client.nextDeadline, due <= end {
            now = max(now, due)
            client.advance(now: now)
            write()
        }
        now = end
        client.advance(now: now)
        write()
    }

    /// Writes whatever the client has, into a port that is empty.
    mutating func write() {
        while let piece = client.next(underWay: 0) {
            written += String(decoding: piece.bytes, as: UTF8.self)
            client.wrote(piece.bytes.count, of: piece.bytes, now: now)
        }
    }

    /// What was written since the last call.
    mutating func out() -> String {
        write()
        defer { written = "" }
        return written
    }

    mutating func hold(_ direction: RobotDirection, speed: Int = 128, for time: Duration = .milliseconds(400)) -> Bool {
        defer { write() }
        return (try? client.hold(direction, speed: speed, until: now + time, now: now)) ?? false
    }
}

@Suite("Bluno: client") struct BlunoClientTests {
    private func code(_ body: () throws -> Void) -> LinkError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? LinkError)?.code }
    }

    @Test func `an opened board is stopped by its key at once, and again when it has started`() {
        var bench = RobotBench()
        bench.client.opened("port", now: bench.now)
        #expect(bench.out() == "s" && bench.client.robot.phase == .starting)
        bench.pass(.milliseconds(1999))
        #expect(bench.out() == "" && bench.client.robot.phase == .starting)
        bench.pass(.milliseconds(1))
        // A task that it carries out by itself goes on.
        #expect(bench.out() == "s" && bench.client.robot.phase == .ready)
    }

    @Test func `nothing but a stop is sent before it is ready`() {
        var bench = RobotBench()
        #expect(code { try bench.client.stop(now: bench.now) } == .notConnected)
        bench.client.opened("port", now: bench.now)
        _ = bench.out()
        #expect(code { try bench.client.send([0x61], now: bench.now) } == .notConnected)
        #expect(
            code { _ = try bench.client.hold(.left, speed: 9, until: bench.now + .seconds(1), now: bench.now) } != nil)
        #expect(bench.out() == "")
        #expect(code { try bench.client.stop(now: bench.now) } == nil)
        #expect(bench.out() == "s0")
    }

    @Test func `a held direction is sent with its task and speed first, and repeated ten times a second`() {
        var bench = RobotBench.ready()
        #expect(bench.hold(.forward, for: .seconds(10)) == true)
        #expect(bench.out() == "1<128>f")
        bench.pass(.milliseconds(1000))
        #expect(bench.out() == "ffffffffff")
        #expect(bench.hold(.left, for: .seconds(10)) == true)
        #expect(bench.out() == "l" && bench.client.robot.direction == .left)
    }

    @Test func `the release stops it, three times, and nothing is sent afterwards`() {
        var bench = RobotBench.ready()
        _ = bench.hold(.forward)
        _ = bench.out()
        bench.client.release(now: bench.now)
        #expect(bench.out() == "s" && bench.client.robot.direction == nil)
        bench.pass(.seconds(5))
        #expect(bench.out() == "ss")
        bench.client.release(now: bench.now)
        bench.pass(.seconds(5))
        #expect(bench.out() == "")
    }

    @Test func `a hold that is not renewed stops, and moves again only after a release`() {
        var bench = RobotBench.ready()
        _ = bench.hold(.forward, for: .milliseconds(150))
        bench.pass(.milliseconds(149))
        #expect(bench.out() == "1<128>ff")
        bench.pass(.milliseconds(1))
        #expect(bench.out() == "s")
        #expect(!bench.hold(.forward) && bench.out() == "")
        bench.client.release(now: bench.now)
        #expect(bench.hold(.forward) && bench.out() == "f")
    }

    @Test func `a stop drops what waits and overtakes it, and a newer command ends its repetitions`() throws {
        var bench = RobotBench.ready()
        try bench.client.send(Array(repeating: 0x61, count: 500), now: bench.now)
        let later = bench.now + .seconds(1)
        #expect(try bench.client.hold(.forward, speed: 9, until: later, now: bench.now) == true)
        #expect(bench.client.state.waitingBytes > 500)
        try bench.client.stop(now: bench.now)
        let piece = bench.client.next(underWay: 1_000_000)
        #expect(piece?.isStop == true)
        // It obeys the keys in task Remote, which the hold had entered: the key alone stops it.
        #expect(bench.out() == "s")
        try bench.client.send([0x62], now: bench.now)
        bench.pass(.seconds(1))
        #expect(bench.out() == "b")
    }

    @Test func `a stop ends a task that is not Remote too, by the task in which it stands`() throws {
        var bench = RobotBench.ready()
        try bench.client.start(RobotTask(name: "Patrol", text: "2"), now: bench.now)
        #expect(bench.out() == "2" && bench.client.robot.task?.name == "Patrol")
        try bench.client.stop(now: bench.now)
        #expect(bench.out() == "s0" && bench.client.robot.task?.name == "Status")
        bench.client.release(now: bench.now)
        #expect(bench.hold(.right) && bench.out() == "1<128>r")
    }

    @Test func `after a text that may have left task Remote a stop ends every task`() throws {
        var bench = RobotBench.ready()
        #expect(bench.hold(.forward) == true)
        bench.client.release(now: bench.now)
        // A key leaves it where it is.
        try bench.client.send(Array("w".utf8), now: bench.now)
        #expect(bench.client.robot.task?.text == "1")
        try bench.client.send(Array("2f".utf8), now: bench.now)
        #expect(bench.client.robot.task == nil)
        _ = bench.out()
        try bench.client.stop(now: bench.now)
        #expect(bench.out() == "s0")
    }

    @Test func `a text of which a part is out is ended by a stop that comes twice`() throws {
        var bench = RobotBench.ready()
        try bench.client.send(Array("<128>".utf8), now: bench.now)
        let piece = bench.client.next(underWay: BlunoOutbox.mostUnderWay - 2)
        #expect(piece?.bytes == Array("<1".utf8))
        bench.client.wrote(2, of: piece?.bytes ?? [], now: bench.now)
        try bench.client.stop(now: bench.now)
        #expect(bench.out() == "s0>s0")
        // Also if the port has discarded it.
        try bench.client.stop(now: bench.now)
        bench.client.noteDiscarded()
        bench.client.noteDiscarded()
        #expect(bench.out() == "s0>s0")
    }

    @Test func `a stop of which a part is out is not discarded by its own rest`() throws {
        var bench = RobotBench.ready()
        try bench.client.start(RobotTask(name: "Patrol", text: "2"), now: bench.now)
        _ = bench.out()
        try bench.client.stop(now: bench.now)
        let piece = bench.client.next(underWay: 0)
        #expect(piece?.bytes == Array("s0".utf8) && piece?.isStop == true)
        bench.client.wrote(1, of: piece?.bytes ?? [], now: bench.now)
        let rest = bench.client.next(underWay: 1)
        #expect(rest?.bytes == Array("0".utf8) && rest?.isStop == false)
        // A newer one is a whole one again.
        try bench.client.stop(now: bench.now)
        #expect(bench.client.next(underWay: 1)?.isStop == true)
    }

    @Test func `closing ends a text of which a part is out too`() throws {
        var bench = RobotBench.ready()
        try bench.client.send(Array("<128>".utf8), now: bench.now)
        let piece = bench.client.next(underWay: BlunoOutbox.mostUnderWay - 2)
        bench.client.wrote(2, of: piece?.bytes ?? [], now: bench.now)
        bench.client.close(now: bench.now)
        #expect(bench.out() == "s>s")
    }

    @Test func `no more is given to the port than a stop may wait behind`() throws {
        var bench = RobotBench.ready()
        try bench.client.send(Array(repeating: 0x61, count: 200), now: bench.now)
        let counts = [0, 60, 64, 5000].map { bench.client.next(underWay: $0)?.bytes.count }
        #expect(counts == [64, 4, nil, nil])
    }

    @Test func `speeds are sent ten times a second at most, and the last one always`() throws {
        var bench = RobotBench.ready()
        for speed in 1...50 { try bench.client.send(speed: speed, now: bench.now) }
        #expect(bench.out() == "<1>")
        bench.pass(.seconds(1))
        #expect(bench.out() == "<50>" && bench.client.robot.speed == 50)
        try bench.client.send(speed: 50, now: bench.now)
        #expect(bench.out() == "")
    }

    @Test func `a loss forgets everything, and nothing moves before a release`() throws {
        var bench = RobotBench.ready()
        _ = bench.hold(.forward, for: .seconds(10))
        _ = bench.out()
        bench.client.lost("unplugged", now: bench.now)
        bench.pass(.seconds(1))
        #expect(bench.out() == "" && bench.client.robot.phase == .lost("unplugged"))
        #expect(code { try bench.client.stop(now: bench.now) } == .notConnected)
        bench.client.opened("port", now: bench.now)
        bench.write()
        bench.pass(.seconds(3))
        #expect(bench.out() == "ss" && bench.client.robot.task == nil)
        #expect(!bench.hold(.forward) && bench.out() == "")
        bench.client.release(now: bench.now)
        #expect(bench.hold(.forward) && bench.out() == "1<128>f")
    }

    @Test func `closing stops what is driven, and not a task`() {
        var bench = RobotBench.ready()
        _ = bench.hold(.forward)
        _ = bench.out()
        bench.client.close(now: bench.now)
        #expect(bench.out() == "s" && bench.client.robot.phase == .closed)
    }

    @Test func `what does not fit is refused and says why`() throws {
        var bench = RobotBench.ready()
        #expect(code { try bench.client.send([], now: bench.now) } == .invalidInput)
        let longest = [UInt8](repeating: 0x61, count: RobotProgram.longestText)
        #expect(code { try bench.client.send(longest + [0x61], now: bench.now) } == .invalidInput)
        for _ in 0..<4 { try bench.client.send(longest, now: bench.now) }
        #expect(code { try bench.client.send([0x61], now: bench.now) } == .unreachable)
        #expect(code { try bench.client.start(RobotTask(name: "", text: "7"), now: bench.now) } == .invalidInput)
    }

    @Test func `lines become messages, a battery telemetry, and a line without an end one after a pause`() {
        var bench = RobotBench.ready()
        bench.client.receive(Array("hello\r\nbattery 42 %\nhalf".utf8), now: bench.now)
        #expect(bench.client.telemetry.battery?.value.remaining == 0.42)
        let news = [bench.client.takeNews(), bench.client.takeNews()]
        #expect(news.map { $0?.messages.map(\.value.text) } == [["hello"], nil])
        bench.pass(.milliseconds(249))
        #expect(bench.client.robot.lastLine?.value == "battery 42 %")
        bench.pass(.milliseconds(1))
        #expect(bench.client.robot.lastLine?.value == "half")
    }

    @Test func `the log keeps the newest lines, and one for what is repeated`() {
        var bench = RobotBench.ready()
        _ = bench.hold(.forward, for: .seconds(2))
        bench.pass(.seconds(1))
        let sent = bench.client.log(after: 0).filter { $0.kind == .sent }.map(\.text)
        #expect(sent.suffix(3) == ["1", "<128>", "f"])
        for number in 0..<2000 { bench.client.receive(Array("line \(number)\n".utf8), now: bench.now) }
        let kept = bench.client.log(after: 0)
        #expect(kept.count == RobotLogLine.most && kept.last?.text == "line 1999")
        let newest = kept.last?.number ?? 0
        #expect(bench.client.log(after: newest).isEmpty)
    }

    @Test func `a robot without tasks gets keys only`() throws {
        var bench = RobotBench.ready(RobotProgram(remoteTask: nil, stopTask: nil))
        #expect(bench.hold(.forward) && bench.out() == "<128>f")
        try bench.client.stop(now: bench.now)
        #expect(bench.out() == "s")
    }
}
