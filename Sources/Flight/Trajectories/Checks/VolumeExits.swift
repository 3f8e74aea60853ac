internal import FlightVolume
internal import UAVLink

/// Finds each place where samples leave a volume.
struct VolumeExits {
    struct Exit {
        let sample: Int
        let position: Vector3
        let kind: TrajectoryFinding.Kind
        let words: String
    }

    private(set) var exits: [Exit] = []
    private let volume: FlyableVolume
    private let name: String

    /// - Parameter name: the volume's, as in "it leaves NAME".
    init(volume: FlyableVolume, name: String, points: [Trajectory.Point]) {
        (self.volume, self.name) = (volume, name)
        guard volume.isEnabled, let first = points.first else { return }
        var index = 0
        var isOutside = !volume.contains(first.position)
        if isOutside {
            let border = volume.obstacle(at: first.position).map { FlyableVolume.Exit.Border.obstacle($0) }
            exits.append(exit(0, first.position, border))
        }
        while index + 1 < points.count {
            let here = points[index].position
            // Within the distance to the border, all samples are on the same side as this one.
            let skipped = Self.samples(within: volume.distanceToBorder(here).magnitude, from: index, points)
            if skipped > 0 {
                index += skipped
                continue
            }
            let next = points[index + 1].position
            if isOutside {
                isOutside = !volume.contains(next)
            } else if let exit = volume.firstExit(from: here, to: next) {
                exits.append(self.exit(index, exit.position, exit.border))
                isOutside = !volume.contains(next)
            }
            index += 1
        }
    }

    /// Number of following samples within a path length.
    private static func samples(within distance: Double, from index: Int, _ points: [Trajectory.Point]) -> Int {
        var way = 0.0
        var next = index
        while next + 1 < points.count {
            way += (points[next + 1].position - points[next].position).length
            guard way < distance else { break }
            next += 1
        }
        return next - index
    }

    /// - Parameter border: `nil`: it begins outside.
    private func exit(_ sample: Int, _ position: Vector3, _ border: FlyableVolume.Exit.Border?) -> Exit {
        var kind = TrajectoryFinding.Kind.safetyArea
        if case .obstacle = border { kind = .obstacle }
        let words = border.map(words) ?? "it lies outside \(name)"
        return Exit(sample: sample, position: position, kind: kind, words: words)
    }

    private func words(_ border: FlyableVolume.Exit.Border) -> String {
        switch border {
        case .obstacle(let index): "it comes \(Self.obstacle(index, volume))"
        case .startsOutside: "it leaves \(name)"
        case .side where Self.isRound(volume): "it leaves \(name)"
        case .side(let side):
            "it leaves \(name) through its side from corner \(side + 1) to corner "
                + "\((side + 1) % max(1, volume.corners.count) + 1)"
        case .floor: "it goes below the lowest height of \(volume.minimumZMetres.short) m of \(name)"
        case .ceiling: "it goes above the greatest height of \(volume.maximumZMetres.short) m of \(name)"
        }
    }

    /// The fewest corners of a circle that was turned into a polygon.
    private static let leastRoundCorners = 24

    /// Whether its border is a circle: its corners have numbers that nobody knows.
    static func isRound(_ volume: FlyableVolume) -> Bool {
        let corners = volume.corners
        guard corners.count >= leastRoundCorners else { return false }
        let middle = corners.reduce(SIMD2<Double>(0, 0), +) / Double(corners.count)
        let squares = corners.map { (($0 - middle) * ($0 - middle)).sum() }
        guard let least = squares.min(), let most = squares.max() else { return false }
        return most <= least * 1.05
    }

    /// `within 0.6 m of the obstacle 'obstacle_0'`.
    static func obstacle(_ index: Int, _ volume: FlyableVolume) -> String {
        let name = volume.obstacles.indices.contains(index) ? volume.obstacles[index].name.sanitizedLine : ""
        let margin = volume.obstacleMarginMetres
        return margin > 0 ? "within \(margin.short) m of the obstacle '\(name)'" : "into the obstacle '\(name)'"
    }
}
