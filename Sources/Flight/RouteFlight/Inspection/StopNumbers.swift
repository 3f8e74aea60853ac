internal import Planning

extension NoPath {
    /// Numbers the points as the user does, where the first of them is the start.
    mutating func shift(by count: Int) {
        guard count > 0 else { return }
        func shifted(_ stop: Stop) -> Stop {
            switch stop {
            case .start: .place(0)
            case .place(let index): .place(index + count)
            }
        }
        switch reason {
        case .blocked(let stop, let obstruction): reason = .blocked(shifted(stop), by: obstruction)
        case .noPathBetween(let from, let to, let gap):
            reason = .noPathBetween(from: shifted(from), to: shifted(to), narrowest: gap)
        }
    }
}
