import LatencyStatistics
import Testing

@Suite("The order of links") struct RoundOrderTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7])
    func `in whole squares each link follows each other one equally often, and has each place`(count: Int) {
        let order = RoundOrder(count: count, seed: 5)
        let rounds = (0..<(2 * order.wholeRounds)).map { order.order(in: $0) }
        var follows: [[Int]: Int] = [:]
        var places: [[Int]: Int] = [:]
        for round in rounds {
            #expect(round.sorted() == Array(0..<count))
            for (one, next) in zip(round, round.dropFirst()) { follows[[one, next], default: 0] += 1 }
            for (place, link) in round.enumerated() { places[[place, link], default: 0] += 1 }
        }
        #expect(Set(follows.values).count <= 1 && follows.count == count * (count - 1))
        #expect(Set(places.values).count == 1 && places.count == count * count)
    }

    @Test func `the seed decides it`() {
        let rounds = 0..<12
        func orders(_ seed: UInt64) -> [[Int]] { rounds.map { RoundOrder(count: 6, seed: seed).order(in: $0) } }
        #expect(orders(1) == orders(1) && orders(1) != orders(2))
        #expect(RoundOrder(count: 0, seed: 1).order(in: 3).isEmpty && RoundOrder(count: 1, seed: 1).order(in: 3) == [0])
    }
}
