import Foundation
import IntegrationKit
import LatencyMeasurement
import LatencyOutput
import LatencyTestKit
import Statistics
import Testing

/// `scripts/latency-analysis`, which remakes the page's plots from the samples, with pandas.
@Suite(
    "The samples in pandas", .enabled(if: LatencyAnalysis.python != nil, "no python3 with pandas and matplotlib"),
    .timeLimit(.minutes(MachinePace.minutes(2))))
struct LatencyAnalysisPeerTests {
    @Test func `every series has its plots, and the percentiles are those of the page`() throws {
        var report = LatencyExamples.report(LatencyExamples.twoLinks, impairment: "delay=1ms,loss=2%")
        // One in twenty is lost: p99 lies among them.
        var series = LatencyExamples.series((0..<300).map { $0 % 20 == 0 ? nil : Int64($0 % 7) + 3 })
        series.samples[1].isCold = true
        report.conditions[0].links[1].steering = .series(series)
        let (output, files) = try LatencyAnalysis.run(report)
        #expect(files.filter { $0.hasSuffix(".svg") }.count == 4 * 3 + 1)
        #expect(files.contains("c1-steering-age.svg") && files.contains("c1-motion-time.svg"))
        let result = LatencyResult(report)
        let udp = try #require(result.summary.conditions[0].links[1][.steering])
        let line = try #require(output.split(separator: "\n").first { $0.contains(",steering,udp,") })
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        // The condition has a comma of its own.
        #expect(fields[4...7] == ["299", "284", "15", "30"])
        #expect(Double(fields[8]) == udp.medianNanoseconds.map { Double($0) / 1e6 })
        #expect(Double(fields[9]) == udp.value(at: .p90).map { Double($0) / 1e6 })
        #expect(fields[10].isEmpty && udp.value(at: .p99) == nil, "299 are too few")
    }
}

/// Runs the script.
private enum LatencyAnalysis {
    /// The Python that has what it takes: that of `scripts/setup --tests`, or the system's.
    static let python: String? = [BuiltPrograms.repository + "/.build/peers/bin/python3", "/usr/bin/python3"].first {
        (try? run($0, ["-c", "import pandas, matplotlib"])) != nil
    }

    /// The summary's lines, and the names of all files made.
    static func run(_ report: LatencyReport) throws -> (summary: String, files: [String]) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("latency-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var text = ""
        LatencyCSV.write(report) { text += $0 }
        let samples = folder.appendingPathComponent("samples.csv")
        try text.write(to: samples, atomically: true, encoding: .utf8)
        let script = BuiltPrograms.repository + "/scripts/latency-analysis"
        try run(python ?? "", [script, samples.path, folder.path])
        let summary = try String(contentsOf: folder.appendingPathComponent("summary.csv"), encoding: .utf8)
        return (summary, try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    private static func run(_ python: String, _ arguments: [String]) throws {
        guard FileManager.default.isExecutableFile(atPath: python) else { throw ProcessFailure("no \(python)") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = arguments
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ProcessFailure(String(decoding: said, as: UTF8.self)) }
    }
}
