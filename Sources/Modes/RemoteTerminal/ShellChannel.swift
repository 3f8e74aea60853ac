package import SSHTransport
package import TerminalEmulation
package import UAVLink
package import VehicleAccess

/// A shell in a terminal: over SSH, on this machine, or in a test.
package protocol ShellChannel: Sendable {
    /// The next bytes for the screen, untrusted, never empty; `nil` if the shell has ended.
    ///
    /// - Throws: ``LinkError``: `timedOut` if nothing was received in time (the channel stays open), `cancelled`, or
    ///   the reason of the connection's loss.
    func read(within timeout: Duration) async throws(LinkError) -> [UInt8]?

    /// Sends what was typed.
    ///
    /// - Throws: ``LinkError``.
    func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError)

    /// Sets the size of the shell's terminal.
    func resize(_ size: TerminalSize)

    /// How the shell ended: known once ``read(within:)`` has returned `nil`.
    var ending: ProgramEnding? { get }

    /// Closes the shell. Safe to call twice.
    func close()
}

/// How a program ended.
package struct ProgramEnding: Hashable, Sendable {
    /// Its exit status; `nil` if a signal ended it.
    package var status: Int32?
    /// The signal that ended it, without `SIG`.
    package var signal: String?

    package init(status: Int32?, signal: String? = nil) {
        self.status = status
        self.signal = signal
    }

    /// Whether it exited with status 0.
    package var isSuccess: Bool { status == 0 && signal == nil }

    /// A text for the user: `exit status 1`, `ended by SIGKILL`.
    package var words: String {
        if let signal { return "ended by SIG\(signal)" }
        return status.map { "exit status \($0)" } ?? "ended"
    }
}

/// Opens shells on one vehicle.
package struct ShellOpener: Sendable {
    /// Where the shell runs, for the user.
    package let place: String
    private let body: @Sendable (TerminalSize, Duration) async throws(LinkError) -> any ShellChannel

    /// Creates an opener; tests pass a fake.
    package init(
        place: String, _ body: @escaping @Sendable (TerminalSize, Duration) async throws(LinkError) -> any ShellChannel
    ) {
        self.place = place
        self.body = body
    }

    /// Opens a shell in a terminal of that size.
    ///
    /// - Throws: ``LinkError``.
    package func open(_ size: TerminalSize, within timeout: Duration) async throws(LinkError) -> any ShellChannel {
        try await body(size, timeout)
    }

    /// Opens shells on a connector's vehicle, over its SSH session; on this machine if it has no host.
    ///
    /// - Parameter terminalType: the value of `TERM`; the default corresponds to the emulated terminal.
    package init(
        _ connector: VehicleConnector?, environment: [String: String], terminalType: String = "xterm-256color"
    ) {
        guard let connector, let host = connector.profile.host else {
            self.init(place: "this machine") { (size, _) throws(LinkError) in
                try LocalShell(size: size, environment: environment, terminalType: terminalType)
            }
            return
        }
        let user = connector.profile.user.map { $0 + "@" } ?? ""
        self.init(place: "\(user)\(host)".sanitizedLine) { (size, timeout) throws(LinkError) in
            let session = try await connector.session(within: timeout)
            let terminal = SSHTerminal(type: terminalType, columns: size.columns, rows: size.rows)
            return try await session.openShell(terminal, within: timeout)
        }
    }
}

extension SSHShell: ShellChannel {
    /// Sets the size of the shell's terminal.
    package func resize(_ size: TerminalSize) { resize(columns: size.columns, rows: size.rows) }

    /// How the shell ended.
    package var ending: ProgramEnding? { exit.map { ProgramEnding(status: $0.status, signal: $0.signal) } }
}
