internal import ChannelProtocol
internal import UAVLink

/// The sessions and unused tickets of a server: admission and eviction, and the counters over all of them.
final class SessionTable {
    private enum Admission {
        case open
        /// Requested while there was no session.
        case ended
    }

    /// An evicted session or ticket that has not been reported to the handler yet.
    struct Eviction {
        let id: SessionID
        let wasOpen: Bool
        let lastHeardAgo: Duration
    }

    private(set) var byID: [SessionID: ServedSession] = [:]
    /// Frames dropped for want of a session, and counters of sessions that are gone; ``report()`` adds those of present ones.
    private var counters = ChannelCounters()
    private var setpointsOfGone = SetpointCounts()
    private var evictions: [Eviction] = []
    private var admission = Admission.open

    /// All sessions and tickets.
    var all: Dictionary<SessionID, ServedSession>.Values { byID.values }

    subscript(id: SessionID) -> ServedSession? { byID[id] }

    /// The session that a received frame names; `nil`, and counted, if there is none.
    func find(_ frame: UnsafeMutableRawBufferPointer) -> ServedSession? {
        do throws(FrameRefusal) {
            let header = try FrameHeader(UnsafeRawBufferPointer(frame))
            guard let served = byID[SessionID(header.session)] else { throw .unknownSession }
            return served
        } catch {
            counters.drops.note(error)
            return nil
        }
    }

    // MARK: Admission

    /// Adds a session that waits for its ground; when all places are taken, it replaces the one heard from longest ago.
    ///
    /// - Parameter stops: how many stops the handler has begun.
    /// - Throws: `companionUnavailable` when none can be evicted, `closed` when admission has ended.
    func admit(
        _ new: NewSession, maximum: Int, stops: UInt64 = 0, now: MonotonicTime
    ) throws(LinkError) {
        switch admission {
        case .open: break
        case .ended: throw LinkError(.closed, "the channel's server is ending")
        }
        if byID.count >= maximum { try evictOne(now: now, maximum: maximum) }
        byID[new.id] = ServedSession(
            try VehicleSession(id: new.id, key: new.key, statePeriod: new.statePeriod, now: now), stops: stops)
    }

    /// Stops admitting sessions, unless there is one; returns whether admission has ended.
    func endAdmission() -> Bool {
        if byID.isEmpty { admission = .ended }
        return admission == .ended
    }

    /// Evicts the session or unused ticket that was heard from longest ago. Sessions heard within a second stay, and so do fresh
    /// tickets, which are still on their way to their ground.
    private func evictOne(now: MonotonicTime, maximum: Int) throws(LinkError) {
        let stalest = byID.values.filter { $0.session.isEvictable(now: now) }
            .min { $0.session.lastHeard < $1.session.lastHeard }
        guard let session = stalest?.session else {
            let seconds = Int(ChannelTimes.ticketEvictionAge.inSeconds)
            throw LinkError(
                .companionUnavailable,
                "the companion already has \(maximum) sessions and tickets, and all of them are in use",
                hint: "close unused sessions; an unused ticket can be replaced after \(seconds) s")
        }
        evictions.append(
            Eviction(id: session.id, wasOpen: session.phase == .open, lastHeardAgo: now - session.lastHeard))
        remove([session.id])
    }

    /// The evictions since the last call.
    func takeEvictions() -> [Eviction] {
        defer { evictions = [] }
        return evictions
    }

    /// Removes sessions and closes their connections.
    func remove(_ ended: [SessionID]) {
        for id in ended {
            guard let served = byID.removeValue(forKey: id) else { continue }
            if case .connection(let connection) = served.route { connection.isClosed = true }
            setpointsOfGone.add(served.session.setpoints)
            counters.drops.add(served.session.drops)
            counters.framesReceived += served.session.framesReceived
        }
    }

    /// Changes the route to a session's ground. A connection that no session uses any longer is closed: its peer may have
    /// vanished without notice.
    func lead(_ served: ServedSession, over route: Route) {
        let old = served.route
        served.route = route
        guard case .connection(let connection) = old else { return }
        if !all.contains(where: { $0.route.leads(over: connection) }) { connection.isClosed = true }
    }

    // MARK: Over all sessions

    /// The counters now.
    func report() -> ChannelCounters {
        var report = counters
        var setpoints = setpointsOfGone
        report.sessions = byID.count
        for served in byID.values {
            if served.session.phase == .open { report.openSessions += 1 }
            setpoints.add(served.session.setpoints)
            report.drops.add(served.session.drops)
            report.framesReceived += served.session.framesReceived
        }
        report.setpointsApplied = setpoints.applied
        report.setpointsExpired = setpoints.stale
        report.setpointsSuperseded = setpoints.superseded
        report.setpointsRefused = setpoints.refused
        return report
    }

    /// How many more bytes unfinished transfers may hold.
    var availableBulkBytes: Int {
        var available = ChannelLimits.bulkTotal
        for served in byID.values { available -= served.session.bytesHeld }
        return available
    }

    /// How many bytes of answers are held.
    var answerBytesHeld: Int { byID.values.reduce(0) { $0 + $1.session.answerBytesHeld } }
}

extension SetpointCounts {
    fileprivate mutating func add(_ other: SetpointCounts) {
        applied += other.applied
        stale += other.stale
        superseded += other.superseded
        refused += other.refused
    }
}

extension DropCounts {
    fileprivate mutating func add(_ other: DropCounts) {
        malformed += other.malformed
        unknownSession += other.unknownSession
        replayed += other.replayed
        tooOld += other.tooOld
        forged += other.forged
        invalid += other.invalid
    }
}
