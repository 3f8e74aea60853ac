#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// The ground's socket: connected to the companion, renewed when it fails. Touched only under its link's lock.
///
/// What the network reports of a datagram (ICMP: port unreachable, no such host) is a hint and never a verdict: anybody can
/// forge it who knows the ports. The socket stays as it is, and silence decides. Only a TCP connection that ends, or a socket
/// that this machine itself does not open, has failed.
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
    /// The newest failure or hint, for people.
    private(set) var lastError: Int32 = 0
    /// How many addresses in a row failed.
    private var failures = 0
    /// How many datagrams the network said to be refused since something came.
    private var hints = 0
    /// Whether a datagram went out since the last hint: one datagram is refused once, however many hints come.
    private var hasSentSinceHint = false
    /// Whether the network said so of the address that is used now.
    private var isHintedHere = false
    private(set) var openedAt: MonotonicTime

    init(addresses: [SocketAddress], isStream: Bool, now: MonotonicTime) {
        self.addresses = addresses
        self.isStream = isStream
        state = .waiting(until: now)
        openedAt = now
    }

    /// Every address has failed, or so many hellos in a row were refused that nobody seems to be there.
    ///
    /// Between the first hello and the last of these lie 1.5 s: forged refusals end nothing before a companion on any link that
    /// can be flown over has answered, and an answer ends the opening first.
    var isRefused: Bool { failures >= addresses.count || hints >= ChannelLimits.refusedHellos }

    /// Whether another address may do better. The socket is kept until the next hello is due: the hint may be forged, and an
    /// answer on its way.
    var mayLeave: Bool { isHintedHere && addresses.count > 1 }

    /// How long the socket may go unanswered before another one is tried. It doubles each time that all addresses were tried,
    /// so that a round trip of seconds gets its answer back to a socket that is still there.
    var patience: Duration {
        let rounds = place / max(1, addresses.count)
        return min(ChannelTimes.silence * (1 << min(rounds, 8)), ChannelTimes.openingPatience)
    }

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
        isHintedHere = false
        handle.askForLeastDelay(family: address.family)
        framing = StreamFraming()
        let failed = address.withSockaddr { connect(handle.descriptor, $0, $1) }
        if failed == 0 {
            self.handle = handle
            state = .connected
            failures = 0
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
        failures = 0
        return true
    }

    /// Drops the socket and tries the next address: at once after a silence, and after an error no sooner than a while after the
    /// last try.
    func renew(now: MonotonicTime, after wait: Duration = .zero) {
        handle = nil
        place += 1
        state = .waiting(until: now + wait)
    }

    private func fail(_ error: Int32, now: MonotonicTime) {
        lastError = error
        failures += 1
        // A connection that stood for a while is made anew at once: whoever steers over it has the lease's 200 ms.
        renew(now: now, after: failures < addresses.count ? .zero : max(.zero, openedAt + ChannelTimes.reconnect - now))
    }

    private func note(hint error: Int32) {
        lastError = error
        isHintedHere = true
        if hasSentSinceHint { hints += 1 }
        hasSentSinceHint = false
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
            sendDatagram(UnsafeMutableRawBufferPointer(rebasing: outgoing.bytes[..<length]), to: handle.descriptor)
        }
    }

    /// A datagram that the kernel does not take is a datagram lost. A hint that waits is reported in place of sending, so it
    /// must not cost the datagram: the same frame is tried again.
    private func sendDatagram(_ frame: UnsafeMutableRawBufferPointer, to descriptor: Int32) {
        for _ in 0..<3 {
            guard Self.send(descriptor, frame) < 0 else {
                hasSentSinceHint = true
                return
            }
            let error = errno
            if error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS { return }
            note(hint: error)
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
                if error == EAGAIN || error == EWOULDBLOCK { return }
                note(hint: error)
                continue
            }
            hints = 0
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

    private static func send(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #endif
    }

    /// When to be looked after next.
    var nextDeadline: MonotonicTime {
        if case .waiting(let until) = state { return until }
        return MonotonicTime(nanoseconds: .max)
    }
}
