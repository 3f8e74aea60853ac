/// One sample as the estimators see it: in which round it was intended, when, and how long it took.
package struct DelayObservation: Hashable, Sendable {
    /// The round of its turn, from 0. A link has one turn in each round, so that samples of one round are of one turn.
    package var round: Int
    /// The scheduled instant, nanoseconds.
    package var intendedNanoseconds: Int64
    /// The delay from that instant, nanoseconds; `nil` when it was lost, which counts as infinite (RFC 7679, section
    /// 3.4).
    package var nanoseconds: Int64?

    /// An observation.
    package init(round: Int = 0, intendedNanoseconds: Int64, nanoseconds: Int64?) {
        self.round = round
        self.intendedNanoseconds = intendedNanoseconds
        self.nanoseconds = nanoseconds
    }

    /// When it arrived, nanoseconds; `nil` when it was lost.
    var arrivalNanoseconds: Int64? { nanoseconds.map { intendedNanoseconds &+ $0 } }
}

extension Sequence<DelayObservation> {
    /// The observations of each round in the order of their scheduled instants, the rounds in ascending order.
    func byRound() -> [[DelayObservation]] {
        Dictionary(grouping: self, by: \.round).sorted { $0.key < $1.key }.map { _, turn in
            turn.sorted { $0.intendedNanoseconds < $1.intendedNanoseconds }
        }
    }
}
