extension UTMZone {
    /// The zone that contains a place on maps and in MGRS: zone 32 is widened over south-western Norway, and around Svalbard
    /// zones 32, 34 and 36 are replaced by their neighbours. The vehicle's frames use ``init(containing:)``.
    ///
    /// - Throws: ``GeodesyError`` if the coordinate is invalid.
    public init(withExceptionsContaining place: GeographicCoordinate) throws(GeodesyError) {
        let plain = try UTMZone(containing: place)
        guard let number = Self.exception(at: place), let zone = UTMZone(number: number, isNorth: true) else {
            self = plain
            return
        }
        self = zone
    }

    private static func exception(at place: GeographicCoordinate) -> Int? {
        let longitude = place.longitudeDegrees
        switch place.latitudeDegrees {
        case 56..<64: return (3..<12).contains(longitude) ? 32 : nil
        case 72...84:
            switch longitude {
            case 0..<9: return 31
            case 9..<21: return 33
            case 21..<33: return 35
            case 33..<42: return 37
            default: return nil
            }
        default: return nil
        }
    }
}
