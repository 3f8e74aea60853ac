import Testing
import UAVLink

@testable import Bluno

/// A speed beside a stop, which nothing acknowledges and which is therefore sent three times.
@Suite("Bluno: speeds") struct BlunoSpeedTests {
    @Test func `a speed after a stop leaves its repetitions, and is sent too`() throws {
        var bench = RobotBench.ready()
        _ = bench.hold(.forward)
        _ = bench.out()
        try bench.client.stop(now: bench.now)
        #expect(bench.out() == "s")
        bench.pass(.milliseconds(20))
        try bench.client.send(speed: 50, now: bench.now)
        bench.pass(.seconds(1))
        // The first speed was sent 20 ms ago, so this one waits for its time.
        #expect(bench.out() == "s<50>s")
    }

    @Test func `a speed that still waits when a stop is repeated is sent after it`() throws {
        var bench = RobotBench.ready()
        try bench.client.stop(now: bench.now)
        _ = bench.out()
        try bench.client.send(speed: 50, now: bench.now)
        // The port takes nothing until the stop is repeated.
        bench.now = bench.now + .milliseconds(100)
        bench.client.advance(now: bench.now)
        let piece = bench.client.next(underWay: 0)
        #expect(piece?.isStop == true)
        bench.write()
        bench.pass(.seconds(1))
        // Its first sending is dropped with the rest; a value that could have been cut would make the stop come twice.
        #expect(bench.out() == "s0<50>s0" && bench.client.robot.speed == 50)
    }
}
