/// One of the twenty bands of latitude: 8 degrees each from 80 degrees south, the last one 12.
struct LatitudeBand {
    static let letters: [Character] = Array("CDEFGHJKLMNPQRSTUVWX")

    let letter: Character
    let southDegrees: Double
    let northDegrees: Double

    var isNorth: Bool { southDegrees >= 0 }

    init?(letter: Character) {
        guard let index = Self.letters.firstIndex(of: letter) else { return nil }
        self.init(index: index)
    }

    init(containing place: GeographicCoordinate) throws(GeodesyError) {
        try place.validate()
        guard (-80...84).contains(place.latitudeDegrees) else {
            throw GeodesyError(
                .outOfRange,
                "latitude \(place.latitudeDegrees) is outside the range of MGRS, 80 degrees south to 84 degrees north"
            )
        }
        self.init(index: min(Int((place.latitudeDegrees + 80) / 8), Self.letters.count - 1))
    }

    private init(index: Int) {
        letter = Self.letters[index]
        southDegrees = Double(index) * 8 - 80
        northDegrees = index == Self.letters.count - 1 ? 84 : southDegrees + 8
    }

    /// The longitudes of a zone in this band, degrees; `nil` if the band does not have that zone.
    func longitudes(zone number: Int) -> ClosedRange<Double>? {
        switch (letter, number) {
        case ("V", 31): return 0...3
        case ("V", 32): return 3...12
        case ("X", 31): return 0...9
        case ("X", 33): return 9...21
        case ("X", 35): return 21...33
        case ("X", 37): return 33...42
        case ("X", 32), ("X", 34), ("X", 36): return nil
        default:
            let west = Double(number) * 6 - 186
            return west...(west + 6)
        }
    }
}

/// The two letters of a 100 km square.
enum SquareLetters {
    private static let columns: [[Character]] = [Array("ABCDEFGH"), Array("JKLMNPQR"), Array("STUVWXYZ")]
    private static let rows: [Character] = Array("ABCDEFGHJKLMNPQRSTUV")

    static func letters(zone: Int, eastingMetres: Double, northingMetres: Double) -> (Character, Character) {
        let set = columns[(zone - 1) % 3]
        let column = min(max(Int((eastingMetres / 100_000).rounded(.down)) - 1, 0), set.count - 1)
        // In even zones the row letters start at F instead of A.
        let row = (Int((northingMetres / 100_000).rounded(.down)) + (zone.isMultiple(of: 2) ? 5 : 0)) % rows.count
        return (set[column], rows[max(row, 0)])
    }

    /// The easting of a column, metres; `nil` if the zone does not have that column.
    static func easting(column: Character, zone: Int) -> Double? {
        columns[(zone - 1) % 3].firstIndex(of: column).map { Double($0 + 1) * 100_000 }
    }

    /// The northing of a row, metres, modulo the 2000 km cycle.
    static func northing(row: Character, zone: Int) -> Double? {
        rows.firstIndex(of: row).map { Double(($0 + (zone.isMultiple(of: 2) ? 15 : 0)) % 20) * 100_000 }
    }
}
