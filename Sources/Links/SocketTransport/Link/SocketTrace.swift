public import ChannelProtocol
internal import Synchronization
internal import SystemIO
internal import UAVLink

/// Tracing of a link: both ends record the times of each setpoint, command and state frame.
///
/// The companion's records arrive in batches a few times per second, with the lowest priority.
///
/// A trace has one owner, the creator of the link. Taking it removes the parts, so another consumer that measures or records the
/// same link must be given them by the owner.
extension SocketLink {
    /// Starts tracing. It continues over a renewed session, whose numbers start again.
    ///
    /// - Parameter watchesSetpoints: whether the companion also watches velocity references of other nodes.
    public func startTracing(watchesSetpoints: Bool = false) {
        core.trace(isOn: true, watchesSetpoints: watchesSetpoints)
    }

    /// Has the kernels of both ends stamp the datagrams of a trace when they receive them, as far as they do, from the next
    /// connection on. Over TCP nothing is stamped.
    public func stampReceipts() { core.state.withLock { $0.stampsReceipts = true } }

    /// Has the companion's trace say when its own subscriber of the vehicle's topic has read the setpoints of this link, from the next
    /// connection on. It has none where the vehicle has no such topic.
    public func watchOwnSetpoints() { core.state.withLock { $0.watchesOwn = true } }

    /// Stops tracing, at the companion too; what was recorded can still be taken.
    public func stopTracing() { core.trace(isOn: false, watchesSetpoints: false) }

    /// What was recorded since the last call, one part per session; the companion's latest records may come with the next call.
    public func takeTrace() -> [ChannelTrace] {
        core.state.withLock { state in
            let parts = state.finishedTraces + [core.takeTrace(of: state.phase.connection?.session)].compactMap(\.self)
            state.finishedTraces = []
            return parts
        }
    }

    /// The companion's clock minus ours at present, and the largest possible error of that, nanoseconds.
    public func clockOffset() -> (offsetNanoseconds: Int64, boundNanoseconds: Int64)? {
        core.state.withLock { state in
            state.phase.connection?.session.timing.estimate(now: core.clock.now).map { ($0.offset, $0.bound) }
        }
    }
}

extension GroundCore {
    func trace(isOn: Bool, watchesSetpoints: Bool) {
        state.withLock { state in
            state.tracing = isOn ? watchesSetpoints : nil
            guard let connection = state.phase.connection else { return }
            let session = connection.session
            guard isOn else {
                session.trace?.isEnding = true
                session.trace?.nextRequest = clock.now
                return
            }
            if let trace = session.trace, !trace.isEnding {
                trace.watchesSetpoints = watchesSetpoints
                trace.nextRequest = clock.now
            } else {
                storeTrace(of: session, &state)
                session.trace = makeTrace(state, of: connection.number, connection.companionVersion)
                // Sent at once, before anything the caller may send next: the companion records nothing until it is asked.
                if case .open = state.phase { connection.send(now: clock.now) }
            }
        }
        waker.wake()
    }

    /// Keeps the trace of an ending session until it is taken.
    func storeTrace(of session: GroundSession?, _ state: inout State) {
        guard state.finishedTraces.count < Self.maximumFinishedTraces, let part = takeTrace(of: session) else { return }
        state.finishedTraces.append(part)
    }

    func takeTrace(of session: GroundSession?) -> ChannelTrace? {
        guard let session else { return nil }
        return session.trace?.take(session.timing.estimate(now: clock.now).map { ($0.offset, $0.bound) })
    }

    /// Creates a trace of the session of that connection, if tracing is on.
    func makeTrace(_ state: State, of connection: Int, _ companionVersion: String) -> GroundTrace? {
        guard let watchesSetpoints = state.tracing else { return nil }
        return GroundTrace(
            clock: clock, session: connection, watchesSetpoints: watchesSetpoints,
            stampsReceipts: state.stampsReceipts && companionVersion == Version.text,
            watchesOwn: state.watchesOwn && companionVersion == Version.text)
    }

    /// Bounded; sessions are renewed at most every five seconds.
    private static let maximumFinishedTraces = 64
}
