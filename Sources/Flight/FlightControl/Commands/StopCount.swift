/// Tells from a companion's count of stops whether there was one that this program did not give.
///
/// The count rises with each stop command and with each grant of control authority, whoever gave it. What this program gives itself is
/// announced first (``expectOne()``), so that nothing of its own is ever taken for another's. One of its own that gets lost remains
/// announced, and may hide one of another.
package struct StopCount: Hashable, Sendable {
    /// The count at the beginning; `nil` before one is known.
    private var first: UInt64?
    /// At least the first.
    private var newest: UInt64 = 0
    /// How many more there may be that are this program's own.
    private var own: UInt64 = 0

    /// Companions begin to count at different numbers, at least a thousand apart for each second between their starts; one is looked
    /// at too often to count as far between two looks.
    private static let otherCompanion: UInt64 = 1000

    /// - Parameter first: the count at the beginning; `nil`: the first one that becomes known.
    package init(after first: UInt64? = nil) {
        self.first = first
        newest = first ?? 0
    }

    /// One more will be counted that is this program's own.
    package mutating func expectOne() { own += 1 }

    /// One that was expected was refused before it was counted.
    package mutating func withdrawOne() { if own > 0 { own -= 1 } }

    /// Whether others gave a stop since the beginning, by the newest count; `nil`: none is known now.
    package mutating func isExceeded(by count: UInt64?) -> Bool {
        guard let count else { return false }
        guard let first else {
            (self.first, newest) = (count, count)
            return false
        }
        // Another link may be behind.
        guard count > newest else { return newest - first > own }
        // Another companion, which has counted nothing of the one before.
        if count - newest > Self.otherCompanion { (self.first, own) = (count, 0) }
        newest = count
        return newest - (self.first ?? count) > own
    }
}
