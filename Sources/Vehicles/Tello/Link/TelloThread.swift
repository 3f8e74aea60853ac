internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

extension TelloCore {
    /// The most datagrams that are read at once, of each port: whoever floods it does not keep steering from being sent.
    private static let mostAtOnce = 32
    /// Longer than any datagram that is looked at, so that one that was cut is not taken for a whole one.
    private static let bufferBytes = 2048
    /// How long the thread waits with nothing due.
    private static let longestWait: Duration = .seconds(1)

    /// The link's thread: sends what is due, reads what comes, until the link is closed.
    func run(_ sockets: Sockets, _ waker: Waker) {
        ownThread.store(DedicatedThread.current, ordering: .relaxed)
        var poller = Poller()
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        while let wait = prepare() {
            publish()
            deliver()
            poller.reset()
            let wakerPlace = poller.add(waker.descriptor)
            let commandPlace = poller.add(sockets.commands.descriptor)
            let statePlace = poller.add(sockets.state.descriptor)
            poller.waitPrecisely(wait)
            if poller.isReady(wakerPlace) { waker.clear() }
            if poller.isReady(commandPlace) {
                read(sockets.commands, into: &buffer, from: { $0 == sockets.peer }) { client, bytes, now in
                    client.receive(bytes, now: now)
                }
            }
            if poller.isReady(statePlace) {
                read(sockets.state, into: &buffer, from: { $0.address == sockets.peer.address }) { client, bytes, now in
                    client.receiveState(bytes, now: now)
                }
            }
        }
        ownThread.store(0, ordering: .relaxed)
        let closers = state.withLock { state in
            state.isThreadRunning = false
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Lets the client do what is due.
    ///
    /// - Returns: how long to wait for the next thing; `nil` once the link is closed.
    private func prepare() -> Duration? {
        let now = clock.now
        let used = usedAt.load(ordering: .relaxed)
        return state.withLock { state in
            guard case .running = state.life else { return nil }
            if used > .min { state.client.used(now: MonotonicTime(nanoseconds: used)) }
            state.client.advance(now: now)
            send(&state)
            let next = min(state.client.nextDeadline(now: now) ?? now + Self.longestWait, now + Self.longestWait)
            state.wakesAt = next
            return max(next - now, .zero)
        }
    }

    /// Telemetry leaves on this thread only, so that none overtakes a newer one.
    private func publish() {
        if let news = state.withLock({ $0.client.takeNews() }) { broadcast.send(news) }
    }

    /// Reads what has come from the drone; what others send is dropped.
    private func read(
        _ socket: DatagramSocket, into buffer: inout [UInt8], from isPeer: (DatagramSocket.Endpoint) -> Bool,
        _ take: (inout TelloClient, ArraySlice<UInt8>, MonotonicTime) -> Void
    ) {
        for _ in 0..<Self.mostAtOnce {
            switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
            case .nothing: return
            case .failed: continue
            case .datagram(let count, let source):
                guard isPeer(source) else { continue }
                let now = clock.now
                state.withLock { state in
                    take(&state.client, buffer.prefix(count), now)
                    send(&state)
                }
            }
        }
    }
}
