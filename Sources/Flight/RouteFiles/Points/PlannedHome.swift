package import Geodesy

/// The position from which a mission is planned to take off, as far as it is known.
package struct PlannedHome: Hashable, Sendable {
    /// `nil` if it is not known.
    package var place: GeographicCoordinate?
    /// Altitude above mean sea level, metres; `nil` if it is not known.
    package var altitudeMetres: Double?

    package init(place: GeographicCoordinate? = nil, altitudeMetres: Double? = nil) {
        self.place = place
        self.altitudeMetres = altitudeMetres
    }
}
