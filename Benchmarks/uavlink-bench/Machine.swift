import Foundation
import Glibc
import ReportKit

/// What the figures depend on, and nothing that names the machine.
struct Machine: Sendable {
    var cores: Int
    var memoryGigabytes: Double
    var kernel: String
    var system: String
    var processor: String
    /// One minute's average of how many processes wanted a core when the run began: 0 is a quiet machine.
    var load: Double

    static let current = Machine()

    private init() {
        cores = ProcessInfo.processInfo.activeProcessorCount
        memoryGigabytes = Double(ProcessInfo.processInfo.physicalMemory) / 1e9
        kernel = Self.value(in: "/proc/sys/kernel/ostype") + " " + Self.value(in: "/proc/sys/kernel/osrelease")
        system = Self.value(in: "/etc/os-release", of: "PRETTY_NAME", after: "=")
        processor = Self.value(in: "/proc/cpuinfo", of: "model name", after: ":")
        load = Self.value(in: "/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? .nan
    }

    private static func value(in path: String, of key: String = "", after separator: Character = "\n") -> String {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
        let value = key.isEmpty ? line : line.split(separator: separator, maxSplits: 1).last ?? ""
        return value.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }

    var text: String {
        """
        \(cores) cores (\(processor)), \(memoryGigabytes.formatted(decimals: 0)) GB, \(system), \(kernel); \
        load at the start \(load.formatted(decimals: 2))

        """
    }

    var json: JSONValue {
        [
            "cores": JSONValue(cores), "memory_gb": .number(memoryGigabytes), "kernel": .string(kernel),
            "system": .string(system), "processor": .string(processor), "load": .number(load),
        ]
    }
}
