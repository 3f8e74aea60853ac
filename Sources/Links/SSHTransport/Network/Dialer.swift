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

    /// Returns a connected, non-blocking socket.
    ///
    /// - Parameter check: throws when the caller has cancelled or the deadline has passed.
    static func connect(
        to addresses: [AddressLookup.Address], endpoint: SSHEndpoint, waker: Waker, deadline: Deadline,
        check: () throws(LinkError) -> Void
    ) throws(LinkError) -> SocketHandle {
        var untried = addresses.prefix(maxAddresses)[...]
        var attempts: [(socket: SocketHandle, address: AddressLookup.Address)] = []
        var failures: [(address: AddressLookup.Address, code: Int32)] = []
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
            for attempt in attempts { poller.add(attempt.socket.descriptor, for: .writable) }
            poller.add(waker.descriptor)
            let until = untried.isEmpty ? deadline : min(deadline, nextStart)
            poller.wait(until.remaining)
            try check()
            for index in attempts.indices.reversed() where poller.isReady(index) {
                let (socket, address) = attempts[index]
                let code = socket.pendingError
                guard code != 0 else { return socket }
                failures.append((address, code))
                attempts.remove(at: index)
                nextStart = Deadline(in: .zero)
            }
        }
    }

    private struct Failure: Error { let code: Int32 }

    private static func begin(_ address: AddressLookup.Address) -> Result<SocketHandle, Failure> {
        guard let socket = SocketHandle.make(family: address.family, stream: true) else {
            return .failure(Failure(code: errno))
        }
        tune(socket)
        let code = address.withSockaddr { systemConnect(socket.descriptor, $0, $1) == 0 ? 0 : errno }
        return code == 0 || code == EINPROGRESS ? .success(socket) : .failure(Failure(code: code))
    }

    /// Sets the socket options before connecting.
    private static func tune(_ socket: SocketHandle) {
        // Without TCP_NODELAY every command waits 40 ms for a delayed acknowledgement (measured: 124 ms instead of 83 ms).
        socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        socket.set(SOL_SOCKET, SO_KEEPALIVE, 1)
        #if canImport(Glibc)
            socket.set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, SSHTimeouts.lossTimeoutMilliseconds)
        #else
            socket.set(Int32(IPPROTO_TCP), TCP_RXT_CONNDROPTIME, SSHTimeouts.lossTimeoutMilliseconds / 1000)
        #endif
    }

    private static func refusal(
        _ endpoint: SSHEndpoint, _ failures: [(address: AddressLookup.Address, code: Int32)]
    ) -> LinkError { refusal(endpoint, byAddress: failures.map { (address: $0.address.text, code: $0.code) }) }

    /// Why no address accepts a connection: each reason once, after the addresses that it is of.
    static func refusal(_ endpoint: SSHEndpoint, byAddress failures: [(address: String, code: Int32)]) -> LinkError {
        var codes: [Int32] = []
        for failure in failures where !codes.contains(failure.code) { codes.append(failure.code) }
        let tried = codes.map { code in
            let addresses = failures.filter { $0.code == code }.map(\.address).joined(separator: ", ")
            return "\(addresses): \(SystemError.text(code))"
        }
        let hint =
            codes.contains(ECONNREFUSED)
            ? "is the SSH server running, and is \(endpoint.port) its port?"
            : "is the vehicle on and in the same network, and is the address correct?"
        return LinkError(
            .unreachable,
            "cannot connect to \(endpoint.host) port \(endpoint.port) (\(tried.joined(separator: "; ")))", hint: hint)
    }
}

// Inside the type, the method of the same name hides the system function.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}
