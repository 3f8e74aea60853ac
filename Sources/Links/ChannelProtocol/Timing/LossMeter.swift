/// The share of frames lost over the last ten seconds, from the progress of the sequence number and the count received.
package struct LossMeter {
    private var highest = RecentValues(capacity: 100)
    private var received = RecentValues(capacity: 100)

    /// Records, once per heartbeat, the highest sequence number and the count of frames received.
    mutating func note(highest: UInt64, received: UInt64) {
        self.highest.add(Int64(truncatingIfNeeded: highest))
        self.received.add(Int64(truncatingIfNeeded: received))
    }

    /// 0 to 1; `nil` until there are two values to compare.
    package var loss: Double? {
        guard let first = highest.oldest, let last = highest.latest, let from = received.oldest,
            let to = received.latest, last > first
        else { return nil }
        return min(1, max(0, 1 - Double(to &- from) / Double(last &- first)))
    }
}
