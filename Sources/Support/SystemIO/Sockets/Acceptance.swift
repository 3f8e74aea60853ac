#if canImport(Glibc)
    package import Glibc
#else
    package import Darwin
#endif

/// What asking a listening socket for a connection has given.
package enum Acceptance {
    /// The next connection.
    case connection(SocketHandle)
    /// Nobody waits.
    case nobody
    /// Whoever waited is gone; the next one can be asked for at once.
    case gone
    /// The system has nothing left for another connection, with its `errno`. The connection waits on, and the listener stays
    /// readable: whoever asks again before ``rest`` has passed keeps a processor busy.
    case shortage(Int32)
    /// The socket does not listen any more.
    case ended

    private static let restMilliseconds: Int32 = 100
    /// How long a listener is left alone after a shortage: meanwhile other connections and programs may end.
    package static let rest: Duration = .milliseconds(restMilliseconds)

    /// What a failure of `accept` means.
    init(failure number: Int32) {
        switch number {
        case EAGAIN, EWOULDBLOCK: self = .nobody
        // Linux hands on what the network reported of the new connection.
        case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ETIMEDOUT: self = .gone
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: self = .shortage(number)
        default: self = .ended
        }
    }

    /// Holds the thread for ``rest``.
    package static func waitForResources() { _ = poll(nil, 0, restMilliseconds) }
}

extension SocketHandle {
    /// Asks a listening socket for its next pending connection; the parameters are those of ``acceptPeer(isBlocking:address:_:)``.
    package func acceptNext(
        isBlocking: Bool = false, address: UnsafeMutablePointer<sockaddr>? = nil,
        _ size: UnsafeMutablePointer<socklen_t>? = nil
    ) -> Acceptance {
        if let connection = acceptPeer(isBlocking: isBlocking, address: address, size) {
            return .connection(connection)
        }
        return Acceptance(failure: errno)
    }

    /// The next connection of a listening socket whose calls wait, as those of the connection; a shortage is waited out.
    ///
    /// - Returns: `nil` once it does not listen any more, as after ``end()``.
    package func acceptWaiting() -> SocketHandle? {
        while true {
            switch acceptNext(isBlocking: true) {
            case .connection(let connection): return connection
            case .nobody, .gone: continue
            case .shortage: Acceptance.waitForResources()
            case .ended: return nil
            }
        }
    }
}
