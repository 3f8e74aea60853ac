internal import Geodesy
internal import UAVLink

/// Finds each place where samples leave a volume.
struct VolumeExits {
    struct Exit {
        let sample: Int
        let position: Vector3
        let words: String
    }

    private(set) var exits: [Exit] = []

    init(volume: FlyableVolume, points: [Trajectory.Point]) {
        guard volume.isEnabled, let first = points.first else { return }
        var index = 0
        var isOutside = !volume.contains(first.position)
        if isOutside {
            exits.append(Exit(sample: 0, position: first.position, words: "it lies outside the safety area"))
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
                exits.append(Exit(sample: index, position: exit.position, words: Self.words(exit.border, volume)))
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

    private static func words(_ border: FlyableVolume.Exit.Border, _ volume: FlyableVolume) -> String {
        switch border {
        case .startsOutside: "it leaves the safety area"
        case .side(let side):
            "it leaves the safety area through its side from corner \(side + 1) to corner "
                + "\((side + 1) % max(1, volume.corners.count) + 1)"
        case .floor: "it goes below the safety area's lowest height of \(volume.minimumZMetres.short) m"
        case .ceiling: "it goes above the safety area's greatest height of \(volume.maximumZMetres.short) m"
        }
    }
}
