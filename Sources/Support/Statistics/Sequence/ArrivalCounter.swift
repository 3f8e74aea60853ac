/// What became of numbered messages on their way: lost, doubled, overtaken.
public struct ArrivalCounter: Sendable {
    /// How many different numbers came.
    public private(set) var arrived = 0
    /// How many came again.
    public private(set) var duplicates = 0
    /// How many came after one with a greater number (RFC 4737: type-P-reordered).
    public private(set) var reordered = 0
    private var seen: [UInt64] = []
    private var newest: Int?

    /// Nothing came yet.
    public init() {}

    /// Message `number`, from 0, came.
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

    /// How many of the `sent` messages, numbered from 0, never came.
    public func lost(of sent: Int) -> Int { max(0, sent - arrived) }
}
