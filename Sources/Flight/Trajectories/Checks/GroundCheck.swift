internal import FlightVolume
internal import UAVLink

extension TrajectoryCheck {
    /// What heights are compared with, and how exactly it is known, metres.
    private static let groundMarginMetres = 0.5
    /// How steeply the terrain may fall from where the vehicle measured its ground.
    private static let steepestTerrain = 0.3

    /// Where the path lies below the ground: no flight can follow it, so its heights have a wrong reference.
    func ground(_ places: FindingFactory) -> [TrajectoryFinding] {
        if let groundZMetres {
            return below(groundZMetres, "the ground (z = \(groundZMetres.short) m)", places) { _ in
                Self.groundMarginMetres
            }
        }
        guard let ground = vehicleGroundZMetres else {
            guard let doubted = doubtedDepth(places.trajectory) else { return [] }
            var finding = places.finding(
                .altitude, doubted.sample, at: places.trajectory.points[doubted.sample].position,
                "it is \(doubted.words); is the reference of the heights right?")
            finding.weight = .warning
            return [finding]
        }
        let hint = "is the reference of the heights right? If the ground there is lower, give its z"
        return below(ground, "the ground under the vehicle (z = \(ground.short) m); \(hint)", places) { place in
            guard let vehiclePosition else { return Self.groundMarginMetres }
            let (x, y) = (place.x - vehiclePosition.x, place.y - vehiclePosition.y)
            return Self.groundMarginMetres + Self.steepestTerrain * (x * x + y * y).squareRoot()
        }.map { finding in
            var finding = finding
            finding.remedy = .giveGround
            return finding
        }
    }

    /// Terrain near a vehicle hardly falls by more, metres.
    private static let deepestMetres = 100.0

    /// The lowest sample of a path that lies far below the only height that is known, where nothing says how high the ground is: the
    /// vehicle's, or for want of it that of the origin. No flight is so deep unless it leads down a mountain.
    func doubtedDepth(_ trajectory: Trajectory) -> (sample: Int, words: String)? {
        guard groundZMetres == nil, vehicleGroundZMetres == nil, altitudes == nil, volume?.isEnabled != true,
            let sample = trajectory.points.indices.min(by: {
                trajectory.points[$0].position.z < trajectory.points[$1].position.z
            })
        else { return nil }
        let depth = (vehiclePosition?.z ?? 0) - trajectory.points[sample].position.z
        guard depth > Self.deepestMetres else { return nil }
        return (sample, "\(depth.short) m below \(vehiclePosition == nil ? Self.origin : "the vehicle")")
    }

    private func below(
        _ ground: Double, _ name: String, _ places: FindingFactory, margin: (Vector3) -> Double
    ) -> [TrajectoryFinding] {
        places.worstSamples { ground - $0.z - margin($0) }.map { sample, position in
            places.finding(
                .altitude, sample, at: position, "it is \((ground - position.z).short) m below \(name)")
        }
    }
}
