/// How unevenly messages travel, from the time that each was on its way, in the order in which they came.
///
/// Only differences count, so a clock offset between the two ends is no matter.
public struct Jitter: Sendable {
    /// The running estimate of RFC 3550, section 6.4.1, in the unit of the transit times.
    public private(set) var rfc3550 = 0.0
    /// The differences between neighbours (RFC 3393: IPDV with the previous packet).
    public private(set) var delayVariation: [Int64] = []
    private var last: Int64?

    /// Nothing came yet.
    public init() {}

    /// A message came that was on its way so long.
    public mutating func arrive(transit: Int64) {
        defer { last = transit }
        guard let last else { return }
        let difference = transit - last
        delayVariation.append(difference)
        rfc3550 += (Double(abs(difference)) - rfc3550) / 16
    }
}
