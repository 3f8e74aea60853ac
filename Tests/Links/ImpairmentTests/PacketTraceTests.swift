import Statistics
import SystemKit
import Testing
import UAVLink

@testable import Impairment

/// Links that were recorded, in Mahimahi's format.
@Suite struct PacketTraceTests {
    /// What is installed with the program.
    private static let folder =
        String(#filePath.dropLast("Tests/Links/ImpairmentTests/PacketTraceTests.swift".count)) + "docs/traces/"

    private func trace(_ text: String) throws -> PacketTrace { try PacketTrace(name: "t", Array(text.utf8)) }

    /// When packets of these sizes leave that are sent at these milliseconds; `nil` for one that finds no room.
    private func leave(_ packets: [(at: Int64, bytes: Int)], over text: String, queue: Int = 150_000) throws -> [Int64?]
    {
        let trace = try trace(text)
        var line = TraceLine()
        return packets.map { line.pass($0.bytes, at: $0.at, over: trace, queueBytes: queue) }
    }

    @Test func `a packet leaves at the first opportunity that is left, and the trace repeats`() throws {
        #expect(try leave([(0, 1500), (0, 1500), (0, 1500), (3, 1500)], over: "2\n2\n10\n") == [2, 2, 10, 12])
        #expect(try leave([(11, 1500), (40, 1500), (95, 1500)], over: "2\n2\n10\n") == [12, 40, 100])
    }

    @Test func `small packets share an opportunity if they wait for it, and a long one takes several`() throws {
        #expect(try leave([(0, 500), (0, 500), (0, 500), (0, 500)], over: "5\n10") == [5, 5, 5, 10])
        // What is left of an opportunity is lost to what comes later.
        #expect(try leave([(0, 100), (6, 100)], over: "5\n10") == [5, 10])
        #expect(try leave([(0, 1000), (0, 1000), (0, 1000)], over: "5\n10") == [5, 10, 10])
        #expect(try leave([(0, 4000)], over: "5\n10") == [15])
    }

    @Test func `an opportunity at zero is one at the end of the repetition before too`() throws {
        #expect(try leave([(0, 1500), (0, 1500), (0, 1500), (0, 1500)], over: "0\n7") == [0, 7, 7, 14])
    }

    @Test func `what does not fit into the queue is dropped, until packets have left`() throws {
        let sent: [(at: Int64, bytes: Int)] = [(0, 1500), (0, 1500), (0, 1500), (10, 1500)]
        #expect(try leave(sent, over: "10\n20", queue: 3000) == [10, 20, nil, 30])
    }

    @Test(arguments: [
        ("", "nothing is ever sent"), ("0\n0\n", "nothing is ever sent"), ("\n\n", "nothing is ever sent"),
        ("5\n4\n", "line 2: 4 ms is before the line above it"), ("5\n-1\n", "line 2: not a whole number"),
        ("1\n2.5\n", "line 2: not a whole number"), ("nan", "line 1: not a whole number"),
        ("99999999999999999999", "line 1: later than a day"), ("1\n\u{FF}", "line 2: not a whole number"),
    ])
    func `what is no trace is refused with its line`(_ text: String, _ words: String) {
        let error = #expect(throws: ImpairmentError.self) { try trace(text) }
        #expect(error?.what.contains(words) == true, "\(String(describing: error))")
    }

    @Test func `line ends and blank lines of any system are read`() throws {
        #expect(try trace("1\r\n\r\n3\r\n").milliseconds == [1, 3] && trace("1\n3").milliseconds == [1, 3])
    }

    @Test(arguments: ["lte.trace", "wifi.trace"])
    func `a full link delivers what its trace says, in order, and a busy one waits through its gaps`(
        _ name: String
    ) throws {
        let bytes = try SmallFile.readRegular(Self.folder + name, limit: PacketTrace.mostBytes)
        let condition = try Impairment("trace=\(name)") { _ throws(ImpairmentError) in bytes }
        let trace = try #require(condition.trace)
        let start = MonotonicTime(nanoseconds: 0)
        var path = ImpairedPath(condition, start: start, random: SeededRandom(seed: 1))
        // More than it can carry: a packet of 1500 bytes every 0.2 ms, 60 Mbit/s, for 10 s.
        var arrivals: [MonotonicTime] = []
        for index in 0..<50_000 {
            arrivals += path.arrivals(ofDatagram: 1500, at: start + .microseconds(200 * index))
        }
        #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 <= $1 })
        let carried = Double(arrivals.count { $0 <= start + .seconds(10) }) * 12_000 / 10
        #expect(abs(carried / trace.bitsPerSecond - 1) < 0.06, "\(carried) of \(trace.bitsPerSecond)")
        #expect(arrivals.count < 50_000, "its queue drops the rest")
    }

    @Test func `each way has its own, and it is written as it was read`() throws {
        func read(_ text: String) throws(ImpairmentError) -> Impairment {
            try Impairment(text) { name throws(ImpairmentError) in
                guard name == "a.trace" else { throw ImpairmentError("no file \(name)") }
                return Array("1\n5\n".utf8)
            }
        }
        let condition = try read("delay=5ms,down:trace=a.trace,down:queue=64kB")
        #expect(condition.trace == nil && condition.down.trace?.name == "a.trace" && condition.losesPackets)
        #expect(try read(condition.text) == condition)
        for (text, words) in [
            ("trace=b.trace", "no file b.trace"), ("trace=", "the name of a file"),
            ("trace=a.trace,rate=1mbit", "rate="),
            ("trace=a.trace,trace=a.trace", "twice"),
        ] {
            let error = #expect(throws: ImpairmentError.self) { try read(text) }
            #expect(error?.what.contains(words) == true, "\(String(describing: error))")
        }
        #expect(throws: ImpairmentError.self) { try Impairment("trace=a.trace") }
    }

    @Test func `another trace in the middle begins anew`() throws {
        var path = ImpairedPath(start: MonotonicTime(nanoseconds: 0), random: SeededRandom(seed: 1))
        let now = MonotonicTime(nanoseconds: 50_000_000_000)
        path.impairment.trace = try trace((1...1000).map { "\($0)" }.joined(separator: "\n"))
        #expect(path.arrivals(ofDatagram: 100, at: now).count == 1)
        path.impairment.trace = try trace("100")
        #expect(path.arrivals(ofDatagram: 100, at: now + .milliseconds(1)) == [now + .milliseconds(100)])
    }
}
