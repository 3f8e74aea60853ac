public import SSHTransport
public import TerminalEmulation
public import UAVLink
public import VehicleAccess

/// A shell in a terminal somewhere: over SSH, on this machine, or a test's.
public protocol ShellChannel: Sendable {
    /// The next bytes for the screen, untrusted, never none; `nil` when the shell has ended.
    ///
    /// - Throws: ``LinkError``: `timedOut` when nothing came in the time given (the channel goes on), `cancelled`, or why
    ///   the connection is lost.
    func read(within timeout: Duration) async throws(LinkError) -> [UInt8]?

    /// Sends what was typed.
    ///
    /// - Throws: ``LinkError``.
    func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError)

    /// Tells the shell the terminal's size.
    func resize(_ size: TerminalSize)

    /// How the shell ended: known once ``read(within:)`` has returned `nil`.
    var ending: ProgramEnding? { get }

    /// Hangs up. Safe to call twice.
    func close()
}

/// How a program ended.
public struct ProgramEnding: Hashable, Sendable {
    /// Its exit status; absent when a signal ended it.
    public var status: Int32?
    /// The signal that ended it, without `SIG`.
    public var signal: String?

    /// How a program ended.
    public init(status: Int32?, signal: String? = nil) {
        self.status = status
        self.signal = signal
    }

    /// Whether it ended by itself with status 0.
    public var isSuccess: Bool { status == 0 && signal == nil }

    /// For people: `exit status 1`, `ended by SIGKILL`.
    public var words: String {
        if let signal { return "ended by SIG\(signal)" }
        return status.map { "exit status \($0)" } ?? "ended"
    }
}

/// Opens shells on one vehicle.
public struct ShellOpener: Sendable {
    /// Where the shell is, for people.
    public let place: String
    private let body: @Sendable (TerminalSize, Duration) async throws(LinkError) -> any ShellChannel

    /// An opener; tests pass a fake.
    public init(
        place: String, _ body: @escaping @Sendable (TerminalSize, Duration) async throws(LinkError) -> any ShellChannel
    ) {
        self.place = place
        self.body = body
    }

    /// Opens a shell in a terminal of that size.
    ///
    /// - Throws: ``LinkError``.
    public func open(_ size: TerminalSize, within timeout: Duration) async throws(LinkError) -> any ShellChannel {
        try await body(size, timeout)
    }

    /// Shells on the vehicle of a connector, over its SSH session; on this machine when it has no host.
    ///
    /// - Parameter terminalType: what programs are told with `TERM`; the default is what the emulated terminal is like.
    public init(
        _ connector: VehicleConnector?, environment: [String: String], terminalType: String = "xterm-256color"
    ) {
        guard let connector, let host = connector.profile.host else {
            self.init(place: "this machine") { (size, _) throws(LinkError) in
                try LocalShell(size: size, environment: environment, terminalType: terminalType)
            }
            return
        }
        let user = connector.profile.user.map { $0 + "@" } ?? ""
        self.init(place: "\(user)\(host)".harmlessLine) { (size, timeout) throws(LinkError) in
            let session = try await connector.session(within: timeout)
            let terminal = SSHTerminal(type: terminalType, columns: size.columns, rows: size.rows)
            return try await session.openShell(terminal, within: timeout)
        }
    }
}

extension SSHShell: ShellChannel {
    /// Tells the shell the terminal's size.
    public func resize(_ size: TerminalSize) { resize(columns: size.columns, rows: size.rows) }

    /// How the shell ended.
    public var ending: ProgramEnding? { exit.map { ProgramEnding(status: $0.status, signal: $0.signal) } }
}
