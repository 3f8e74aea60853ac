internal import ReportKit
package import UAVLink

/// Formats values with their units for the telemetry screen.
package enum Figures {
    /// The text for an unknown value.
    package static let unknown = "-"

    /// A length with its unit.
    package static func metres(_ value: Double) -> String { "\(value.formatted(decimals: 2)) m" }

    /// East, north and up, one after the other.
    package static func eastNorthUp(_ vector: Vector3, unit: String) -> String {
        "E \(vector.x.formatted(decimals: 2)) N \(vector.y.formatted(decimals: 2)) "
            + "U \(vector.z.formatted(decimals: 2)) \(unit)"
    }

    /// `50.0764080 N  14.4180190 E`: seven decimals resolve a centimetre.
    package static func place(_ fix: GNSSFix) -> String {
        let latitude = "\(fix.latitudeDegrees.magnitude.formatted(decimals: 7)) \(fix.latitudeDegrees < 0 ? "S" : "N")"
        let longitude =
            "\(fix.longitudeDegrees.magnitude.formatted(decimals: 7)) \(fix.longitudeDegrees < 0 ? "W" : "E")"
        return "\(latitude)  \(longitude)"
    }

    /// ENU degrees and the compass direction.
    package static func heading(_ radians: Double) -> String {
        "\(Heading.degrees(radians: radians).formatted(decimals: 1))° ENU, \(compass(radians))"
    }

    /// The nearest of eight compass directions; ENU radians, 0 is east, counter-clockwise.
    static func compass(_ radians: Double) -> String {
        guard radians.isFinite else { return unknown }
        let winds = [
            "east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east",
        ]
        let eighth = Int(saturating: (Heading.wrapped(radians) / (.pi / 4)).rounded())
        return winds[(eighth + 8) % 8]
    }

    /// `~11 min`, below two minutes `~90 s`: rounded to the precision of an estimate.
    package static func left(_ duration: Duration) -> String {
        let seconds = duration.inSeconds
        if seconds < 120 { return "~\(Int(saturating: (seconds / 10).rounded()) * 10) s" }
        return "~\(Int(saturating: (seconds / 60).rounded())) min"
    }

    /// `0.4 s old`, `3 min old`.
    package static func age(_ duration: Duration) -> String {
        let seconds = duration.inSeconds
        return "\(seconds < 99.95 ? "\(max(0, seconds).formatted(decimals: 1)) s" : span(duration)) old"
    }

    /// `42 s`, `3 min`, `2 h`.
    package static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.inSeconds)
        if seconds < 99.5 { return "\(Int(saturating: seconds.rounded())) s" }
        if seconds < 5940 { return "\(Int(saturating: (seconds / 60).rounded())) min" }
        return "\(Int(saturating: (seconds / 3600).rounded())) h"
    }

    /// Without decimals; one decimal for fractional values below 9.95.
    package static func hertz(_ value: Double) -> String {
        value.formatted(decimals: value < 9.95 && value != value.rounded() ? 1 : 0)
    }

    /// A time with its unit; `<0.1 ms` if it is too short to show, as in the same process.
    package static func milliseconds(_ value: Double) -> String {
        if value < 0.05 { return "<0.1 ms" }
        if value >= 10_000 { return "\((value / 1000).formatted(decimals: 0)) s" }
        return "\(value.formatted(decimals: value < 9.95 ? 1 : 0)) ms"
    }

    /// The kind of a GNSS fix as text.
    package static func fix(_ quality: GNSSFix.Quality) -> String {
        switch quality {
        case .none: "no fix"
        case .fix: "fix"
        case .satelliteAugmented: "SBAS fix"
        case .groundAugmented: "RTK fix"
        }
    }

    /// A flight state as text.
    package static func state(_ state: FlightState) -> String { String(state.word.map { $0 == "_" ? " " : $0 }) }
}
