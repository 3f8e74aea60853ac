internal import MRS
internal import ReportKit
internal import SSHTransport
internal import SystemIO
internal import SystemKit
internal import Threads
package import UAVLink

/// How busy a computer is, and the signal of its wireless network.
package struct HostLoad: Hashable, Sendable {
    /// Processes that ran or waited for a processor in the last minute, per processor: from 1 on, processes wait.
    package var load: Double
    /// The signal of the first wireless interface, dBm; `nil` without one.
    package var signalDecibels: Double?

    /// The query, for a POSIX shell on Linux (proc(5)).
    static let command = "cat /proc/loadavg; nproc; cat /proc/net/wireless 2>/dev/null"

    /// Parses the output of the query; `nil` if it is something else.
    package init?(_ printed: String) {
        let lines = String(decoding: printed.utf8.prefix(4096), as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count > 1, let average = lines[0].split(separator: " ").first.flatMap({ Double($0) }),
            (0...100_000).contains(average), let processors = Int(lines[1].trimmed), (1...100_000).contains(processors)
        else { return nil }
        load = average / Double(processors)
        // Two lines of titles, then one for each interface: name, status, quality, level, noise.
        for line in lines.dropFirst(2) {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count > 4, words[0].hasSuffix(":"),
                let level = Double(words[3].hasSuffix(".") ? words[3].dropLast() : words[3]), (-200...0).contains(level)
            else { continue }
            signalDecibels = level
            break
        }
    }

    /// This computer; `nil` where it cannot tell.
    package static func here() async -> HostLoad? {
        await DedicatedThread.run {
            ProgramOutput.of("/bin/sh", ["-c", command], environment: HostProcess.environment, within: .seconds(2))
                .flatMap { HostLoad($0.text) }
        } ?? nil
    }
}

extension VehicleConnector {
    /// The load of the vehicle's computer over its SSH session; `nil` for a vehicle that is reached without one.
    ///
    /// - Throws: ``LinkError``.
    package func hostLoad(within timeout: Duration) async throws(LinkError) -> HostLoad? {
        guard !profile.isLocal else { return nil }
        let line = RemoteShell.line(running: HostLoad.command)
        return HostLoad(try await session(within: timeout).run(line, within: timeout).outputText)
    }
}
