internal import Synchronization
internal import UAVLink

/// Measuring what a link does: both ends note the times of each setpoint, command and state frame.
///
/// The companion's notes come in batches on a lane of their own, some times a second, behind everything else.
///
/// A trace belongs to one: whoever made the link. What is taken is gone for others, so who measures or records a link that
/// somebody else traces is handed the parts by them.
extension SocketLink {
    /// Begins to note. It goes on over a renewed session, whose numbers begin anew.
    ///
    /// - Parameter watchesSetpoints: whether the companion is to watch velocity references of other nodes as well.
    public func startTracing(watchesSetpoints: Bool = false) {
        core.trace(isOn: true, watchesSetpoints: watchesSetpoints)
    }

    /// Ends it, at the companion too; what was noted can still be taken.
    public func stopTracing() { core.trace(isOn: false, watchesSetpoints: false) }

    /// What was noted since it was last taken, a part for each session; the companion's notes of the last moments may come
    /// with the next.
    public func takeTrace() -> [ChannelTrace] {
        core.state.withLock { state in
            let parts = state.finishedTraces + [core.takeTrace(of: state.session)].compactMap(\.self)
            state.finishedTraces = []
            return parts
        }
    }

    /// What the other end's clock is ahead of ours by now, nanoseconds, and how far from the truth that can be.
    public func clockOffset() -> (offsetNanoseconds: Int64, boundNanoseconds: Int64)? {
        core.state.withLock { state in
            state.session?.timing.estimate(now: core.clock.now).map { ($0.offset, $0.bound) }
        }
    }
}

extension GroundCore {
    func trace(isOn: Bool, watchesSetpoints: Bool) {
        state.withLock { state in
            state.tracing = isOn ? watchesSetpoints : nil
            guard let session = state.session else { return }
            guard isOn else {
                session.trace?.isEnding = true
                session.trace?.nextRequest = clock.now
                return
            }
            if let trace = session.trace, !trace.isEnding {
                trace.watchesSetpoints = watchesSetpoints
                trace.nextRequest = clock.now
            } else {
                keepTrace(of: session, &state)
                session.trace = makeTrace(&state)
                // At once, ahead of what the caller may send next: the companion notes nothing before it was asked.
                if case .open = state.phase { state.carrier?.send(from: session, now: clock.now) }
            }
        }
        waker.wake()
    }

    /// What a session that ends has noted is kept until it is taken.
    func keepTrace(of session: GroundSession?, _ state: inout State) {
        guard state.finishedTraces.count < Self.mostFinishedTraces, let part = takeTrace(of: session) else { return }
        state.finishedTraces.append(part)
    }

    func takeTrace(of session: GroundSession?) -> ChannelTrace? {
        guard let session else { return nil }
        return session.trace?.take(session.timing.estimate(now: clock.now).map { ($0.offset, $0.bound) })
    }

    /// A trace for a session that begins now, when there is to be one.
    func makeTrace(_ state: inout State) -> GroundTrace? {
        guard let watchesSetpoints = state.tracing else { return nil }
        state.tracedSessions += 1
        return GroundTrace(clock: clock, session: state.tracedSessions, watchesSetpoints: watchesSetpoints)
    }

    /// Sessions are renewed every five seconds at most.
    private static let mostFinishedTraces = 64
}
