/// The order in which to visit places so that the path is short.
///
/// Place 0 is the start. Up to ``exactCount`` places the order is optimal (Held and Karp, 1962); beyond that it is a local
/// optimum of 2-opt and Or-opt, from two initial tours.
enum VisitOrder {
    /// Largest number of places, the start included, for which the optimal order is computed.
    static let exactCount = 13

    /// - Parameters:
    ///   - distances: between all pairs of places, symmetric, finite.
    ///   - returns: whether the path ends at the start.
    /// - Returns: all places but 0, in order.
    static func best(_ distances: [[Double]], returns: Bool) -> [Int] {
        let count = distances.count
        guard count > 2 else { return Array(1..<max(1, count)) }
        if count <= exactCount { return exact(distances, returns: returns) }
        let tours = [nearestNeighbourOrder(distances), cheapestInsertion(distances, returns: returns)].map {
            improved($0, distances, returns: returns)
        }
        return tours.min { length($0, distances, returns) < length($1, distances, returns) } ?? []
    }

    /// The length of a path in that order.
    static func length(_ order: [Int], _ distances: [[Double]], _ returns: Bool) -> Double {
        var at = 0
        var total = 0.0
        for place in order {
            total += distances[at][place]
            at = place
        }
        return returns ? total + distances[at][0] : total
    }

    private static func exact(_ distances: [[Double]], returns: Bool) -> [Int] {
        let others = distances.count - 1
        let sets = 1 << others
        var costs = [Double](repeating: .infinity, count: sets * others)
        var before = [Int8](repeating: -1, count: sets * others)
        for last in 0..<others { costs[(1 << last) * others + last] = distances[0][last + 1] }
        for set in 1..<sets {
            for last in 0..<others where set & (1 << last) != 0 {
                let cost = costs[set * others + last]
                for next in 0..<others where set & (1 << next) == 0 {
                    let there = (set | 1 << next) * others + next
                    let total = cost + distances[last + 1][next + 1]
                    if total < costs[there] {
                        costs[there] = total
                        before[there] = Int8(last)
                    }
                }
            }
        }
        var set = sets - 1
        let ends = (0..<others).map { costs[set * others + $0] + (returns ? distances[$0 + 1][0] : 0) }
        var last = ends.indices.min { ends[$0] < ends[$1] } ?? 0
        var order: [Int] = []
        while true {
            order.append(last + 1)
            let previous = Int(before[set * others + last])
            guard previous >= 0 else { return order.reversed() }
            set &= ~(1 << last)
            last = previous
        }
    }

    private static func nearestNeighbourOrder(_ distances: [[Double]]) -> [Int] {
        var left = Array(1..<distances.count)
        var order: [Int] = []
        var at = 0
        while let position = left.indices.min(by: { distances[at][left[$0]] < distances[at][left[$1]] }) {
            at = left.remove(at: position)
            order.append(at)
        }
        return order
    }

    private static func cheapestInsertion(_ distances: [[Double]], returns: Bool) -> [Int] {
        var order: [Int] = []
        for place in 1..<distances.count {
            let tour = OpenTour(order: order, distances: distances, returns: returns)
            let position = (0...order.count).min { tour.detour(place, at: $0) < tour.detour(place, at: $1) }
            order.insert(place, at: position ?? 0)
        }
        return order
    }

    private static func improved(_ order: [Int], _ distances: [[Double]], returns: Bool) -> [Int] {
        var tour = OpenTour(order: order, distances: distances, returns: returns)
        // Every step makes the tour shorter, so the loop terminates; the bound is a safeguard.
        for _ in 0..<10_000 where !(tour.applyTwoOpt() || tour.applyOrOpt()) { break }
        return tour.order
    }
}

/// A tour under improvement, with the cost of changes.
private struct OpenTour {
    var order: [Int]
    let distances: [[Double]]
    let returns: Bool

    /// Smaller changes are not an improvement: rounding could make the search cycle.
    private static let least = 1e-9

    /// Distance from one place to the next; past the end that is the return, or zero.
    private func gap(_ from: Int?, _ to: Int?) -> Double {
        guard let from, let to else { return 0 }
        return distances[from][to]
    }

    private func place(_ position: Int, of order: [Int]) -> Int? {
        position < 0 ? 0 : position < order.count ? order[position] : returns ? 0 : nil
    }

    func detour(_ new: Int, at position: Int) -> Double {
        let (before, after) = (place(position - 1, of: order), place(position, of: order))
        return gap(before, new) + gap(new, after) - gap(before, after)
    }

    /// 2-opt: reverses the first segment that makes the tour shorter.
    mutating func applyTwoOpt() -> Bool {
        for first in order.indices {
            let before = place(first - 1, of: order)
            for last in (first + 1)..<max(first + 1, order.count) {
                let after = place(last + 1, of: order)
                let change =
                    gap(before, order[last]) + gap(order[first], after) - gap(before, order[first])
                    - gap(order[last], after)
                guard change < -Self.least else { continue }
                order[first...last].reverse()
                return true
            }
        }
        return false
    }

    /// Or-opt: moves the first segment of up to three places that is better elsewhere, reversed if that is shorter.
    mutating func applyOrOpt() -> Bool {
        for count in 1...3 {
            for first in 0..<max(0, order.count - count + 1) {
                let stretch = Array(order[first..<(first + count)])
                guard let head = stretch.first, let tail = stretch.last else { continue }
                let (before, after) = (place(first - 1, of: order), place(first + count, of: order))
                let gain = gap(before, head) + gap(tail, after) - gap(before, after)
                var rest = order
                rest.removeSubrange(first..<(first + count))
                for position in 0...rest.count where position != first {
                    let (left, right) = (place(position - 1, of: rest), place(position, of: rest))
                    let ahead = gap(left, head) + gap(tail, right) - gap(left, right)
                    let turned = gap(left, tail) + gap(head, right) - gap(left, right)
                    guard min(ahead, turned) < gain - Self.least else { continue }
                    rest.insert(contentsOf: ahead <= turned ? stretch : stretch.reversed(), at: position)
                    order = rest
                    return true
                }
            }
        }
        return false
    }
}
