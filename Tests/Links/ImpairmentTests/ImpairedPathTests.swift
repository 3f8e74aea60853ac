import Impairment
import Statistics
import Testing
import UAVLink

@Suite struct ImpairedPathTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func path(_ impairment: Impairment, seed: UInt64 = 1) -> ImpairedPath<SeededRandom> {
        ImpairedPath(impairment, start: start, random: SeededRandom(seed: seed))
    }

    private func at(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }

    @Test func `a good network delivers at once and once`() {
        var path = path(.none)
        #expect(path.arrivals(ofDatagram: 100, at: at(5)) == [at(5)])
        #expect(path.arrival(ofPiece: 100, at: at(6)) == at(6))
    }

    @Test func `shares are kept over many datagrams`() {
        var path = path(Impairment(delay: .milliseconds(1), loss: 0.1, duplication: 0.05, reordering: 0.02))
        var (lost, doubled, late) = (0, 0, 0)
        for number in 0..<20_000 {
            let arrivals = path.arrivals(ofDatagram: 50, at: at(number))
            if arrivals.isEmpty { lost += 1 }
            if arrivals.count == 2 { doubled += 1 }
            if arrivals.contains(where: { $0 - at(number) > .milliseconds(30) }) { late += 1 }
        }
        #expect((1850...2150).contains(lost) && (800...1000).contains(doubled) && (310...470).contains(late))
    }

    @Test func `jitter spreads evenly above the delay`() {
        var path = path(Impairment(delay: .milliseconds(20), jitter: .milliseconds(10)))
        let delays = Samples(
            (0..<4000).flatMap { number in
                path.arrivals(ofDatagram: 50, at: at(number)).map { ($0 - at(number)).nanoseconds }
            })
        #expect((delays.minimum ?? 0) >= 20_000_000 && (delays.maximum ?? 0) <= 30_000_000)
        #expect(abs((delays.mean ?? 0) - 25_000_000) < 200_000)
    }

    @Test func `the line's rate spaces datagrams out, and drops those that would wait too long`() {
        // 1000 bytes take 8 ms at 1 Mbit/s.
        var path = path(Impairment(bitsPerSecond: 1e6))
        let arrivals = (0..<20).map { _ in path.arrivals(ofDatagram: 1000, at: at(0)) }
        #expect(arrivals[0] == [at(8)] && arrivals[1] == [at(16)])
        #expect(arrivals.prefix { !$0.isEmpty }.count == 13)
        #expect(path.isBacklogged(at: at(0)) && !path.isBacklogged(at: at(10)))
    }

    @Test func `a stream keeps its order, and a loss holds up what comes behind it`() {
        var path = path(Impairment(delay: .milliseconds(10), jitter: .milliseconds(20), loss: 0.1), seed: 3)
        var last = start
        var stalls = 0
        for number in 0..<500 {
            let arrival = path.arrival(ofPiece: 100, at: at(number * 10))
            #expect(arrival >= last)
            if arrival - at(number * 10) > .milliseconds(100) { stalls += 1 }
            last = arrival
        }
        // Each of about 50 losses makes itself and the ten pieces behind it later than 100 ms, and some overlap.
        #expect((250...550).contains(stalls), "\(stalls)")
    }

    @Test func `a blackout loses datagrams and holds a stream up until its end`() {
        var path = path(Impairment(blackout: .init(length: .seconds(2), at: .seconds(10))))
        #expect(path.arrivals(ofDatagram: 1, at: at(9999)) == [at(9999)])
        #expect(path.arrivals(ofDatagram: 1, at: at(10_000)) == [])
        #expect(path.arrival(ofPiece: 1, at: at(11_000)) == at(12_000))
        #expect(path.arrivals(ofDatagram: 1, at: at(12_000)) == [at(12_000)])
    }

    @Test func `one impairment does not change the run of another`() {
        var plain = path(Impairment(loss: 0.2))
        var delayed = path(Impairment(delay: .milliseconds(7), loss: 0.2))
        for number in 0..<500 {
            let lost = plain.arrivals(ofDatagram: 1, at: at(number)).isEmpty
            #expect(delayed.arrivals(ofDatagram: 1, at: at(number)).isEmpty == lost)
        }
    }

    @Test func `losses in bursts keep their share, and come in rows of the length given`() {
        var path = path(Impairment(loss: 0.05, burst: 6), seed: 3)
        var (lost, rows, wasLost) = (0, 0, false)
        for number in 0..<40_000 {
            let isLost = path.arrivals(ofDatagram: 50, at: at(number)).isEmpty
            if isLost { lost += 1 }
            if isLost, !wasLost { rows += 1 }
            wasLost = isLost
        }
        // Some 330 rows of 6, whose number and length vary by about a twentieth each.
        #expect((1500...2500).contains(lost) && abs(Double(lost) / Double(rows) - 6) < 1, "\(lost) in \(rows)")
    }

    @Test func `correlated jitter keeps the order, and resembles the one before`() {
        func delays(_ correlation: Double) -> [Double] {
            var path = path(
                Impairment(delay: .milliseconds(20), jitter: .milliseconds(30), correlation: correlation), seed: 2)
            return (0..<4000).flatMap { number in
                path.arrivals(ofDatagram: 50, at: at(10 * number)).map { ($0 - at(10 * number)).nanoseconds }
            }.map(Double.init)
        }
        func likeness(_ delays: [Double]) -> Double {
            let mean = delays.reduce(0, +) / Double(delays.count)
            let square = delays.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return zip(delays, delays.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) } / square
        }
        let (alone, alike) = (delays(0), delays(0.8))
        #expect(abs(likeness(alone)) < 0.05 && likeness(alike) > 0.7)
        #expect(alike.allSatisfy { (20e6...50e6).contains($0) })
        func overtakes(_ delays: [Double]) -> Int { zip(delays, delays.dropFirst()).count { $1 + 10e6 < $0 } }
        #expect(overtakes(alone) > 500 && overtakes(alike) == 0)
    }

    @Test func `a queue in bytes holds so much, and drops what does not fit`() {
        // 1 Mbit a second sends 1000 bytes in 8 ms; 5000 bytes wait.
        var path = path(Impairment(bitsPerSecond: 1e6, queueBytes: 5000))
        let arrivals = (0..<8).map { _ in path.arrivals(ofDatagram: 1000, at: at(0)).first }
        #expect(arrivals == [8, 16, 24, 32, 40].map { at($0) } + [nil, nil, nil])
        #expect(path.arrivals(ofDatagram: 1000, at: at(8)) == [at(48)], "one has left")
        #expect(Impairment(bitsPerSecond: 1e6, queueBytes: 5000).losesPackets)
    }
}
