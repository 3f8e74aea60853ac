/// How long one operation took, many times over, and how late each began. Nanoseconds.
package struct Timings: Hashable, Sendable {
    /// From the instant for which each was intended; from the call where there was no schedule.
    package var latencies: [Int64] = []
    /// From that instant to the call; empty where there was no schedule.
    package var lateness: [Int64] = []

    /// None.
    package init() {}

    /// Operations on a schedule, or, without lateness, back to back.
    package init(latencies: [Int64], lateness: [Int64] = []) {
        (self.latencies, self.lateness) = (latencies, lateness)
    }

    /// From the call on, without the lateness.
    package var fromCall: [Int64] {
        lateness.count == latencies.count ? zip(latencies, lateness).map { $0 - $1 } : latencies
    }

    /// More of the same run.
    package static func += (left: inout Self, right: Self) {
        left.latencies += right.latencies
        left.lateness += right.lateness
    }

    /// What a peer answers: `took` and the latencies, then, of a run with a schedule, `late` and as many again.
    package var answer: String {
        let parts = [["took"], latencies.map(String.init), lateness.isEmpty ? [] : ["late"], lateness.map(String.init)]
        return parts.joined().joined(separator: " ")
    }

    /// Reads an answer.
    ///
    /// - Returns: `nil` for anything else, and for another number of them than asked for.
    package init?(answer line: String, count: Int, isPaced: Bool) {
        let words = line.split(separator: " ")
        guard words.first == "took" else { return nil }
        let values = words.dropFirst().split(separator: "late", omittingEmptySubsequences: false)
        guard values.count == (isPaced ? 2 : 1) else { return nil }
        let numbers = values.map { $0.compactMap { Int64($0) } }
        guard numbers.allSatisfy({ $0.count == count }), zip(numbers, values).allSatisfy({ $0.count == $1.count })
        else { return nil }
        self.init(latencies: numbers[0], lateness: isPaced ? numbers[1] : [])
    }
}
