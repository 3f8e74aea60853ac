package import Geodesy
internal import RouteFiles
package import Trajectories
package import UAVLink

extension WorldSetup {
    /// Reads a world file and uses it; an origin typed before stays in use.
    ///
    /// - Parameter isOfProfile: whether the vehicle's profile names it, and not the user.
    /// - Throws: ``FileAccessError`` for a file that cannot be read or is not a world file.
    package mutating func readWorldFile(
        _ path: String, isOfProfile: Bool = false, from files: any FileAccess
    ) async throws(FileAccessError) {
        let bytes = try await files.read(path, atMost: Self.maximumFileBytes)
        do {
            worldFile = try WorldFileReader.read(bytes, source: path)
        } catch {
            guard error.what.contains("UTF-8"), let problem = OtherEncoding.problem(bytes) else {
                throw FileAccessError(error.what)
            }
            throw FileAccessError("\(path.sanitizedLine): \(problem)")
        }
        (worldFileName, isWorldOfProfile) = (path, isOfProfile)
    }

    /// Takes over the world file that another set-up has read.
    package mutating func takeWorldFile(of other: Self) {
        (worldFile, worldFileName, isWorldOfProfile) = (other.worldFile, other.worldFileName, other.isWorldOfProfile)
    }

    /// Uses no world file any longer.
    package mutating func forgetWorldFile() { (worldFile, worldFileName, isWorldOfProfile) = (nil, "", false) }

    /// Larger than any world file.
    private static let maximumFileBytes = 1 << 24

    /// The resolver that brings the routes of files into this world.
    ///
    /// - Parameters:
    ///   - session: this setup's ``session()``.
    ///   - homeZMetres: z of the take-off position, metres in `world_origin`; `nil` if unknown.
    ///   - vehicleGroundZMetres: z of the ground under the vehicle, metres in `world_origin`; `nil` if unknown.
    ///   - defaults: for what a file leaves out.
    package func resolver(
        _ session: WorldSession?, homeZMetres: Double?, vehicleGroundZMetres: Double? = nil,
        _ defaults: RouteDefaults = .init()
    ) -> RouteResolver {
        RouteResolver(
            references: WorldReferences(
                session: session, geoidSeparationMetres: geoidSeparationMetres, groundZMetres: groundZMetres,
                homeZMetres: homeZMetres, vehicleGroundZMetres: vehicleGroundZMetres),
            defaultAltitude: defaults.altitude, defaultFrame: defaults.frame, defaultHeading: defaults.heading)
    }
}

extension WorldPosition {
    /// Position of a vehicle, metres in `world_origin`; `nil` if it is not known.
    package func position(in telemetry: Telemetry?) -> Vector3? { telemetry?.pose.flatMap { position(of: $0.value) } }

    /// The take-off position: where the vehicle stands before its flight; `nil` while it flies.
    package func home(in telemetry: Telemetry?) -> Vector3? {
        telemetry?.standsOnGround == true ? position(in: telemetry) : nil
    }

    /// z of the ground under a vehicle, metres in `world_origin`, from its own height above it; `nil` if that is not known.
    package func groundZ(in telemetry: Telemetry?) -> Double? {
        guard let at = telemetry?.pose?.at, let z = position(in: telemetry)?.z,
            let height = [telemetry?.heightAboveGroundMetres, telemetry?.rangeFinderMetres].lazy.compactMap(\.self)
                .first(where: { max(at - $0.at, $0.at - at) <= Self.longestApart })?.value,
            height.isFinite
        else { return nil }
        return z - height
    }

    /// A height that was measured so long before or after the position is that of another place: a range finder that measures nothing says
    /// nothing.
    private static let longestApart: Duration = .seconds(5)
}
