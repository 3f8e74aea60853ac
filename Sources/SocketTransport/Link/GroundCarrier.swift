#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// The ground's socket: connected to the companion, renewed when it fails. Touched only under its link's lock.
final class GroundCarrier {
    enum State {
        /// No socket; the next try is at that time.
        case waiting(until: MonotonicTime)
        /// A TCP connection is being made.
        case connecting
        case connected
    }

    let isStream: Bool
    private let addresses: [SocketAddress]
    private var place = 0
    private(set) var state: State
    private(set) var handle: SocketHandle?
    private var framing = StreamFraming()
    private let outgoing = FrameBuffer()
    private let incoming = FrameBuffer(size: ChannelLimits.frame + 1)
    /// The newest refusal of the network's, and how many addresses in a row refused.
    private(set) var lastError: Int32 = 0
    private(set) var refusals = 0
    private(set) var openedAt: MonotonicTime

    init(addresses: [SocketAddress], isStream: Bool, now: MonotonicTime) {
        self.addresses = addresses
        self.isStream = isStream
        state = .waiting(until: now)
        openedAt = now
    }

    /// Every address has refused.
    var isRefused: Bool { refusals >= addresses.count }

    /// Whether frames wait for the socket to take more, or a connection is being made.
    var wantsToWrite: Bool {
        switch state {
        case .waiting: false
        case .connecting: true
        case .connected: isStream && framing.isBlocked
        }
    }

    /// Opens a socket when it is time; true when frames can go out that could not before.
    func open(now: MonotonicTime) -> Bool {
        guard case .waiting(let until) = state, until <= now, !addresses.isEmpty else { return false }
        let address = addresses[place % addresses.count]
        openedAt = now
        guard let handle = SocketHandle.make(family: address.family, stream: isStream) else {
            fail(errno, now: now)
            return false
        }
        if isStream { handle.tuneStream() }
        handle.askForLeastDelay(family: address.family)
        framing = StreamFraming()
        let failed = address.withSockaddr { connect(handle.descriptor, $0, $1) }
        if failed == 0 {
            self.handle = handle
            state = .connected
            return true
        }
        guard errno == EINPROGRESS else {
            fail(errno, now: now)
            return false
        }
        self.handle = handle
        state = .connecting
        return false
    }

    /// A connection that was being made is ready or has failed; true when it is ready.
    func finishConnecting(now: MonotonicTime) -> Bool {
        guard case .connecting = state, let handle else { return false }
        let error = handle.pendingError
        guard error == 0 else {
            fail(error, now: now)
            return false
        }
        state = .connected
        return true
    }

    /// Drops the socket and tries the next address: at once after a silence, a little later after an error.
    func renew(now: MonotonicTime, after wait: Duration = .zero) {
        handle = nil
        place += 1
        state = .waiting(until: now + wait)
    }

    private func fail(_ error: Int32, now: MonotonicTime) {
        lastError = error
        refusals += 1
        renew(now: now, after: refusals < addresses.count ? .zero : ChannelTimes.reconnect)
    }

    /// Sends what the session has to send, as long as the socket takes it.
    func send(from session: GroundSession, now: MonotonicTime) {
        guard case .connected = state, let handle else { return }
        if isStream {
            do throws(StreamFraming.Failure) {
                try framing.flush(to: handle.descriptor)
                while !framing.isBlocked {
                    let length = session.nextFrame(into: framing.frameRoom, now: now)
                    guard length > 0 else { return }
                    try framing.send(length: length, to: handle.descriptor)
                }
            } catch { streamFailed(error, now: now) }
            return
        }
        while true {
            let length = session.nextFrame(into: outgoing.bytes, now: now)
            guard length > 0 else { return }
            // A datagram that the kernel does not take is a datagram lost; only a refusal says something of the host.
            if Self.send(handle.descriptor, outgoing.bytes, length) < 0 {
                let error = errno
                if error != EAGAIN, error != EWOULDBLOCK, error != ENOBUFS { return fail(error, now: now) }
            }
        }
    }

    /// Hands every frame that has come to `take`.
    func receive(now: MonotonicTime, _ take: (UnsafeMutableRawBufferPointer) -> Void) {
        guard case .connected = state, let handle else { return }
        if isStream {
            do throws(StreamFraming.Failure) {
                for _ in 0..<64 {
                    guard try framing.fill(from: handle.descriptor) else { return }
                    while let frame = try framing.nextFrame() { take(frame) }
                }
            } catch { streamFailed(error, now: now) }
            return
        }
        for _ in 0..<64 {
            let count = recv(handle.descriptor, incoming.bytes.baseAddress, incoming.bytes.count, 0)
            if count < 0 {
                let error = errno
                if error == ECONNREFUSED { fail(error, now: now) }
                return
            }
            refusals = 0
            take(UnsafeMutableRawBufferPointer(rebasing: incoming.bytes[..<count]))
        }
    }

    private func streamFailed(_ failure: StreamFraming.Failure, now: MonotonicTime) {
        switch failure {
        case .closed: fail(ECONNRESET, now: now)
        case .system(let number): fail(number, now: now)
        case .malformed: fail(EPROTO, now: now)
        }
    }

    private static func send(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ length: Int) -> Int {
        #if canImport(Glibc)
            Glibc.send(descriptor, bytes.baseAddress, length, Int32(MSG_NOSIGNAL))
        #else
            Darwin.send(descriptor, bytes.baseAddress, length, 0)
        #endif
    }

    /// When to be looked after next.
    var nextDeadline: MonotonicTime {
        if case .waiting(let until) = state { return until }
        return MonotonicTime(nanoseconds: .max)
    }
}
