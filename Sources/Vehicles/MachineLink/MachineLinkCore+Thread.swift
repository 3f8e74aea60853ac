internal import Synchronization
package import SystemIO
internal import Threads
package import UAVLink

extension MachineLinkCore {
    /// How long the thread waits with nothing due.
    private static var longestWait: Duration { .seconds(1) }
    /// The most datagrams that are read at once: whoever floods a port does not keep steering from being sent.
    private static var mostAtOnce: Int { 32 }

    /// Opens the sockets and starts the thread, unless that was done meanwhile.
    ///
    /// - Parameters:
    ///   - open: opens them.
    ///   - prepare: tells the client what is to be known of them, before anything is sent.
    ///   - work: what the thread does, until ``turn(_:adding:)`` says that the link is closed.
    /// - Throws: ``UAVLink/LinkError`` if a port is taken, or the system has no more descriptors or threads; `closed`.
    package func start(
        opening open: () throws(SocketError) -> Sockets, _ prepare: (inout Client, MonotonicTime) -> Void = { _, _ in },
        work: @escaping @Sendable (Sockets) -> Void
    ) throws(LinkError) {
        let sockets: Sockets
        let waker: Waker
        do throws(SocketError) {
            sockets = try open()
            waker = try Waker()
        } catch {
            // Another connection may have taken a port for this same link.
            if self.sockets != nil { return }
            throw LinkError(.unreachable, error.what, hint: error.hint)
        }
        let now = clock.now
        let mustStart = try state.withLock { state throws(LinkError) in
            switch state.life {
            case .closed: throw Self.closed
            case .running: return false
            case .new:
                (state.life, state.waker, state.isThreadRunning) = (.running(sockets), waker, true)
                prepare(&state.client, now)
                return true
            }
        }
        guard mustStart, !DedicatedThread.start({ [self] in run(work) }) else { return }
        state.withLock { state in
            (state.life, state.waker, state.isThreadRunning) = (.new, nil, false)
        }
        throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
    }

    /// The link's thread, until the link is closed.
    private func run(_ work: (Sockets) -> Void) {
        ownThread.store(DedicatedThread.current, ordering: .relaxed)
        // The sockets are let go of in there, and closed when whoever waits for the end goes on.
        if let sockets { work(sockets) }
        ownThread.store(0, ordering: .relaxed)
        let closers = state.withLock { state in
            state.isThreadRunning = false
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// One turn of the link's thread: does what is due, and waits until there is something to do or to read.
    ///
    /// - Parameter adding: adds what is read to the poller.
    /// - Returns: `false` once the link is closed.
    package func turn(_ poller: inout Poller, adding: (inout Poller) -> Void) -> Bool {
        guard let (wait, waker) = prepare() else { return false }
        publish()
        deliver()
        poller.reset()
        let place = poller.add(waker.descriptor)
        adding(&poller)
        poller.waitPrecisely(wait)
        if poller.isReady(place) { waker.clear() }
        return true
    }

    /// Lets the client do what is due.
    ///
    /// - Returns: how long to wait for the next thing; `nil` once the link is closed.
    private func prepare() -> (wait: Duration, waker: Waker)? {
        let now = clock.now
        let used = usedAt.load(ordering: .relaxed)
        return state.withLock { state in
            guard case .running = state.life, let waker = state.waker else { return nil }
            if used > .min { state.client.used(now: MonotonicTime(nanoseconds: used)) }
            state.client.advance(now: now)
            send(&state)
            let next = min(state.client.nextDeadline(now: now) ?? now + Self.longestWait, now + Self.longestWait)
            state.wakesAt = next
            return (max(next - now, .zero), waker)
        }
    }

    /// Telemetry leaves on this thread only, so that none overtakes a newer one.
    private func publish() {
        let now = clock.now
        if let news = state.withLock({ $0.client.takeNews(now: now) }) { broadcast.send(news) }
    }

    /// Reads what has come from a peer; what others send is dropped.
    package func read(
        _ socket: DatagramSocket, from peer: DatagramSocket.Endpoint, into buffer: inout [UInt8],
        _ take: (inout Client, ArraySlice<UInt8>, MonotonicTime) -> Void
    ) {
        for _ in 0..<Self.mostAtOnce {
            switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
            case .nothing: return
            case .failed: continue
            case .datagram(let count, let source):
                guard source == peer else { continue }
                self.take { client, now in take(&client, buffer.prefix(count), now) }
            }
        }
    }

    /// Lets the client take what has come, on the link's thread or on another one, which wakes it; once it is closed, nothing.
    package func take(_ body: (inout Client, MonotonicTime) -> Void) {
        let now = clock.now
        state.withLock { state in
            guard case .running = state.life else { return }
            body(&state.client, now)
            send(&state)
        }
        if !isOwnThread { wake() }
    }
}
