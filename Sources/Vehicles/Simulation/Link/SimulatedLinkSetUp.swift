internal import FlightVolume
internal import Geodesy
public import UAVLink

extension SimulatedLink {
    /// The contents of a world file.
    public struct WorldDocument: Hashable, Sendable {
        /// What the file has: it is decoded, and may be anything.
        public var bytes: [UInt8]
        /// Its name in errors.
        public var name: String

        /// The contents of a file with a name.
        public init(_ bytes: [UInt8], name: String) { (self.bytes, self.name) = (bytes, name) }
    }

    /// Creates a link to a vehicle of that name, on the ground.
    ///
    /// - Parameters:
    ///   - snapshotService: the service of its camera.
    ///   - world: origin, safety area and obstacles; `nil` for the standard world. An origin in UTM coordinates, which do not include the
    ///     zone, is taken to be in the standard one.
    ///   - start: its place on the ground and its heading, in `world_origin`; `nil`, or a place where it may not fly, for the origin.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    public convenience init(
        vehicle: String, seed: UInt64 = 1, snapshotService: String = Command.defaultSnapshotService,
        world: WorldDocument? = nil, start: Pose? = nil
    ) throws(LinkError) {
        var configuration = SimulatorConfiguration()
        configuration.vehicle = vehicle
        configuration.seed = seed
        configuration.snapshotService = snapshotService
        if let world { try configuration.use(world) }
        do throws(SimulatorError) {
            var simulator = try HexacopterSimulator(configuration)
            if let start, simulator.mayStart(at: start.positionMetres) {
                configuration.startXMetres = start.positionMetres.x
                configuration.startYMetres = start.positionMetres.y
                configuration.startHeadingRadians = start.headingRadians
                simulator = try HexacopterSimulator(configuration)
            }
            self.init(simulator)
        } catch {
            throw LinkError(.invalidInput, error.description)
        }
    }
}

extension HexacopterSimulator {
    /// Whether the vehicle may fly above a place at the lowest height of the area, and at the lowest one above the ground.
    fileprivate func mayStart(at place: Vector3) -> Bool {
        let lowest = safety?.minimumZMetres ?? 0
        // On the lower side of an obstacle that stands on the ground a place is not yet inside.
        return [lowest, max(0.1, lowest)].allSatisfy { isAllowed(Vector3(x: place.x, y: place.y, z: $0)) }
    }
}

extension SimulatorConfiguration {
    fileprivate mutating func use(_ document: SimulatedLink.WorldDocument) throws(LinkError) {
        do throws(GeodesyError) {
            world = try WorldFileReader.read(document.bytes, source: document.name)
            if case .geographic(let place) = world.origin { zone = try UTMZone(containing: place) }
        } catch {
            throw LinkError(.invalidInput, "the simulated vehicle cannot have this world: \(error.what)")
        }
    }
}
