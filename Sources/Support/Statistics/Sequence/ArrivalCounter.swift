/// Counts the arrival of numbered messages: losses, duplicates, reordering.
public struct ArrivalCounter: Sendable {
    /// The number of different messages received.
    public private(set) var arrived = 0
    /// The number of messages received again.
    public private(set) var duplicates = 0
    /// The number of messages received after one with a larger number (RFC 4737: type-P-reordered).
    public private(set) var reordered = 0
    private var seen: [UInt64] = []
    private var newest: Int?

    /// Starts without messages.
    public init() {}

    /// Records that message `number`, counted from 0, was received.
    public mutating func arrive(_ number: Int) {
        guard number >= 0 else { return }
        let (word, bit) = number.quotientAndRemainder(dividingBy: 64)
        if word >= seen.count { seen += Array(repeating: 0, count: word + 1 - seen.count) }
        guard seen[word] & (1 << UInt64(bit)) == 0 else {
            duplicates += 1
            return
        }
        seen[word] |= 1 << UInt64(bit)
        arrived += 1
        if let newest, number < newest { reordered += 1 }
        newest = max(newest ?? number, number)
    }

    /// How many of the `sent` messages, numbered from 0, were not received.
    public func lost(of sent: Int) -> Int { max(0, sent - arrived) }
}
