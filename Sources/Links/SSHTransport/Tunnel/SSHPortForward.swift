#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemIO
internal import Threads
package import UAVLink

/// A local port whose connections are forwarded to a port of the vehicle, each in its own tunnel inside an SSH session,
/// as with `ssh -L`.
///
/// ```
///   program ─▶ 127.0.0.1:port ─▶ reader thread ─▶ session's thread ─▶ sshd ─▶ the vehicle's port
///   program ◀────────────────────────────────── session's thread ◀─ sshd ◀─╯
/// ```
/// Its buffers are small, so that a program that sends only its newest message can continue to do so.
///
/// OpenSSH's server sets TCP_NODELAY only when a session has run a command; until then small packets wait for the
/// acknowledgement of earlier ones (Nagle), 40 ms and more. So a session with a tunnel runs one command, `true`.
package final class SSHPortForward: Sendable {
    private let session: SSHSession
    private let target: (host: String, port: UInt16)
    private let listener: ForwardedSocket
    private let open = Mutex<[ObjectIdentifier: ForwardedSocket]>([:])
    /// Makes the server set TCP_NODELAY; started by the first tunnel, awaited by all.
    private let noDelayTask = Mutex<Task<Void, Never>?>(nil)
    /// The port to connect to, on 127.0.0.1.
    package let port: UInt16

    /// The timeout for opening a tunnel.
    private static let openTimeout: Duration = .seconds(10)

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: the target, resolved on the vehicle.
    ///   - port: its port.
    /// - Throws: ``LinkError`` with `internalFault` when the system has no socket or thread for it.
    package init(_ session: SSHSession, toHost host: String, port: UInt16) throws(LinkError) {
        self.session = session
        target = (host, port)
        guard let listener = ForwardedSocket.listening() else {
            throw LinkError(.internalFault, "cannot open a local port for a tunnel: \(SystemError.text(errno))")
        }
        self.listener = listener
        self.port = listener.localPort
        let hasStarted = DedicatedThread.start { [weak self] in
            while let client = listener.accept() { self?.take(client) }
        }
        guard hasStarted else { throw .noThread }
    }

    deinit { close() }

    /// Closes the port and every connection through it.
    package func close() {
        listener.end()
        for client in open.withLock({ $0.values.map(\.self) }) { client.end() }
    }

    private func take(_ client: ForwardedSocket) {
        open.withLock { $0[ObjectIdentifier(client)] = client }
        Task { [self] in
            await haste().value
            do throws(LinkError) {
                let tunnel = try await session.openTunnel(
                    toHost: target.host, port: target.port, within: Self.openTimeout)
                tunnel.forwardData { bytes in
                    // The end of the tunnel, or a program that accepts no more data.
                    guard let bytes, client.write(bytes) else { return client.end() }
                }
                let hasStarted = DedicatedThread.start { [weak self] in
                    client.pump(into: tunnel)
                    self?.forget(client)
                }
                if !hasStarted { throw .noThread }
            } catch {
                client.end()
                forget(client)
            }
        }
    }

    /// A server that allows no commands still forwards, only slower.
    private func haste() -> Task<Void, Never> {
        noDelayTask.withLock { task in
            if let task { return task }
            let session = session
            // The start is enough; the duration of a forced command or a start-up file does not matter.
            let new = Task<Void, Never> { try? await session.start("true", within: Self.openTimeout).close() }
            task = new
            return new
        }
    }

    private func forget(_ client: ForwardedSocket) { open.withLock { $0[ObjectIdentifier(client)] = nil } }
}
