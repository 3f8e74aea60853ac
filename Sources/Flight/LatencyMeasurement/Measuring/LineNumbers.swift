internal import Synchronization

/// Numbers in a row, from any thread.
final class LineNumbers: Sendable {
    private let first: Int
    private let taken = Atomic(0)

    init(from first: Int) { self.first = first }

    /// The next number.
    func next() -> Int { first + taken.wrappingAdd(1, ordering: .relaxed).oldValue }

    /// How many were taken.
    var count: Int { taken.load(ordering: .relaxed) }
}
