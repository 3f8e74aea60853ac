/// Finds the word that was probably meant.
package enum Suggestion {
    /// The nearest of `words`, if it is close: one edit in short words, one per three letters of the longer one else.
    package static func nearest(to typed: String, among words: [String]) -> String? {
        guard typed.count <= 64 else { return nil }
        let near = words.map { (word: $0, distance: distance(typed.lowercased(), $0.lowercased())) }
            .filter { $0.distance <= max(1, max(typed.count, $0.word.count) / 3) }
        if let best = near.min(by: { $0.distance < $1.distance }) { return best.word }
        let begun = words.filter { typed.count >= 2 && $0.hasPrefix(typed) }
        return begun.count == 1 ? begun[0] : nil
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other (the restricted
    /// Damerau-Levenshtein distance).
    static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            row.reserveCapacity(b.count + 1)
            for j in 0..<b.count {
                var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
