public import Geodesy

/// References of positions and heights in the vehicle's world; unknown ones are `nil`, never assumed.
public struct WorldReferences: Sendable {
    /// Where `world_origin` lies on the globe, and its altitude; `nil`: only positions in `world_origin` can be resolved.
    public var session: WorldSession?
    /// Height of mean sea level above the ellipsoid there, metres (the geoid's undulation).
    public var geoidSeparationMetres: Double?
    /// z of the ground, metres in `world_origin`: one height for the whole field.
    public var groundZMetres: Double?
    /// z of the take-off position, metres in `world_origin`.
    public var homeZMetres: Double?
    /// z of the ground under the vehicle as it measures it, metres in `world_origin`: nothing counts from it, but it may show that
    /// another height is wrong.
    public var vehicleGroundZMetres: Double?

    /// Creates references.
    public init(
        session: WorldSession? = nil, geoidSeparationMetres: Double? = nil, groundZMetres: Double? = nil,
        homeZMetres: Double? = nil, vehicleGroundZMetres: Double? = nil
    ) {
        self.session = session
        self.geoidSeparationMetres = geoidSeparationMetres
        self.groundZMetres = groundZMetres
        self.homeZMetres = homeZMetres
        self.vehicleGroundZMetres = vehicleGroundZMetres
    }
}
