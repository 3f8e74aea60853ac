internal import FlightVolume
internal import UAVLink

/// The lines by which the screen shows where the vehicle may fly.
enum IndoorBorder {
    /// Beyond so many corners the edges between the heights would hide the map.
    private static let mostEdges = 64

    /// The border of a volume and its obstacles, as far as they reach into its heights; nothing for one that is switched off.
    static func lines(_ volume: FlyableVolume?) -> (border: [[Vector3]], obstacles: [[Vector3]]) {
        guard let volume, volume.isEnabled, volume.minimumZMetres.isFinite, volume.maximumZMetres.isFinite else {
            return ([], [])
        }
        let obstacles = volume.obstacles.flatMap { obstacle in
            prism(
                obstacle.outline, from: max(obstacle.minimumZMetres, volume.minimumZMetres),
                to: min(obstacle.maximumZMetres, volume.maximumZMetres))
        }
        return (prism(volume.corners, from: volume.minimumZMetres, to: volume.maximumZMetres), obstacles)
    }

    private static func prism(_ outline: [SIMD2<Double>], from lowest: Double, to greatest: Double) -> [[Vector3]] {
        guard let first = outline.first, lowest <= greatest else { return [] }
        let ring = outline + [first]
        let rings = [lowest, greatest].map { z in ring.map { Vector3(x: $0.x, y: $0.y, z: z) } }
        guard outline.count <= mostEdges else { return rings }
        return rings + outline.map { [Vector3(x: $0.x, y: $0.y, z: lowest), Vector3(x: $0.x, y: $0.y, z: greatest)] }
    }
}
