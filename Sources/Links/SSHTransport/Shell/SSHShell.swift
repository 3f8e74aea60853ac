public import UAVLink

/// An interactive shell in a terminal on the vehicle.
///
/// Everything, also what programs write to standard error, comes as ``SSHStream/output``; keys go as the bytes that a
/// terminal sends (Ctrl-C is 3).
public final class SSHShell: Sendable {
    private let channel: SSHChannel

    init(_ channel: SSHChannel) { self.channel = channel }

    /// The next bytes for the screen, untrusted; `nil` when the shell has ended.
    ///
    /// - Throws: ``LinkError`` as ``SSHChannel/read(within:)``.
    public func read(within timeout: Duration) async throws(LinkError) -> [UInt8]? {
        try await channel.read(within: timeout)?.bytes
    }

    /// Sends what was typed.
    ///
    /// - Throws: ``LinkError`` as ``SSHChannel/write(_:within:)``.
    public func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError) {
        try await channel.write(bytes, within: timeout)
    }

    /// Tells the shell that the terminal's size has changed; of several quick changes the newest counts.
    public func resize(columns: Int, rows: Int) {
        channel.resize(columns: columns, rows: rows)
    }

    /// How the shell ended: known once ``read(within:)`` has returned `nil`.
    public var exit: SSHExit? { channel.exit }

    /// Hangs up: the shell and what runs in its terminal get SIGHUP. Safe to call twice.
    public func close() { channel.close() }
}

extension SSHSession {
    /// Opens the user's login shell in a terminal.
    ///
    /// - Throws: ``LinkError``: `timedOut`, `cancelled`, `notConnected`, `remoteFailed` when the server gives none.
    public func openShell(_ terminal: SSHTerminal = SSHTerminal(), within timeout: Duration) async throws(LinkError)
        -> SSHShell
    {
        guard !terminal.type.utf8.contains(0) else {
            throw LinkError(.invalidInput, "a terminal's type cannot have a NUL character in it")
        }
        return SSHShell(try await open(.shell(terminal), by: Deadline(in: timeout)))
    }

    /// Opens a TCP connection from the vehicle to a host and port as the vehicle sees them, and returns its bytes.
    ///
    /// - Throws: ``LinkError``: `unreachable` when the vehicle cannot connect or its server forbids forwarding;
    ///   `timedOut`, `cancelled`, `notConnected`.
    public func openTunnel(toHost host: String, port: UInt16, within timeout: Duration) async throws(LinkError)
        -> SSHChannel
    {
        guard !host.isEmpty, !host.utf8.contains(0) else {
            throw LinkError(.invalidInput, "'\(host)' cannot be a host's name")
        }
        return try await open(.tunnel(host: host, port: port), by: Deadline(in: timeout))
    }
}
