internal import Statistics

/// The order of the links in each round, balanced over which link follows which: what a link leaves behind (full
/// buffers, a warm cache) meets each of the others equally often (Williams 1949, Experimental designs balanced for the
/// estimation of residual effects of treatments). The rows of each square, and which link is which, are shuffled by the
/// seed.
package struct RoundOrder: Sendable {
    private let links: [Int]
    private let seed: UInt64

    /// The order of `count` links.
    package init(count: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        links = Array(0..<max(0, count)).shuffled(using: &random)
        self.seed = seed
    }

    /// How many rounds make a balanced whole: the number of links, or twice that for an odd one.
    package var wholeRounds: Int { max(1, links.count.isMultiple(of: 2) ? links.count : 2 * links.count) }

    /// The order in a round, from 0: indices of the links.
    package func order(in round: Int) -> [Int] {
        guard links.count > 1 else { return links }
        let (square, row) = max(0, round).quotientAndRemainder(dividingBy: wholeRounds)
        var random = SeededRandom(seed: seed &+ 1 &+ UInt64(clamping: square))
        let shuffled = Array(0..<wholeRounds).shuffled(using: &random)
        return Self.row(shuffled[row], of: links.count).map { links[$0] }
    }

    /// A row of the square: 0, 1, n - 1, 2, n - 2, ... plus the row's number; for an odd n, the second n rows are
    /// mirrored.
    static func row(_ row: Int, of count: Int) -> [Int] {
        let first = (0..<count).map { place in
            place.isMultiple(of: 2) ? (count - place / 2) % count : (place + 1) / 2
        }
        let shifted = first.map { ($0 + row) % count }
        return row < count ? shifted : shifted.reversed()
    }
}
