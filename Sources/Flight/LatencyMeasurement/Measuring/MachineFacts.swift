#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ReportKit
internal import SystemKit
internal import UAVLink

/// Properties of the ground's machine, for the report.
enum MachineFacts {
    static var machine: [LatencyReport.Fact] {
        var facts: [LatencyReport.Fact] = []
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        if let name = line("model name", in: "/proc/cpuinfo") {
            facts.append(.init("processor", "\(name), \(cores) cores"))
        }
        let memory = Double(sysconf(Int32(_SC_PHYS_PAGES))) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e9
        facts.append(.init("memory", "\(Int(saturating: memory.rounded())) GB"))
        if let name = line("PRETTY_NAME", in: "/etc/os-release", separator: "=") {
            facts.append(.init("system", name.filter { $0 != "\"" }))
        }
        if let load = text("/proc/loadavg")?.split(separator: " ").first {
            facts.append(.init("load at the start", String(load)))
        }
        return facts
    }

    static var versions: [LatencyReport.Fact] {
        var facts = [LatencyReport.Fact("uavlink", Version.text)]
        if let kernel = text("/proc/sys/kernel/osrelease") {
            facts.append(.init("kernel", kernel.trimmed))
        }
        return facts
    }

    /// The processors' descriptions of a large machine are the longest of these files.
    private static func text(_ path: String) -> String? {
        (try? SmallFile.read(path, limit: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func line(_ name: String, in path: String, separator: Character = ":") -> String? {
        text(path)?.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: separator).dropFirst().first
            .map(\.trimmed)
    }
}
