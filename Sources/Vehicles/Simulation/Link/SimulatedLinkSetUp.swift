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

    /// Creates a link to a vehicle of that name, on the ground at the origin of its world.
    ///
    /// - Parameters:
    ///   - snapshotService: the service of its camera.
    ///   - world: origin, safety area and obstacles; `nil` for the standard world. An origin in UTM coordinates, which do not include the
    ///     zone, is taken to be in the standard one.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    public convenience init(
        vehicle: String, seed: UInt64 = 1, snapshotService: String = Command.defaultSnapshotService,
        world: WorldDocument? = nil
    ) throws(LinkError) {
        var configuration = SimulatorConfiguration()
        configuration.vehicle = vehicle
        configuration.seed = seed
        configuration.snapshotService = snapshotService
        if let world { try configuration.use(world) }
        do {
            self.init(try HexacopterSimulator(configuration))
        } catch {
            throw LinkError(.invalidInput, error.description)
        }
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
