internal import Foundation

/// What becomes of a companion that was started in a log-in once that ends, where systemd's logind decides it.
///
/// With `KillUserProcesses=yes` (logind.conf) a session of its own (`setsid`) does not save a process: all that is in the log-in's
/// control group goes with it. What is started by `systemd-run --user --scope` belongs to the user's manager instead, and goes with
/// the user's last log-out, or not at all when the user lingers.
public struct LogOut: Hashable, Sendable {
    /// Whether the processes of this log-in are ended with it.
    public let endsProcesses: Bool
    /// Whether the user's manager outlives the last log-out.
    public let lingers: Bool

    /// What is to be said to a person about it; `nil` when a companion outlives the log-in.
    public func warning(user: String) -> (what: String, advice: String)? {
        guard endsProcesses, !lingers else { return nil }
        return (
            "KillUserProcesses=yes: a companion that was started on demand ends with the last log-out, and with it every channel",
            "'sudo loginctl enable-linger \(user)' on the vehicle, or run it as a service (scripts/systemd)"
        )
    }

    /// Asks logind, when the environment says that this is one of its sessions; a process outside of them is not ended by it.
    /// It blocks for a second or two at worst.
    public init(environment: [String: String]) {
        guard environment["XDG_SESSION_ID"]?.isEmpty == false else {
            self.init(endsProcesses: false, lingers: false)
            return
        }
        self.init(environment: environment, user: NSUserName(), number: geteuid())
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

    /// Reads the values of `KillUserProcesses`, `KillExcludeUsers` and `KillOnlyUsers`, a line each: `b true`, `as 1 "root"`, `as 0`.
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
        return line.split(separator: " ").dropFirst(2).map { $0.trimmingCharacters(in: ["\""]) }
    }

    /// - Returns: what it printed; empty when it is not there or fails.
    private static func ask(
        _ object: String, _ interface: String, _ properties: [String], _ environment: [String: String]
    ) -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["busctl", "--timeout=1", "get-property", "org.freedesktop.login1", object, interface] + properties
        process.environment = environment
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let bytes = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : ""
    }
}
