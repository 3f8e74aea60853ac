package import UAVLink

/// An interactive shell in a terminal on the vehicle.
///
/// All output, including standard error, arrives as ``SSHStream/output``; keys are sent as the bytes of a terminal
/// (Ctrl-C is 3).
package final class SSHShell: Sendable {
    private let channel: SSHChannel

    init(_ channel: SSHChannel) { self.channel = channel }

    /// Returns the next bytes for the screen, untrusted; `nil` when the shell has ended.
    ///
    /// - Throws: ``LinkError`` as ``SSHChannel/read(within:)``.
    package func read(within timeout: Duration) async throws(LinkError) -> [UInt8]? {
        try await channel.read(within: timeout)?.bytes
    }

    /// Sends typed input.
    ///
    /// - Throws: ``LinkError`` as ``SSHChannel/write(_:within:)``.
    package func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError) {
        try await channel.write(bytes, within: timeout)
    }

    /// Announces a new terminal size to the shell; newest-wins.
    package func resize(columns: Int, rows: Int) {
        channel.resize(columns: columns, rows: rows)
    }

    /// The shell's exit status, known once ``read(within:)`` has returned `nil`.
    package var exit: SSHExit? { channel.exit }

    /// Closes the shell; it and the programs in its terminal receive SIGHUP. Safe to call twice.
    package func close() { channel.close() }
}

extension SSHSession {
    /// Opens the user's login shell in a terminal.
    ///
    /// - Throws: ``LinkError``: `timedOut`, `cancelled`, `notConnected`, `remoteFailed` when the server refuses one.
    package func openShell(_ terminal: SSHTerminal = SSHTerminal(), within timeout: Duration) async throws(LinkError)
        -> SSHShell
    {
        guard !terminal.type.utf8.contains(0) else {
            throw LinkError(.invalidInput, "the terminal type contains a NUL character")
        }
        return SSHShell(try await open(.shell(terminal), by: Deadline(in: timeout)))
    }

    /// Opens a TCP connection from the vehicle to a host and port, resolved on the vehicle.
    ///
    /// - Throws: ``LinkError``: `unreachable` when the vehicle cannot connect or its server forbids forwarding;
    ///   `timedOut`, `cancelled`, `notConnected`.
    package func openTunnel(toHost host: String, port: UInt16, within timeout: Duration) async throws(LinkError)
        -> SSHChannel
    {
        guard !host.isEmpty, !host.utf8.contains(0) else {
            throw LinkError(.invalidInput, "'\(host)' is not a valid host name")
        }
        return try await open(.tunnel(host: host, port: port), by: Deadline(in: timeout))
    }
}
