/// The keys of Zenoh: chunks between slashes, of which `*` stands for one, `**` for any number, and `$*` for any text
/// in one. A chunk that begins with `@` is matched by no wildcard.
package enum KeyExpression {
    /// The most bytes of a key: the protocol counts a text with 16 bits.
    package static let maximumBytes = 65_535

    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
    private static let dollar = UInt8(ascii: "$")
    private static let at = UInt8(ascii: "@")

    /// Checks a key in canonical form.
    ///
    /// - Throws: ``ZenohError`` with ``ZenohError/Code/invalidKey``.
    package static func check(_ key: String) throws(ZenohError) {
        func refuse(_ why: String) -> ZenohError { ZenohError(.invalidKey, "'\(key)' is no key of Zenoh: \(why)") }
        guard key.utf8.count <= maximumBytes else { throw refuse("it has more than \(maximumBytes) bytes") }
        var before: ArraySlice<UInt8>?
        for chunk in Array(key.utf8).split(separator: slash, omittingEmptySubsequences: false) {
            guard !chunk.isEmpty else { throw refuse("a part between slashes is empty") }
            guard !chunk.contains(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") }) else {
                throw refuse("it has '#' or '?'")
            }
            if !isAny(chunk), !isMany(chunk) { try check(part: chunk, refuse) }
            if let before, isMany(before), isMany(chunk) { throw refuse("write '**' for '**/**'") }
            if let before, isMany(before), isAny(chunk) { throw refuse("write '*/**' for '**/*'") }
            before = chunk
        }
    }

    private static func check(part chunk: ArraySlice<UInt8>, _ refuse: (String) -> ZenohError) throws(ZenohError) {
        guard chunk != [dollar, star] else { throw refuse("write '*' for '$*'") }
        var wasDollar = false
        var lastStar: Int?
        for (place, byte) in chunk.enumerated() {
            if wasDollar {
                guard byte == star else { throw refuse("'$' stands only before '*'") }
                guard lastStar != place - 2 else { throw refuse("write '$*' for '$*$*'") }
                lastStar = place
            } else if byte == star {
                throw refuse("'*' stands for a whole part; '$*' for one in a part")
            }
            wasDollar = byte == dollar
        }
        if wasDollar { throw refuse("'$' stands only before '*'") }
    }

    /// Whether a key stands for more than itself.
    package static func isWild(_ key: some Sequence<UInt8>) -> Bool { key.contains(star) }

    /// Whether there is a key that both stand for.
    package static func intersect(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        guard isWild(left.utf8) || isWild(right.utf8) else { return false }
        return intersect(
            Array(left.utf8).split(separator: slash, omittingEmptySubsequences: false),
            Array(right.utf8).split(separator: slash, omittingEmptySubsequences: false))
    }

    /// Row by row over all pairs of beginnings: the time is the product of the lengths, whatever the keys are.
    private static func intersect(_ left: [ArraySlice<UInt8>], _ right: [ArraySlice<UInt8>]) -> Bool {
        // row[j]: whether the chunks of `left` so far meet the first j of `right`.
        var row = [Bool](repeating: false, count: right.count + 1)
        row[0] = true
        for (place, chunk) in right.enumerated() { row[place + 1] = row[place] && isMany(chunk) }
        for chunk in left {
            var next = [Bool](repeating: false, count: right.count + 1)
            next[0] = row[0] && isMany(chunk)
            for (place, other) in right.enumerated() {
                let isStep = row[place] && meet(chunk, other)
                let isSwallowed = isMany(chunk) && next[place] && other.first != at
                let isSwallowing = isMany(other) && row[place + 1] && chunk.first != at
                let isNothing = (isMany(chunk) && row[place + 1]) || (isMany(other) && next[place])
                next[place + 1] = isStep || isSwallowed || isSwallowing || isNothing
            }
            row = next
        }
        return row[right.count]
    }

    private static func isAny(_ chunk: ArraySlice<UInt8>) -> Bool { chunk.count == 1 && chunk.first == star }

    private static func isMany(_ chunk: ArraySlice<UInt8>) -> Bool {
        chunk.count == 2 && chunk.allSatisfy { $0 == star }
    }

    /// Whether one part can be both.
    private static func meet(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        if left == right { return true }
        if left.first == at || right.first == at { return false }
        if isAny(left) || isAny(right) || isMany(left) || isMany(right) { return true }
        guard isWild(left) || isWild(right) else { return false }
        return glob(symbols(left), symbols(right))
    }

    /// The bytes of a part, with `nil` for `$*`.
    private static func symbols(_ chunk: ArraySlice<UInt8>) -> [UInt8?] {
        var symbols: [UInt8?] = []
        for byte in chunk {
            if byte == star, symbols.last == dollar { symbols[symbols.count - 1] = nil } else { symbols.append(byte) }
        }
        return symbols
    }

    private static func glob(_ left: [UInt8?], _ right: [UInt8?]) -> Bool {
        var row = [Bool](repeating: false, count: right.count + 1)
        row[0] = true
        for (place, symbol) in right.enumerated() { row[place + 1] = row[place] && symbol == nil }
        for symbol in left {
            var next = [Bool](repeating: false, count: right.count + 1)
            next[0] = row[0] && symbol == nil
            for (place, other) in right.enumerated() {
                next[place + 1] =
                    (row[place] && (symbol == nil || other == nil || symbol == other))
                    || ((symbol == nil || other == nil) && (row[place + 1] || next[place]))
            }
            row = next
        }
        return row[right.count]
    }
}
