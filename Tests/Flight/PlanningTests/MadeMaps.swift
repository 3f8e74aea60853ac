import Planning
import PointCloud
import UAVLink

/// Maps made for tests, and independent measurements in them.
enum MadeMaps {
    /// A rectangle of points, `spacing` apart, without those in `holes` (places for which it says so).
    static func sheet(
        from corner: Vector3, _ first: Vector3, _ second: Vector3, spacing: Double = 0.05,
        without isHole: (Vector3) -> Bool = { _ in false }
    ) -> [Vector3] {
        let (along, across) = (Int((first.length / spacing).rounded()), Int((second.length / spacing).rounded()))
        var points: [Vector3] = []
        for i in 0...along {
            for j in 0...across {
                let place = corner + first * (Double(i) / Double(along)) + second * (Double(j) / Double(across))
                if !isHole(place) { points.append(place) }
            }
        }
        return points
    }

    /// The six sides of a box.
    static func box(from low: Vector3, to high: Vector3, spacing: Double = 0.05) -> [Vector3] {
        let size = high - low
        let (x, y, z) = (
            Vector3(x: size.x, y: 0, z: 0), Vector3(x: 0, y: size.y, z: 0), Vector3(x: 0, y: 0, z: size.z)
        )
        return sheet(from: low, x, y, spacing: spacing) + sheet(from: low + z, x, y, spacing: spacing)
            + sheet(from: low, x, z, spacing: spacing) + sheet(from: low + y, x, z, spacing: spacing)
            + sheet(from: low, y, z, spacing: spacing) + sheet(from: low + x, y, z, spacing: spacing)
    }

    static func cloud(_ points: [Vector3], origin: Vector3 = .zero, viewpoint: Vector3? = nil) -> PointCloud {
        PointCloud(
            origin: origin,
            offsets: points.map { point in
                let offset = point - origin
                return SIMD3(Float(offset.x), Float(offset.y), Float(offset.z))
            }, viewpoint: viewpoint)
    }

    /// From a straight line to a place, metres, by elementary geometry.
    static func distance(_ place: Vector3, from start: Vector3, to end: Vector3) -> Double {
        let along = end - start
        let squared = along.dot(along)
        let fraction = squared > 0 ? min(1, max(0, (place - start).dot(along) / squared)) : 0
        return (place - (start + along * fraction)).length
    }

    /// The least distance from a path to any point of a map, metres, by looking at every point.
    static func clearance(_ path: [Vector3], _ map: PointCloud) -> Double {
        var least = Double.infinity
        for index in 0..<map.count {
            let point = map.point(index)
            for (start, end) in zip(path, path.dropFirst()) {
                least = min(least, distance(point, from: start, to: end))
            }
        }
        return least
    }
}

/// Blocks and posts in a hall, different for each seed.
struct RandomHall {
    static let size = Vector3(x: 6, y: 5, z: 2.4)
    var map: PointCloud
    var random: SplitMix

    init(seed: UInt64, viewpoint: Vector3? = nil, origin: Vector3 = .zero) {
        random = SplitMix(state: seed)
        var points = MadeMaps.box(from: .zero, to: Self.size, spacing: 0.25)
        for _ in 0..<4 {
            let low = Vector3(x: random.within(0, 5), y: random.within(0, 4), z: 0)
            let high = low + Vector3(x: random.within(0.2, 1), y: random.within(0.2, 1), z: random.within(0.5, 2.4))
            points += MadeMaps.box(from: low, to: high, spacing: 0.15)
        }
        for _ in 0..<10 { points.append(Self.place(&random)) }
        map = MadeMaps.cloud(points.map { $0 + origin }, origin: origin, viewpoint: viewpoint)
    }

    static func place(_ random: inout SplitMix) -> Vector3 {
        Vector3(x: random.within(0, size.x), y: random.within(0, size.y), z: random.within(0, size.z))
    }

    /// Places with room around them.
    mutating func places(_ count: Int, in space: KnownSpace) -> [Vector3] {
        var places: [Vector3] = []
        for _ in 0..<10_000 where places.count < count {
            let place = Self.place(&random)
            let clearance = space.clearance(at: place)
            if clearance.obstruction(clearanceMetres: space.body.clearanceMetres) == nil { places.append(place) }
        }
        return places
    }
}

/// Random numbers that a seed repeats (SplitMix64, Steele, Lea and Flood, 2014).
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func within(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * Double(next() >> 11) / Double(1 << 53)
    }
}
