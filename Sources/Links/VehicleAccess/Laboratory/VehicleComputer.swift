internal import MRS
internal import SSHTransport
package import UAVLink

extension LaboratoryAccess {
    /// A named property of the vehicle's computer, or the version of what runs there.
    package typealias ComputerFact = (name: String, value: String, isVersion: Bool)

    /// Those of the vehicle's computer; none for a vehicle on this machine.
    ///
    /// - Throws: ``LinkError``.
    package func vehicleComputer(within timeout: Duration) async throws(LinkError) -> [ComputerFact] {
        guard !profile.isLocal else { return [] }
        let clock = SystemMonotonicClock()
        let deadline = clock.now + timeout
        func left() -> Duration { max(.milliseconds(1), deadline - clock.now) }
        let session = try await connector.shared.session(within: timeout)
        let result = try await session.run(RemoteShell.line(running: Self.question), within: left())
        var facts = Self.facts(result.outputText)
        // It is searched for anyway, and remembered.
        let ros = try? await connector.shared.finder.environment(in: session, within: left()).distribution
        if let ros, !ros.isEmpty { facts.append((name: "ROS", value: ros.sanitizedLine, isVersion: true)) }
        return facts
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
        echo "keepers" $(ps -e -o comm= 2>/dev/null |
            grep -x -E "chronyd|ntpd|systemd-timesyn.*|ptp4l|phc2sys|timemaster" | sort -u)
        pidof chronyd >/dev/null 2>&1 && echo "chrony $(chronyc -c tracking 2>/dev/null | cut -d , -f 3,5,10,12)"
        timedatectl show -p NTPSynchronized --value 2>/dev/null | sed "s/^/synchronised /"
        """

    static func facts(_ text: String) -> [ComputerFact] {
        var facts: [ComputerFact] = []
        func add(_ name: String, _ value: String, isVersion: Bool = false) { facts.append((name, value, isVersion)) }
        var processor = ""
        for line in text.split(separator: "\n").prefix(16).map({ $0.prefix(200).description.sanitizedLine }) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            if line == "keepers" { add("clock kept by", "nobody that is known") }
            guard words.count == 2 else { continue }
            switch words[0] {
            case "processor": processor = words[1]
            case "cores": add("processor", processor.isEmpty ? line : "\(processor), \(words[1]) cores")
            case "load": add("load at the start", words[1])
            case "keepers": add("clock kept by", words[1].split(separator: " ").joined(separator: ", "))
            case "chrony":
                let parts = words[1].split(separator: ",")
                guard parts.count == 4 else { continue }
                add(
                    "clock by chrony",
                    "stratum \(parts[0]), offset \(parts[1]) s, skew \(parts[2]) ppm, root dispersion \(parts[3]) s")
            case "synchronised": add("clock synchronised (timedatectl)", words[1])
            case let word where word.hasPrefix("OpenSSH"): add("OpenSSH", line, isVersion: true)
            default: if facts.isEmpty { add("system", line) }
            }
        }
        return facts
    }
}
