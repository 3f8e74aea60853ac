internal import Foundation
internal import ReportKit
internal import UAVLink

/// Properties of the ground's machine, for the report.
enum MachineFacts {
    static var machine: [LatencyReport.Fact] {
        var facts: [LatencyReport.Fact] = []
        let cores = ProcessInfo.processInfo.activeProcessorCount
        if let name = line("model name", in: "/proc/cpuinfo") {
            facts.append(.init("processor", "\(name), \(cores) cores"))
        }
        let memory = Double(ProcessInfo.processInfo.physicalMemory) / 1e9
        facts.append(.init("memory", "\(Int(saturating: memory.rounded())) GB"))
        facts.append(.init("system", ProcessInfo.processInfo.operatingSystemVersionString))
        if let load = text("/proc/loadavg")?.split(separator: " ").first {
            facts.append(.init("load at the start", String(load)))
        }
        return facts
    }

    static var versions: [LatencyReport.Fact] {
        var facts = [LatencyReport.Fact("uavlink", Version.text)]
        if let kernel = text("/proc/sys/kernel/osrelease") {
            facts.append(.init("kernel", kernel.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        return facts
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private static func line(_ name: String, in path: String) -> String? {
        text(path)?.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: ":").dropFirst().first
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
