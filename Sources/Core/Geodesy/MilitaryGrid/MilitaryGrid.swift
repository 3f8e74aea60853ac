/// A square of the Military Grid Reference System (MGRS): `33U VR 58357 47288`.
///
/// Covers the UTM part only, from 80 degrees south to 84 degrees north; the polar caps (UPS) are not supported. Zones
/// follow ``UTMZone/init(withExceptionsContaining:)``. The letters are those of the WGS84 datum.
public struct MilitaryGridSquare: Hashable, Sendable, CustomStringConvertible {
    /// The zone; its hemisphere follows from the band.
    public let zone: UTMZone
    /// The latitude band, `C` to `X` without `I` and `O`.
    public let band: Character
    /// The south-western corner, metres on the zone's grid.
    public let eastingMetres: Double
    /// The south-western corner, metres on the zone's grid.
    public let northingMetres: Double
    /// Pairs of digits: 1 means a 10 km square, 5 a 1 m square.
    public let digitPairs: Int

    /// How many pairs of digits a reference may have.
    public static let digitPairRange = 1...5

    /// The length of a side, metres.
    public var sizeMetres: Double { Self.size(digitPairs) }

    static func size(_ pairs: Int) -> Double { [100_000, 10_000, 1000, 100, 10, 1][min(max(pairs, 0), 5)] }

    /// The square that contains a place.
    ///
    /// - Parameter digitPairs: 1 to 5; other values are clamped to that range.
    /// - Throws: ``GeodesyError`` if the coordinate is invalid or lies beyond 80 degrees south or 84 degrees north.
    public init(containing place: GeographicCoordinate, digitPairs: Int = 5) throws(GeodesyError) {
        let band = try LatitudeBand(containing: place)
        let zone = try UTMZone(withExceptionsContaining: place)
        let grid = try UTMProjection(zone: zone).grid(place)
        let pairs = min(max(digitPairs, Self.digitPairRange.lowerBound), Self.digitPairRange.upperBound)
        self.init(
            zone: zone, band: band.letter,
            eastingMetres: Self.floor(grid.eastingMetres, to: Self.size(pairs)),
            // Just south of the equator the northing can round to 10,000,000, which has no row in the south.
            northingMetres: Self.floor(
                zone.isNorth ? max(0, grid.northingMetres) : min(grid.northingMetres, 9_999_999.9),
                to: Self.size(pairs)),
            digitPairs: pairs)
    }

    init(zone: UTMZone, band: Character, eastingMetres: Double, northingMetres: Double, digitPairs: Int) {
        self.zone = zone
        self.band = band
        self.eastingMetres = eastingMetres
        self.northingMetres = northingMetres
        self.digitPairs = digitPairs
    }

    /// References are truncated, never rounded; the micrometre absorbs the projection's rounding error at a square's border.
    private static func floor(_ metres: Double, to size: Double) -> Double {
        ((metres + 1e-6) / size).rounded(.down) * size
    }

    /// The centre of the square.
    public func centre() throws(GeodesyError) -> GeographicCoordinate {
        try UTMProjection(zone: zone).geographic(
            eastingMetres: eastingMetres + sizeMetres / 2, northingMetres: northingMetres + sizeMetres / 2)
    }

    /// The south-western corner.
    public func corner() throws(GeodesyError) -> GeographicCoordinate {
        try UTMProjection(zone: zone).geographic(eastingMetres: eastingMetres, northingMetres: northingMetres)
    }

    /// `33U VR 58357 47288`.
    public var description: String {
        let (column, row) = SquareLetters.letters(
            zone: zone.number, eastingMetres: eastingMetres, northingMetres: northingMetres)
        let number = zone.number < 10 ? "0\(zone.number)" : "\(zone.number)"
        return "\(number)\(band) \(column)\(row) \(digits(eastingMetres)) \(digits(northingMetres))"
    }

    private func digits(_ metres: Double) -> String {
        let within = Int(metres.truncatingRemainder(dividingBy: 100_000) / sizeMetres)
        let text = String(within)
        return String(repeating: "0", count: max(0, digitPairs - text.count)) + text
    }
}
