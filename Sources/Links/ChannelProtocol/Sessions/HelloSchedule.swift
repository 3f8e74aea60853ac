internal import UAVLink

/// When a ground's hello is sent: at once, then at growing intervals until the welcome arrives.
struct HelloSchedule {
    /// When the next one is due.
    private(set) var nextAt: MonotonicTime
    private var sentAt: MonotonicTime?
    private var wait = ChannelTimes.helloFirst

    init(now: MonotonicTime) { nextAt = now }

    /// The time to write into the hello if one is due: always that of the first. It is repeated byte for byte, since different
    /// plaintext under the same nonce would break the encryption.
    mutating func take(now: MonotonicTime) -> MonotonicTime? {
        guard nextAt <= now else { return nil }
        nextAt = now + wait
        wait = min(wait * 2, ChannelTimes.helloLongest)
        let first = sentAt ?? now
        sentAt = first
        return first
    }

    /// The next one is due now: the carrier was renewed.
    mutating func sendNow(_ now: MonotonicTime) { nextAt = now }
}
