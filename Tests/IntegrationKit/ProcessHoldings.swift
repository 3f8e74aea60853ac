internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What a process has of the system's, as Linux counts it in `/proc`.
public struct ProcessHoldings: Sendable, CustomStringConvertible {
    /// Whether this system tells.
    public static var areKnown: Bool { FileManager.default.fileExists(atPath: "/proc/self/fd") }

    /// What each open descriptor leads to: a path, `socket:[...]`, `pipe:[...]`.
    public let descriptors: [String]
    /// How many threads it has.
    public let threads: Int
    /// What it has in memory (`VmRSS`), KiB.
    public let residentKibibytes: Int

    /// Looks at a process.
    public init(of pid: Int32) {
        let folder = "/proc/\(pid)/fd"
        descriptors = Self.entries(folder).compactMap {
            // The descriptor by which the folder was read is gone by now.
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
        }.sorted()
        threads = Self.entries("/proc/\(pid)/task").count
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        residentKibibytes = line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// The test's own process.
    public static var ownPID: Int32 { getpid() }

    /// The processes that have descended from this one and still are: also those that made sessions of their own, as long as
    /// they stand below one of the tests' guardians.
    public static func descendants(of ancestor: Int32 = ownPID) -> [Int32] {
        var children: [Int32: [Int32]] = [:]
        for pid in entries("/proc").compactMap({ Int32($0) }) {
            let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            guard let end = stat.lastIndex(of: ")") else { continue }
            let fields = stat[end...].split(separator: " ")
            // The state and the parent; who is dead and not fetched yet holds nothing.
            guard fields.count > 2, fields[1] != "Z", let parent = Int32(fields[2]) else { continue }
            children[parent, default: []].append(pid)
        }
        var found: [Int32] = []
        var next = children[ancestor] ?? []
        while let pid = next.popLast() {
            found.append(pid)
            next += children[pid] ?? []
        }
        return found
    }

    /// In one line, without what the descriptors are.
    public var description: String {
        "\(descriptors.count) descriptors, \(threads) threads, \(residentKibibytes) KiB"
    }

    /// What each of its threads waits in, for the report of one that does not end: name, state, and what the kernel does for it.
    public static func waits(of pid: Int32) -> String {
        func text(_ path: String) -> String {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return String(text.prefix { $0 != "\n" })
        }
        return entries("/proc/\(pid)/task").sorted().map { thread in
            let folder = "/proc/\(pid)/task/\(thread)/"
            let state = text(folder + "stat").split(separator: ")").last?.split(separator: " ").first ?? "?"
            return "\(text(folder + "comm")) \(state) \(text(folder + "wchan")) [\(text(folder + "syscall"))]"
        }.joined(separator: "; ")
    }

    /// Whether each thread of a process has been stopped by a signal. One that runs, or waits for a processor, is not yet.
    public static func isStopped(_ pid: Int32) -> Bool {
        entries("/proc/\(pid)/task").allSatisfy { thread in
            let line = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/stat", encoding: .utf8)
            guard let line, let end = line.lastIndex(of: ")") else { return true }
            return line[end...].dropFirst(2).first == "T"
        }
    }

    private static func entries(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
