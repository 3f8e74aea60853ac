internal import MRS
internal import SSHTransport
package import UAVLink

extension LaboratoryAccess {
    /// Named properties of the vehicle's computer; empty for a vehicle on this machine.
    ///
    /// - Throws: ``LinkError``.
    package func vehicleComputer(within timeout: Duration) async throws(LinkError) -> [(name: String, value: String)] {
        guard !profile.isLocal else { return [] }
        let session = try await connector.shared.session(within: timeout)
        let result = try await session.run(RemoteShell.line(running: Self.question), within: timeout)
        return Self.facts(result.outputText)
    }

    /// The output of a POSIX shell's commands on the vehicle, over a session that bypasses all relays; `nil` if they did not run.
    package func output(of commands: String, within timeout: Duration) async -> String? {
        guard !profile.isLocal, let session = try? await connector.shared.session(within: timeout) else { return nil }
        return try? await session.run(RemoteShell.line(running: commands), within: timeout).outputText
    }

    /// Read-only.
    private static let question = """
        uname -srm
        sed -n "s/^model name[^:]*: */processor /p" /proc/cpuinfo 2>/dev/null | head -n 1
        echo "cores $(nproc 2>/dev/null)"
        echo "load $(cut -d " " -f 1 /proc/loadavg 2>/dev/null)"
        ssh -V 2>&1 | head -n 1
        """

    static func facts(_ text: String) -> [(name: String, value: String)] {
        var facts: [(name: String, value: String)] = []
        var processor = ""
        for line in text.split(separator: "\n").prefix(16).map({ $0.prefix(200).description.sanitizedLine }) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            switch words[0] {
            case "processor": processor = words[1]
            case "cores": facts.append(("processor", processor.isEmpty ? line : "\(processor), \(words[1]) cores"))
            case "load": facts.append(("load at the start", words[1]))
            case let word where word.hasPrefix("OpenSSH"): facts.append(("SSH", line))
            default: if facts.isEmpty { facts.append(("system", line)) }
            }
        }
        return facts
    }
}
