extension UTMZone {
    /// Which zone counts where the grid itself makes exceptions.
    public enum Rule: Sendable, CaseIterable {
        /// By longitude alone, as the vehicle's flight stack has it: what the vehicle's frames are made of.
        case byLongitude
        /// With the grid's exceptions: zone 32 is widened over south-western Norway, and around Svalbard zones 32, 34 and 36
        /// give way to their neighbours. Maps and MGRS use it.
        case withExceptions
    }

    /// The zone that a place lies in.
    ///
    /// - Throws: ``GeodesyError`` when it is no place on earth.
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

    /// Degrees east of its central meridian.
    public var centralMeridianDegrees: Double { Double(number) * 6 - 183 }
}
