#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

/// The ground's socket: connected to the companion, replaced when it fails. Accessed only under its link's lock.
///
/// What the network reports about a datagram (ICMP: port unreachable, host unreachable) is only a hint: anyone who knows the
/// ports can forge it. The socket is kept, and link loss decides. Only a TCP connection that ends, or a socket that this machine
/// itself cannot open, has failed.
final class GroundCarrier {
    enum State {
        /// No socket; the next attempt is at that time.
        case waiting(until: MonotonicTime)
        /// A TCP connection is being established.
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
    /// The latest failure or hint, for messages.
    private(set) var lastError: Int32 = 0
    /// Consecutive addresses that failed.
    private var failures = 0
    /// Datagrams refused by the network since one was received.
    private var hints = 0
    /// Whether a datagram was sent since the last hint: one datagram counts as refused once, however many hints arrive.
    private var hasSentSinceHint = false
    private var wantsStamps = false
    /// Whether there was a hint for the address in use.
    private var isHintedHere = false
    private(set) var openedAt: MonotonicTime
    /// The datagrams that the kernel has accepted, and those that were received.
    private(set) var datagrams = DatagramCounts()

    init(addresses: [SocketAddress], isStream: Bool, now: MonotonicTime) {
        self.addresses = addresses
        self.isStream = isStream
        state = .waiting(until: now)
        openedAt = now
    }

    /// Every address has failed, or so many hellos in a row were refused that no companion seems to be listening.
    ///
    /// The first and the last of these hellos are 1.5 s apart: before forged refusals can end the opening, a companion on any
    /// link fit for flying has answered, and an answer ends the opening first.
    var isRefused: Bool { failures >= addresses.count || hints >= ChannelLimits.refusedHellos }

    /// Whether to try another address. The socket is kept until the next hello is due: the hint may be forged and an answer on
    /// its way.
    var shouldTryNextAddress: Bool { isHintedHere && addresses.count > 1 }

    /// How long to wait for an answer before another socket is tried. It doubles after each round of all addresses, so that with
    /// a round trip of seconds the socket still exists when its answer arrives.
    var answerTimeout: Duration {
        let rounds = place / max(1, addresses.count)
        return min(ChannelTimes.linkLossTimeout * (1 << min(rounds, 8)), ChannelTimes.longestOpeningTimeout)
    }

    /// Whether frames wait for the socket to be writable, or a connection is being established.
    var wantsToWrite: Bool {
        switch state {
        case .waiting: false
        case .connecting: true
        case .connected: isStream && framing.isBlocked
        }
    }

    /// Opens a socket when it is due; returns true when frames can be sent that could not be before.
    func open(now: MonotonicTime) -> Bool {
        guard case .waiting(let until) = state, until <= now, !addresses.isEmpty else { return false }
        let address = addresses[place % addresses.count]
        openedAt = now
        guard let handle = SocketHandle.make(family: address.family, stream: isStream) else {
            fail(errno, now: now)
            return false
        }
        if isStream { handle.tuneStream() }
        if wantsStamps { _ = handle.stampReceipts() }
        isHintedHere = false
        handle.requestLowDelay(family: address.family)
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

    /// Completes a pending connection that is ready or has failed; returns true when it is ready.
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

    /// Closes the socket and moves on to the next address: at once after a timeout, after an error no sooner than the reconnect
    /// interval after the last attempt.
    func renew(now: MonotonicTime, after wait: Duration = .zero) {
        handle = nil
        place += 1
        state = .waiting(until: now + wait)
    }

    /// Closes the socket for good.
    func close() {
        handle = nil
        state = .waiting(until: MonotonicTime(nanoseconds: .max))
    }

    private func fail(_ error: Int32, now: MonotonicTime) {
        lastError = error
        failures += 1
        // A connection that lasted for a while is re-established at once: steering over it has only the lease of 200 ms.
        renew(now: now, after: failures < addresses.count ? .zero : max(.zero, openedAt + ChannelTimes.reconnect - now))
    }

    private func note(hint error: Int32) {
        lastError = error
        isHintedHere = true
        if hasSentSinceHint { hints += 1 }
        hasSentSinceHint = false
    }

    /// Sends what the session has to send, as long as the socket accepts it.
    func send(from session: GroundSession, now: MonotonicTime) {
        guard case .connected = state, let handle else { return }
        if isStream {
            do throws(StreamFraming.Failure) {
                try framing.flush(to: handle.descriptor)
                while !framing.isBlocked {
                    let length = session.nextFrame(into: framing.outgoingFrameBuffer, now: now)
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

    /// A datagram that the kernel does not accept is lost. A pending socket error is reported in place of sending and must not
    /// cost the datagram: the same frame is sent again.
    private func sendDatagram(_ frame: UnsafeMutableRawBufferPointer, to descriptor: Int32) {
        for _ in 0..<3 {
            guard Self.send(descriptor, frame) < 0 else {
                hasSentSinceHint = true
                datagrams.sent &+= 1
                datagrams.bytesSent &+= frame.count
                return
            }
            let error = errno
            if error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS { return }
            note(hint: error)
        }
    }

    /// Has the kernel stamp datagrams when it receives them, on this socket and on those that follow it.
    func stampReceipts() {
        guard !isStream, !wantsStamps else { return }
        wantsStamps = true
        _ = handle?.stampReceipts()
    }

    /// Passes received frames to `take`, with the nanoseconds for which the kernel had each, if it says so, until there are no
    /// more.
    ///
    /// - Parameter take: `false` if no further datagram is to be read now: what waits for this one comes first, and looking for more
    ///   would delay it. The next poll finds them.
    func receive(now: MonotonicTime, _ take: (UnsafeMutableRawBufferPointer, _ waited: Int64?) -> Bool) {
        guard case .connected = state, let handle else { return }
        if isStream {
            do throws(StreamFraming.Failure) {
                for _ in 0..<64 {
                    guard try framing.fill(from: handle.descriptor) else { return }
                    while let frame = try framing.nextFrame() { _ = take(frame, nil) }
                }
            } catch { streamFailed(error, now: now) }
            return
        }
        for _ in 0..<64 {
            let (count, waited) =
                wantsStamps
                ? handle.receiveStamped(into: incoming.bytes)
                : (recv(handle.descriptor, incoming.bytes.baseAddress, incoming.bytes.count, 0), nil)
            if count < 0 {
                let error = errno
                if error == EAGAIN || error == EWOULDBLOCK { return }
                note(hint: error)
                continue
            }
            hints = 0
            datagrams.received &+= 1
            datagrams.bytesReceived &+= count
            guard take(UnsafeMutableRawBufferPointer(rebasing: incoming.bytes[..<count]), waited) else { return }
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

    /// The next time something is due.
    var nextDeadline: MonotonicTime {
        if case .waiting(let until) = state { return until }
        return MonotonicTime(nanoseconds: .max)
    }
}
