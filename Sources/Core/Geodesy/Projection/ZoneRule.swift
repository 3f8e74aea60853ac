extension UTMZone {
    /// How to choose the zone where the UTM grid has exceptions.
    public enum Rule: Sendable, CaseIterable {
        /// By longitude alone, as in the vehicle's flight stack: the vehicle's frames use it.
        case byLongitude
        /// With the grid's exceptions: zone 32 is widened over south-western Norway, and around Svalbard zones 32, 34 and 36
        /// are replaced by their neighbours. Maps and MGRS use it.
        case withExceptions
    }

    /// The zone that contains a place.
    ///
    /// - Throws: ``GeodesyError`` if the coordinate is invalid.
    public init(containing place: GeographicCoordinate, rule: Rule) throws(GeodesyError) {
        let plain = try UTMZone(containing: place)
        guard rule == .withExceptions, let number = Self.exception(at: place),
            let zone = UTMZone(number: number, isNorth: true)
        else {
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
