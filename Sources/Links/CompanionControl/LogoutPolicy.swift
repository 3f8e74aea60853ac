internal import SystemIO
internal import SystemKit

/// Whether a companion started in a login session outlives it, where systemd-logind decides that.
///
/// With `KillUserProcesses=yes` (logind.conf) `setsid` does not save a process: everything in the login's control group ends
/// with it. What `systemd-run --user --scope` starts belongs to the user's service manager instead, and ends with the user's
/// last logout, or not at all if the user lingers.
public struct LogoutPolicy: Hashable, Sendable {
    /// Whether the processes of this login end with it.
    public let endsProcesses: Bool
    /// Whether the user's service manager outlives the last logout.
    public let lingers: Bool

    /// Warning for the user; `nil` if a companion outlives the login.
    public func warning(user: String) -> (what: String, advice: String)? {
        guard endsProcesses, !lingers else { return nil }
        return (
            "KillUserProcesses=yes: a companion started on demand ends at the user's last log-out, "
                + "and its sessions with it",
            // A name that is no portable one is not made part of a command for root.
            (HostProcess.isPortableUserName(user) ? "'sudo loginctl enable-linger \(user)' on the vehicle, or " : "")
                + "run it as a service (scripts/systemd)"
        )
    }

    /// Asks logind, if the environment belongs to one of its sessions; a process outside of them is not ended by it. Blocks
    /// for a second or two at worst.
    public init(environment: [String: String]) {
        guard environment["XDG_SESSION_ID"]?.isEmpty == false else {
            self.init(endsProcesses: false, lingers: false)
            return
        }
        self.init(environment: environment, user: HostProcess.userName, number: HostProcess.userNumber)
    }

    private init(environment: [String: String], user: String, number: UInt32) {
        let manager = Self.ask(
            "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
            ["KillUserProcesses", "KillExcludeUsers", "KillOnlyUsers"], environment)
        let endsProcesses = Self.endsProcesses(manager, user: user)
        let answer =
            endsProcesses
            ? Self.ask(
                "/org/freedesktop/login1/user/_\(number)", "org.freedesktop.login1.User", ["Linger"], environment) : ""
        self.init(endsProcesses: endsProcesses, lingers: Self.isTrue(answer.split(whereSeparator: \.isNewline).first))
    }

    init(endsProcesses: Bool, lingers: Bool) {
        self.endsProcesses = endsProcesses
        self.lingers = lingers
    }

    // MARK: What busctl prints

    /// Parses the values of `KillUserProcesses`, `KillExcludeUsers` and `KillOnlyUsers`, one per line: `b true`, `as 1
    /// "root"`, `as 0`.
    static func endsProcesses(_ text: String, user: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline)
        guard isTrue(lines.first) else { return false }
        let excluded = lines.count > 1 ? names(lines[1]) : []
        let only = lines.count > 2 ? names(lines[2]) : []
        return !excluded.contains(user) && (only.isEmpty || only.contains(user))
    }

    private static func isTrue(_ line: Substring?) -> Bool { line == "b true" }

    /// The strings of `as 2 "a" "b"`.
    private static func names(_ line: Substring) -> [String] {
        guard line.hasPrefix("as ") else { return [] }
        return line.split(separator: " ").dropFirst(2).map { $0.filter { $0 != "\"" } }
    }

    /// `busctl` gives up by itself after a second.
    private static let timeout: Duration = .seconds(5)

    /// - Returns: the output of `busctl`; empty if it is missing or fails.
    private static func ask(
        _ object: String, _ interface: String, _ properties: [String], _ environment: [String: String]
    ) -> String {
        let printed = ProgramOutput.of(
            "/usr/bin/env",
            ["busctl", "--timeout=1", "get-property", "org.freedesktop.login1", object, interface] + properties,
            environment: environment, within: timeout)
        return printed?.exitStatus == 0 ? printed?.text ?? "" : ""
    }
}
