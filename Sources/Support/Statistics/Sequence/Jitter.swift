/// The delay variation of messages, from their transit times in order of arrival.
///
/// Only differences are used, so a clock offset between the two ends does not matter.
public struct Jitter: Sendable {
    /// The running estimate of RFC 3550, section 6.4.1, in the unit of the transit times.
    public private(set) var rfc3550 = 0.0
    /// The differences between successive messages (RFC 3393: IPDV with the previous packet).
    public private(set) var delayVariation: [Int64] = []
    private var last: Int64?

    /// Starts without messages.
    public init() {}

    /// What arrives next does not follow what arrived last: there is no difference between them.
    public mutating func pause() { last = nil }

    /// Records a message with its transit time.
    public mutating func arrive(transit: Int64) {
        defer { last = transit }
        guard let last else { return }
        let difference = transit &- last
        delayVariation.append(difference)
        rfc3550 += (Double(difference.magnitude) - rfc3550) / 16
    }
}
