internal import UAVLink

extension MilitaryGridSquare {
    /// Reads a reference with 1 to 5 pairs of digits, with or without blanks: `33UVR5835747288`, `33u vr 58 47`.
    ///
    /// - Throws: ``GeodesyError`` with what was found and what was expected.
    public init(text: String) throws(GeodesyError) {
        func wrong(_ expected: String) -> GeodesyError {
            GeodesyError(.outOfRange, "found '\(text.prefix(40).sanitizedLine)', expected \(expected)")
        }
        guard text.utf8.count <= 64 else { throw wrong("an MGRS reference of at most 64 characters") }
        let letters = text.uppercased().filter { $0 != " " && $0 != "\t" }
        guard letters.utf8.allSatisfy({ $0 < 0x80 }) else { throw wrong("letters and digits only") }
        let number = letters.prefix { $0.isNumber }
        let rest = letters.dropFirst(number.count)
        guard (1...2).contains(number.count), let zoneNumber = Int(number), (1...60).contains(zoneNumber) else {
            throw wrong("a zone from 1 to 60, a band, two letters and digits, as in 33U VR 58357 47288")
        }
        guard let bandLetter = rest.first, let band = LatitudeBand(letter: bandLetter) else {
            throw wrong("a band from C to X without I and O after the zone; the polar caps are not supported")
        }
        guard let longitudes = band.longitudes(zone: zoneNumber),
            let zone = UTMZone(number: zoneNumber, isNorth: band.isNorth)
        else { throw wrong("another zone: band \(band.letter) has no zone \(zoneNumber)") }
        let square = Array(rest.dropFirst().prefix(2))
        guard square.count == 2, let easting = SquareLetters.easting(column: square[0], zone: zoneNumber),
            let rowNorthing = SquareLetters.northing(row: square[1], zone: zoneNumber)
        else { throw wrong("two letters of a 100 km square in zone \(zoneNumber)") }
        let digits = Array(rest.dropFirst(3))
        guard digits.allSatisfy({ $0.isNumber }), digits.count.isMultiple(of: 2),
            Self.digitPairRange.contains(digits.count / 2)
        else { throw wrong("2, 4, 6, 8 or 10 digits at the end") }
        let pairs = digits.count / 2
        let size = Self.size(pairs)
        let east = easting + (Double(String(digits[..<pairs])) ?? 0) * size
        let northInCycle = rowNorthing + (Double(String(digits[pairs...])) ?? 0) * size
        let projection = UTMProjection(zone: zone)
        let middle = try projection.grid(
            GeographicCoordinate(
                latitudeDegrees: (band.southDegrees + band.northDegrees) / 2,
                longitudeDegrees: (longitudes.lowerBound + longitudes.upperBound) / 2))
        // Row letters repeat every 2000 km and no band is higher than 1400 km: take the row nearest to the band's middle.
        let cycles = ((middle.northingMetres - northInCycle) / 2_000_000).rounded()
        let north = northInCycle + cycles * 2_000_000
        let found = Self(
            zone: zone, band: band.letter, eastingMetres: east, northingMetres: north, digitPairs: pairs)
        let centre = try found.centre()
        // A square on a border belongs to both sides: it may extend beyond the border by its own size.
        let slack = size / 110_000
        let sideways = slack / max(0.1, cosine(degrees: centre.latitudeDegrees))
        guard (band.southDegrees - slack...band.northDegrees + slack).contains(centre.latitudeDegrees),
            (longitudes.lowerBound - sideways...longitudes.upperBound + sideways).contains(centre.longitudeDegrees)
        else { throw wrong("a 100 km square within \(zoneNumber)\(band.letter)") }
        self = found
    }
}

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

private func cosine(degrees: Double) -> Double { cos(degrees * .pi / 180) }
