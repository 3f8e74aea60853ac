/// Leads a path through gaps that are hardly wider than the vehicle, where cells' centres do not lie in their middle.
struct NarrowWay {
    let work: PlanningWork
    let widest: WidestPath

    /// How often a line that is not open is divided at its narrowest place.
    private static let divisions = 3

    /// The path along a way of places: around by the cells where the vehicle fits at their centres, in the middle of the gap
    /// elsewhere; each line of it is measured. `nil` if the vehicle does not fit.
    func path(along places: [Place]) throws(Interruption) -> [Place]? {
        guard let start = places.first else { return nil }
        var path = [start]
        var open = [start]
        var index = 0
        while index + 1 < places.count {
            if isOpen(places[index], places[index + 1]) {
                index += 1
                open.append(places[index])
                continue
            }
            var end = index + 1
            while end + 1 < places.count, !isOpen(places[end], places[end + 1]) { end += 1 }
            try work.checkCancelled()
            guard let gap = through(places, index...end) else { return nil }
            path += try connected(open) + gap
            index = end
            open = [places[index]]
        }
        return path + (try connected(open))
    }

    /// The shortest way between the ends of an open one, without its start.
    private func connected(_ open: [Place]) throws(Interruption) -> [Place] {
        guard let start = open.first, let end = open.last, open.count > 2 else { return Array(open.dropFirst()) }
        if isOpen(start, end) { return [end] }
        switch work.search.search(from: start, to: end) {
        case .cancelled: throw .cancelled
        case .way(let centres): return centres + [end]
        case .none: return Array(open.dropFirst())
        }
    }

    /// The places through a gap, without the first.
    private func through(_ places: [Place], _ range: ClosedRange<Int>) -> [Place]? {
        var line = [places[range.lowerBound]]
        for index in range.dropLast() {
            let (here, next) = (places[index], places[index + 1])
            let direction = places[min(places.count - 1, index + 3)] - places[max(0, index - 2)]
            for quarter in 0..<4 where index > range.lowerBound || quarter > 0 {
                line.append(widest.widened(here + Double(quarter) / 4 * (next - here), across: direction).place)
            }
        }
        line.append(places[range.upperBound])
        var result: [Place] = []
        for index in 1..<line.count {
            guard let part = opened(line[index - 1], line[index], divisions: Self.divisions) else { return nil }
            result += part
        }
        return result
    }

    /// The places of an open way between two places, without the first.
    private func opened(_ start: Place, _ end: Place, divisions: Int) -> [Place]? {
        if isOpen(start, end) { return [end] }
        guard divisions > 0, start != end else { return nil }
        let narrowest = widest.narrowest(from: start, to: end) ?? (start + end) / 2
        let middle = widest.widened(narrowest, across: end - start).place
        guard middle != start, middle != end,
            let first = opened(start, middle, divisions: divisions - 1),
            let second = opened(middle, end, divisions: divisions - 1)
        else { return nil }
        return first + second
    }

    private func isOpen(_ start: Place, _ end: Place) -> Bool { work.passability.isOpen(start, end) }
}
