/// Turns a path over cells into a short path with few corners.
struct PathTightening {
    let passability: Passability

    /// Maximum number of pulling rounds; each one brings the path nearer to the shortest one.
    private static let rounds = 10

    /// The same path with as few corners as lines of sight allow, each pulled as close to its neighbours as the clearance
    /// allows.
    func tightened(_ path: [Place]) -> [Place] {
        var path = skippingVisibleCorners(path)
        for _ in 0..<Self.rounds where path.count > 2 {
            let before = length(path)
            path = removingRedundantCorners(cutCorners(path))
            pull(&path)
            path = removingRedundantCorners(path)
            if length(path) > before * (1 - 1e-3) { break }
        }
        return joiningCorners(path)
    }

    /// Replaces two corners by one where that costs little: a vehicle slows down at each.
    private func joiningCorners(_ path: [Place]) -> [Place] {
        var result = path
        var index = 1
        while index + 2 < result.count {
            let (before, first, second, after) = (
                result[index - 1], result[index], result[index + 1], result[index + 2]
            )
            let corner = Self.meeting(ClearanceProbe.Line(before, first), ClearanceProbe.Line(after, second))
            if let corner,
                length([before, corner, after]) < length([before, first, second, after]) * Self.cornerCostRatio,
                passability.isOpen(before, corner), passability.isOpen(corner, after)
            {
                result.replaceSubrange(index...(index + 1), with: [corner])
            } else {
                index += 1
            }
        }
        return result
    }

    /// Largest ratio by which a path may become longer to save a corner.
    private static let cornerCostRatio = 1.005

    /// The midpoint of the closest approach of two extended lines.
    private static func meeting(_ one: ClearanceProbe.Line, _ other: ClearanceProbe.Line) -> Place? {
        let cosine = one.direction.dot(other.direction)
        let gap = other.start - one.start
        let across = 1 - cosine * cosine
        guard across > 1e-6 else { return nil }
        let along = (gap.dot(one.direction) - cosine * gap.dot(other.direction)) / across
        let back = (cosine * gap.dot(one.direction) - gap.dot(other.direction)) / across
        guard along > 0, back > 0 else { return nil }
        return (one.at(along) + other.at(back)) / 2
    }

    /// Cuts off each corner as far out as the clearance allows, which replaces it by two.
    private func cutCorners(_ path: [Place]) -> [Place] {
        guard path.count > 2, let first = path.first, let last = path.last else { return path }
        var result = [first]
        for index in 1..<(path.count - 1) {
            let corner = path[index]
            // The segment before may already be cut; the segment after is halved, to leave the rest to the next corner.
            let before = result[result.count - 1] - corner
            let after = (path[index + 1] - corner) * (index == path.count - 2 ? 1 : 0.5)
            var part = 1.0
            while part > 0.05, !passability.isOpen(corner + part * before, corner + part * after) { part /= 2 }
            if part <= 0.05 {
                result.append(corner)
                continue
            }
            if part < 1 { result.append(corner + part * before) }
            if part < 1 || index < path.count - 2 { result.append(corner + part * after) }
        }
        result.append(last)
        return result
    }

    /// Connects each corner to the farthest visible one, found by doubling and bisection.
    private func skippingVisibleCorners(_ path: [Place]) -> [Place] {
        guard path.count > 2, let first = path.first else { return path }
        var result = [first]
        var at = 0
        while at < path.count - 1 {
            var seen = at + 1
            var step = 1
            while seen < path.count - 1 {
                let next = min(path.count - 1, seen + step)
                guard passability.isOpen(path[at], path[next]) else { break }
                seen = next
                step *= 2
            }
            while step > 1 {
                step /= 2
                let next = seen + step
                if next < path.count, passability.isOpen(path[at], path[next]) { seen = next }
            }
            result.append(path[seen])
            at = seen
        }
        return result
    }

    /// Moves each corner towards the line between its neighbours, as far as the clearance allows.
    private func pull(_ path: inout [Place]) {
        for index in 1..<(path.count - 1) {
            let (before, corner, after) = (path[index - 1], path[index], path[index + 1])
            let line = ClearanceProbe.Line(before, after)
            guard line.length > 0 else { continue }
            let aim = line.at(min(line.length, max(0, (corner - before).dot(line.direction))))
            var (kept, tried) = (0.0, 1.0)
            for _ in 0..<7 {
                let place = corner + tried * (aim - corner)
                if passability.isOpen(before, place), passability.isOpen(place, after) {
                    kept = tried
                    if tried == 1 { break }
                    tried = (tried + 1) / 2
                } else {
                    tried = (kept + tried) / 2
                }
                if tried <= kept { break }
            }
            path[index] = corner + kept * (aim - corner)
        }
    }

    private func removingRedundantCorners(_ path: [Place]) -> [Place] {
        var result = path
        var index = 1
        while index < result.count - 1 {
            if passability.isOpen(result[index - 1], result[index + 1]) {
                result.remove(at: index)
            } else {
                index += 1
            }
        }
        return result
    }

    private func length(_ path: [Place]) -> Double {
        (1..<path.count).reduce(0) { $0 + (path[$1] - path[$1 - 1]).length }
    }
}
