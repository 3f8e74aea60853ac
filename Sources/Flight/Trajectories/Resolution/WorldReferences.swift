public import Geodesy

/// What is known of where places and heights lie in the vehicle's world; what is not known is absent, never assumed.
public struct WorldReferences: Sendable {
    /// Where `world_origin` lies on the globe, and how high; absent: only places in its own metres can be resolved.
    public var session: WorldSession?
    /// Metres from the ellipsoid up to mean sea level there (the geoid's undulation).
    public var geoidSeparationMetres: Double?
    /// z of the ground, metres in `world_origin`: one height for the whole field.
    public var groundZMetres: Double?
    /// z of where the vehicle took off, metres in `world_origin`.
    public var homeZMetres: Double?

    /// What is known.
    public init(
        session: WorldSession? = nil, geoidSeparationMetres: Double? = nil, groundZMetres: Double? = nil,
        homeZMetres: Double? = nil
    ) {
        self.session = session
        self.geoidSeparationMetres = geoidSeparationMetres
        self.groundZMetres = groundZMetres
        self.homeZMetres = homeZMetres
    }
}
