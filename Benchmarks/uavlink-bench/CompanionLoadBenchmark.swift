import BenchmarkKit
import Foundation
import Glibc
import IntegrationKit

/// What the companion costs the vehicle's computer in flight: all of its telemetry subscribed, one ground over UDP.
enum CompanionLoadBenchmark {
    static func run(_ setting: Setting, on vehicle: VehicleUnderTest, _ name: String, key: String) async throws
        -> Section
    {
        var section = Section(key: key, title: "The companion in flight with \(name)")
        let seconds = setting.amount(20, quick: 5)
        guard let process = vehicle.companion.pid else { throw ProcessFailure("the companion has ended") }
        var (shares, sizes): ([Double], [Double]) = ([], [])
        for _ in 0..<setting.runs {
            try await withCrew { crew in
                _ = try await crew.link(.udp, to: vehicle.ticket())
                // What a session's beginning takes is no part of it.
                try await Task.sleep(for: .seconds(2))
                let (began, before) = (ContinuousClock.now, try processorSeconds(of: process))
                try await Task.sleep(for: .seconds(seconds))
                let (used, took) = (try processorSeconds(of: process) - before, ContinuousClock.now - began)
                shares.append(100 * used / (took / .seconds(1)))
                sizes.append(try residentMegabytes(of: process))
            }
        }
        section.notes = [
            "\(setting.runs) runs of \(seconds) s with a session of their own over UDP, whose state frames come at 50 Hz; the "
                + "companion and the vehicle, which flies, are the same in all"
        ]
        section.figures = [
            Figure(name: "companion: of one core", estimate: Estimate(byRun: shares), unit: "%", limit: .atMost(2)),
            Figure(
                name: "companion: resident memory", estimate: Estimate(byRun: sizes), unit: "MB", limit: .atMost(12)),
        ]
        return section
    }

    /// User's and system's time of all its threads, those that ended too (proc(5), `/proc/PID/stat`, fields 14 and 15).
    private static func processorSeconds(of process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The second field is the program's name in parentheses, which may have blanks.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw ProcessFailure("cannot read /proc/\(process)/stat: \(text)")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func residentMegabytes(of process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else {
            throw ProcessFailure("no VmRSS in /proc/\(process)/status")
        }
        return kibibytes * 1024 / 1e6
    }
}
