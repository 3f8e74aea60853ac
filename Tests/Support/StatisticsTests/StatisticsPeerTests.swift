import Foundation
import IntegrationKit
import Testing

@testable import Statistics

/// Python with what our figures are compared with.
enum PythonPeer {
    /// The system's, with numpy and scipy.
    static let system = "/usr/bin/python3"
    /// The one with packages from PyPI, which scripts/setup --tests makes.
    static let packages = BuiltPrograms.repository + "/.build/peers/bin/python3"

    static func has(_ modules: String, _ python: String) -> Bool {
        (try? run(python, "import \(modules)", input: "")) != nil
    }

    /// What the script printed.
    static func run(_ python: String, _ script: String, input: String) throws -> String {
        guard FileManager.default.isExecutableFile(atPath: python) else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", script]
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        // From another thread: a pipe holds 64 kB, and the script may print before it has read all.
        Thread.detachNewThread {
            stdin.fileHandleForWriting.write(Data(input.utf8))
            try? stdin.fileHandleForWriting.close()
        }
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: output, as: UTF8.self)
    }

    static func numbers(_ python: String, _ script: String, input: String) throws -> [Double] {
        try run(python, script, input: input).split(whereSeparator: \.isWhitespace).map { try #require(Double($0)) }
    }
}

@Suite(
    "Figures beside numpy and scipy",
    .enabled(
        if: PythonPeer.has("numpy, scipy", PythonPeer.system), "numpy and scipy are missing: scripts/setup --tests"))
struct NumpyPeerTests {
    private func text(_ values: [Int64]) -> String { values.map { String($0) }.joined(separator: " ") }

    /// The counts are such that no percentile falls on a whole rank: there numpy's `inverted_cdf` works with a rounded
    /// product (99.9 percent of 1000 is 999.0000000000001) and takes the next value, while our rank is exact.
    @Test(arguments: [7, 101, 1009, 30_011])
    func `percentiles, mean and deviation`(count: Int) throws {
        let values = FixedData.values(count)
        let peer = try PythonPeer.numbers(
            PythonPeer.system,
            """
            import sys, numpy
            a = numpy.array(sys.stdin.read().split(), dtype=numpy.int64)
            for p in (50, 90, 99, 99.9, 99.99): print(numpy.percentile(a, p, method='inverted_cdf'))
            print(repr(a.mean()), repr(a.std(ddof=1)), a.min(), a.max())
            """, input: text(values))
        let ours = Samples(values)
        let percentiles = Percentile.usual.compactMap { ours.value(at: $0) }.map(Double.init)
        #expect(percentiles == Array(peer[..<5]))
        let (mean, deviation) = (try #require(ours.mean), try #require(ours.standardDeviation))
        #expect(abs(mean - peer[5]) <= 1e-12 * mean && abs(deviation - peer[6]) <= 1e-9 * deviation)
        #expect(ours.minimum.map(Double.init) == peer[7] && ours.maximum.map(Double.init) == peer[8])
    }

    /// scipy's bootstrap draws every sample again; ours draws the order statistic. Both estimate the same interval, each
    /// with an error of its own, so they agree to a part of its width.
    @Test(arguments: [51, 401]) func `the interval of a median`(count: Int) throws {
        var random = SeededRandom(seed: 11)
        let values = (0..<count).map { _ in Int64(1e6 + 1e5 * random.normal()) }
        let peer = try PythonPeer.numbers(
            PythonPeer.system,
            """
            import sys, numpy
            from scipy import stats
            a = numpy.array(sys.stdin.read().split(), dtype=float)
            r = stats.bootstrap((a,), numpy.median, n_resamples=5000, method='percentile', axis=-1,
                                random_state=numpy.random.default_rng(5))
            print(r.confidence_interval.low, r.confidence_interval.high)
            """, input: text(values))
        let ours = try #require(Bootstrap(rounds: 5000).median(Samples(values)))
        let width = peer[1] - peer[0]
        #expect(abs(ours.low - peer[0]) < 0.15 * width && abs(ours.high - peer[1]) < 0.15 * width)
    }

    @Test func `the interval of a ratio of medians`() throws {
        var random = SeededRandom(seed: 12)
        let slow = (0..<200).map { _ in Int64(3e6 + 3e5 * random.normal()) }
        let quick = (0..<300).map { _ in Int64(1e6 + 1e5 * random.normal()) }
        let peer = try PythonPeer.numbers(
            PythonPeer.system,
            """
            import sys, numpy
            from scipy import stats
            one, two = [numpy.array(line.split(), dtype=float) for line in sys.stdin.read().split('|')]
            ratio = lambda x, y, axis: numpy.median(x, axis=axis) / numpy.median(y, axis=axis)
            r = stats.bootstrap((one, two), ratio, n_resamples=5000, method='percentile', vectorized=True,
                                random_state=numpy.random.default_rng(6))
            print(r.confidence_interval.low, r.confidence_interval.high)
            """, input: text(slow) + "|" + text(quick))
        let ours = try #require(Bootstrap(rounds: 5000).ratioOfMedians(Samples(slow), over: Samples(quick)))
        let width = peer[1] - peer[0]
        #expect(abs(ours.low - peer[0]) < 0.15 * width && abs(ours.high - peer[1]) < 0.15 * width)
    }

    @Test func `jitter and delay variation`() throws {
        let values = FixedData.values(500)
        var jitter = Jitter()
        for value in values { jitter.arrive(transit: value) }
        let peer = try PythonPeer.numbers(
            PythonPeer.system,
            """
            import sys, numpy
            from scipy import signal
            d = numpy.diff(numpy.array(sys.stdin.read().split(), dtype=numpy.int64))
            print(repr(signal.lfilter([1 / 16], [1, -15 / 16], numpy.abs(d))[-1]), d.min(), d.max(), numpy.abs(d).sum())
            """, input: text(values))
        #expect(abs(jitter.rfc3550 - peer[0]) < 1e-9 * peer[0])
        let differences = jitter.delayVariation
        #expect(differences.min().map(Double.init) == peer[1] && differences.max().map(Double.init) == peer[2])
        #expect(Double(differences.reduce(0) { $0 + abs($1) }) == peer[3])
    }
}

@Suite(
    "Histograms beside the HdrHistogram package",
    .enabled(
        if: PythonPeer.has("hdrh.histogram", PythonPeer.packages),
        "the package hdrhistogram is missing: scripts/setup --tests gets it when PyPI can be reached"))
struct HdrHistogramPeerTests {
    @Test(arguments: [1, 10, 5000]) func `a log is read with every count`(count: Int) throws {
        var histogram = HDRHistogram()
        for value in FixedData.values(count) { histogram.record(value) }
        histogram.record(0)
        histogram.record(HDRHistogram.hour, times: 70_000)
        let log = HDRLog(
            comments: ["ours"], startSeconds: 1_700_000_000,
            entries: [.init(tag: "udp/command", startSeconds: 1, lengthSeconds: 2, histogram: histogram)])
        let file = NSTemporaryDirectory() + "uavlink-\(UUID().uuidString).hdr"
        try Data(log.text.utf8).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let peer = try PythonPeer.numbers(
            PythonPeer.packages,
            """
            import sys
            from hdrh.histogram import HdrHistogram
            from hdrh.log import HistogramLogReader
            base = HdrHistogram(1, 3600000000000, 3)
            h = HistogramLogReader('\(file)', base).get_next_interval_histogram()
            assert h.get_tag() == 'udp/command', h.get_tag()
            print(h.get_total_count())
            for i in h.get_recorded_iterator():
                print(i.value_iterated_to, i.count_at_value_iterated_to)
            """, input: "")
        #expect(peer[0] == Double(histogram.total))
        let ours = histogram.counts.enumerated().filter { $0.element > 0 }.flatMap { index, count in
            [Double(HDRHistogram.highestEquivalentValue(HDRHistogram.value(at: index))), Double(count)]
        }
        #expect(Array(peer.dropFirst()) == ours)
    }
}
