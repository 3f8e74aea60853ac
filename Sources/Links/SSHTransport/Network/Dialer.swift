#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import UAVLink

/// Opens a TCP connection to the first address of a host that accepts it.
///
/// Attempts are staggered and run in parallel, so that a dead address (such as an IPv6 route that leads nowhere) costs
/// 250 ms, not the whole timeout.
enum Dialer {
    /// The delay before the next address is tried in parallel; RFC 8305 recommends 250 ms.
    private static let stagger: Duration = .milliseconds(250)
    /// The most addresses that are tried.
    private static let maxAddresses = 16

    /// Returns a connected, non-blocking socket; the caller closes it.
    ///
    /// - Parameter check: throws when the caller has cancelled or the deadline has passed.
    static func connect(
        to addresses: [SocketAddress], endpoint: SSHEndpoint, waker: Waker, deadline: Deadline,
        check: () throws(LinkError) -> Void
    ) throws(LinkError) -> Int32 {
        var untried = addresses.prefix(maxAddresses)[...]
        var attempts: [(socket: Int32, address: SocketAddress)] = []
        var failures: [(address: SocketAddress, code: Int32)] = []
        var connected: Int32 = -1
        defer { for attempt in attempts where attempt.socket != connected { close(attempt.socket) } }
        var nextStart = Deadline(in: .zero)
        var poller = Poller()

        while true {
            if let address = untried.first, attempts.isEmpty || nextStart.hasPassed {
                untried.removeFirst()
                nextStart = Deadline(in: stagger)
                switch begin(address) {
                case .success(let socket): attempts.append((socket, address))
                case .failure(let failure): failures.append((address, failure.code))
                }
                continue
            }
            guard !attempts.isEmpty else { throw refusal(endpoint, failures) }
            poller.reset()
            for attempt in attempts { poller.add(attempt.socket, for: .writable) }
            poller.add(waker.descriptor)
            let until = untried.isEmpty ? deadline : min(deadline, nextStart)
            poller.wait(until.remaining)
            try check()
            for index in attempts.indices.reversed() where poller.isReady(index) {
                let (socket, address) = attempts[index]
                let code = pendingError(socket)
                guard code != 0 else {
                    connected = socket
                    return connected
                }
                failures.append((address, code))
                close(socket)
                attempts.remove(at: index)
                nextStart = Deadline(in: .zero)
            }
        }
    }

    private struct Failure: Error { let code: Int32 }

    private static func begin(_ address: SocketAddress) -> Result<Int32, Failure> {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { return .failure(Failure(code: errno)) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        tune(descriptor)
        let result = address.bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address in
                #if canImport(Glibc)
                    Glibc.connect(descriptor, address.baseAddress, socklen_t(bytes.count))
                #else
                    Darwin.connect(descriptor, address.baseAddress, socklen_t(bytes.count))
                #endif
            }
        }
        guard result == 0 || errno == EINPROGRESS else {
            let code = errno
            close(descriptor)
            return .failure(Failure(code: code))
        }
        return .success(descriptor)
    }

    /// Sets the socket options before connecting.
    private static func tune(_ descriptor: Int32) {
        // Without TCP_NODELAY every command waits 40 ms for a delayed acknowledgement (measured: 124 ms instead of 83 ms).
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        #if canImport(Glibc)
            set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, SSHTimeouts.lossTimeoutMilliseconds)
        #else
            set(descriptor, Int32(IPPROTO_TCP), TCP_RXT_CONNDROPTIME, SSHTimeouts.lossTimeoutMilliseconds / 1000)
            set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        // Best effort: without one of these the connection is slower, or its loss is noticed later.
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func pendingError(_ descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
        return code
    }

    private static func refusal(_ endpoint: SSHEndpoint, _ failures: [(address: SocketAddress, code: Int32)])
        -> LinkError
    {
        let tried = failures.map { "\($0.address.text): \(SystemError.text($0.code))" }.joined(separator: ", ")
        let hint =
            failures.contains { $0.code == ECONNREFUSED }
            ? "connection refused: is the SSH server running, and is \(endpoint.port) its port?"
            : "is the vehicle on and in the same network, and is the address correct?"
        return LinkError(
            .unreachable, "cannot connect to \(endpoint.host) port \(endpoint.port) (\(tried))", hint: hint)
    }
}
