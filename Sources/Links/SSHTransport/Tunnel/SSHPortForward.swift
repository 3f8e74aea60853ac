#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import Threads
public import UAVLink

/// A port of this machine whose connections come out at a port of the vehicle's, each in a tunnel of its own inside an SSH
/// session: what `ssh -L` does.
///
/// ```
///   program ─▶ 127.0.0.1:port ─▶ a thread that reads ─▶ the session's thread ─▶ sshd ─▶ the vehicle's port
///   program ◀───────────────────────────────────── the session's thread ◀─ sshd ◀─╯
/// ```
/// Little waits in it: a program that keeps only its newest message to itself can go on doing so.
///
/// OpenSSH's server lets small packets wait for the acknowledgement of those before (Nagle), 40 ms and more, until a session
/// has run something: only then it sets TCP_NODELAY. So a session that carries a tunnel runs one command that does nothing.
public final class SSHPortForward: Sendable {
    private let session: SSHSession
    private let target: (host: String, port: UInt16)
    private let listener: ForwardedSocket
    private let open = Mutex<[ObjectIdentifier: ForwardedSocket]>([:])
    /// Has the server send small packets at once; the first tunnel begins it, all wait for it.
    private let hastening = Mutex<Task<Void, Never>?>(nil)
    /// Where to connect, on 127.0.0.1.
    public let port: UInt16

    /// How long opening a tunnel may take.
    private static let patience: Duration = .seconds(10)

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - host: the target as the vehicle sees it.
    ///   - port: its port.
    /// - Throws: ``LinkError`` with `internalFault` when the system has no socket or thread for it.
    public init(_ session: SSHSession, toHost host: String, port: UInt16) throws(LinkError) {
        self.session = session
        target = (host, port)
        guard let listener = ForwardedSocket.listening() else {
            throw LinkError(.internalFault, "no port could be opened for a tunnel: \(ErrorText.of(errno))")
        }
        self.listener = listener
        self.port = listener.localPort
        let hasStarted = OwnThread.start { [weak self] in
            while let client = listener.accept() { self?.take(client) }
        }
        guard hasStarted else { throw .noThread }
    }

    deinit { close() }

    /// Ends it and every connection through it.
    public func close() {
        listener.end()
        for client in open.withLock({ $0.values.map(\.self) }) { client.end() }
    }

    private func take(_ client: ForwardedSocket) {
        open.withLock { $0[ObjectIdentifier(client)] = client }
        Task { [self] in
            await haste().value
            do throws(LinkError) {
                let tunnel = try await session.openTunnel(
                    toHost: target.host, port: target.port, within: Self.patience)
                tunnel.pour { bytes in
                    // Its end, or a program that takes nothing any more.
                    guard let bytes, client.write(bytes) else { return client.end() }
                }
                let hasStarted = OwnThread.start { [weak self] in
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

    /// A server that lets nobody run anything forwards all the same, only slower.
    private func haste() -> Task<Void, Never> {
        hastening.withLock { task in
            if let task { return task }
            let session = session
            // Granted is enough: how long a forced command or a slow start-up file takes is of no interest.
            let new = Task<Void, Never> { try? await session.start("true", within: Self.patience).close() }
            task = new
            return new
        }
    }

    private func forget(_ client: ForwardedSocket) { open.withLock { $0[ObjectIdentifier(client)] = nil } }
}
