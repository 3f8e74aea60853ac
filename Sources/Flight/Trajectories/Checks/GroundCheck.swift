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
        guard let ground = vehicleGroundZMetres else { return [] }
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

    private func below(
        _ ground: Double, _ name: String, _ places: FindingFactory, margin: (Vector3) -> Double
    ) -> [TrajectoryFinding] {
        places.worstSamples { ground - $0.z - margin($0) }.map { sample, position in
            places.finding(
                .altitude, sample, at: position, "it is \((ground - position.z).short) m below \(name)")
        }
    }
}
