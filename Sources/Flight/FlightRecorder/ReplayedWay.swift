internal import ReportKit
package import UAVLink

extension FlightReplay {
    /// From where to where a vehicle flew: metres in its current frame.
    package struct Way: Hashable, Sendable {
        /// Where it was before the first command or setpoint.
        package var start: Vector3
        /// Where it was at the end.
        package var end: Vector3

        fileprivate var displacement: Vector3 { end - start }
    }
}

extension FlightReplay.Report {
    /// Farther apart, metres, two places are not the same: estimates of a vehicle that stands differ by less.
    private static let samePlaceMetres = 1.0

    /// The distance between both starts, metres.
    package var startDifferenceMetres: Double? { distance { $0.start } }

    /// The distance between both ends, metres.
    package var endDifferenceMetres: Double? { distance { $0.end } }

    /// The distance between both displacements from start to end, metres: what setpoints alone cause.
    package var displacementDifferenceMetres: Double? { distance { $0.displacement } }

    private func distance(_ place: (FlightReplay.Way) -> Vector3) -> Double? {
        guard let recorded, let replayed else { return nil }
        return (place(recorded) - place(replayed)).length
    }

    /// How far apart both flights ended, in words. Where they did not start at one place, neither ends nor displacements say
    /// everything: recorded gotos name places, and setpoints do not.
    package var differenceWords: String? {
        guard let start = startDifferenceMetres, let end = endDifferenceMetres, let way = displacementDifferenceMetres
        else { return nil }
        let ends = "the end positions differ by \(end.formatted(decimals: 2)) m"
        guard start > Self.samePlaceMetres else { return ends }
        return "the vehicle started \(start.formatted(decimals: 2)) m from the recorded place: \(ends), "
            + "the displacements from start to end by \(way.formatted(decimals: 2)) m"
    }
}
