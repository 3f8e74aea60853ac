internal import ChannelProtocol
internal import UAVLink

/// The sessions and unused tickets of a server: admission and eviction, and the counters over all of them.
struct SessionTable {
    /// An evicted session or ticket that has not been reported to the handler yet.
    struct Eviction {
        let id: SessionID
        let wasOpen: Bool
        let lastHeardAgo: Duration
    }

    private(set) var byID: [SessionID: ServedSession] = [:]
    /// Counters of the server and of sessions that are gone; ``report()`` adds those of present ones.
    var counters = ChannelCounters()
    private var setpointsOfGone = SetpointCounts()
    private var evictions: [Eviction] = []
    private var isAdmissionOver = false
    /// A session has started or stopped watching other nodes' velocity references.
    var watchChangeIsDue = false
    private var wasWatched = false

    /// All sessions and tickets.
    var all: Dictionary<SessionID, ServedSession>.Values { byID.values }

    subscript(id: SessionID) -> ServedSession? { byID[id] }

    /// The session that a received frame names; `nil`, and counted, if there is none.
    mutating func find(_ frame: UnsafeMutableRawBufferPointer) -> ServedSession? {
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
    /// - Throws: `companionUnavailable` when none can be evicted, `closed` when admission has ended.
    mutating func admit(_ new: NewSession, maximum: Int, now: MonotonicTime) throws(LinkError) {
        guard !isAdmissionOver else { throw LinkError(.closed, "the channel's server is ending") }
        if byID.count >= maximum { try evictOne(now: now, maximum: maximum) }
        byID[new.id] = ServedSession(
            try VehicleSession(id: new.id, key: new.key, statePeriod: new.statePeriod, now: now))
    }

    /// Stops admitting sessions, unless there is one; returns whether admission has ended.
    mutating func endAdmission() -> Bool {
        if byID.isEmpty { isAdmissionOver = true }
        return isAdmissionOver
    }

    /// Evicts the session or unused ticket that was heard from longest ago. Sessions heard within a second stay, and so do fresh
    /// tickets, which are still on their way to their ground.
    private mutating func evictOne(now: MonotonicTime, maximum: Int) throws(LinkError) {
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
    mutating func takeEvictions() -> [Eviction] {
        defer { evictions = [] }
        return evictions
    }

    /// Removes sessions and closes their connections.
    mutating func remove(_ ended: [SessionID]) {
        for id in ended {
            guard let served = byID.removeValue(forKey: id) else { continue }
            if case .connection(let connection) = served.route { connection.isClosed = true }
            setpointsOfGone.add(served.session.setpoints)
            counters.drops.add(served.session.drops)
            counters.framesReceived += served.session.cipher?.received ?? 0
        }
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
            report.framesReceived += served.session.cipher?.received ?? 0
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

    /// Whether watching other nodes' velocity references has to start (true) or stop (false); `nil` when nothing changed.
    mutating func pendingWatchChange() -> Bool? {
        guard watchChangeIsDue || wasWatched else { return nil }
        watchChangeIsDue = false
        let isWatched = byID.values.contains { $0.session.watchesSetpoints }
        defer { wasWatched = isWatched }
        return isWatched == wasWatched ? nil : isWatched
    }
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
