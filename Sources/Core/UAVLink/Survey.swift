/// The vehicle's motion limits and the origin of its world, as needed for planning.
public struct FlightEnvelope: Hashable, Sendable {
    /// The position of the vehicle's `world_origin`.
    public struct WorldOrigin: Hashable, Sendable {
        /// Degrees, north positive (WGS84).
        public var latitudeDegrees: Double
        /// Degrees, east positive.
        public var longitudeDegrees: Double
        /// The altitude of z = 0, metres above mean sea level.
        public var altitudeMetres: Double
        /// How it was determined.
        public var source: Source

        /// How an origin was determined.
        public enum Source: UInt8, Sendable, CaseIterable {
            /// From the vehicle's transformer.
            case transformer = 0
            /// Computed from simultaneous GNSS fix and local position: as accurate as the fix.
            case satelliteFix = 1
        }

        /// An origin.
        public init(latitudeDegrees: Double, longitudeDegrees: Double, altitudeMetres: Double, source: Source) {
            self.latitudeDegrees = latitudeDegrees
            self.longitudeDegrees = longitudeDegrees
            self.altitudeMetres = altitudeMetres
            self.source = source
        }
    }

    /// The motion limits; `nil` if the vehicle did not report them.
    public var limits: MotionLimits?
    /// The world's origin; `nil` if the vehicle does not know it.
    public var worldOrigin: WorldOrigin?

    /// An envelope.
    public init(limits: MotionLimits? = nil, worldOrigin: WorldOrigin? = nil) {
        self.limits = limits
        self.worldOrigin = worldOrigin
    }
}

/// A map available on a vehicle: a topic with point clouds.
public struct AvailableMap: Hashable, Sendable {
    /// The topic's full name; untrusted text from the ROS graph.
    public var topic: String
    /// The frame of its points; empty until a message was received.
    public var frame: FrameName
    /// The number of points of the newest cloud; `nil` until a message was received.
    public var points: Int?

    /// An available map.
    public init(topic: String, frame: FrameName = .current, points: Int? = nil) {
        self.topic = topic
        self.frame = frame
        self.points = points
    }
}

/// Which map to fetch, and at what density.
public struct MapRequest: Hashable, Sendable {
    /// The topic of an available map.
    public var topic: String
    /// The minimum distance between two points, metres; 0 sends all.
    public var spacingMetres: Double
    /// The maximum number of points.
    public var maximumPoints: Int

    /// The largest number of points over any link: 24 MB on the wire.
    public static let mostPoints = 2_000_000

    /// A request.
    public init(topic: String, spacingMetres: Double = 0.05, maximumPoints: Int = 500_000) {
        self.topic = topic
        self.spacingMetres = spacingMetres
        self.maximumPoints = maximumPoints
    }
}

/// A link that can query limits, world origin, world file and maps of a vehicle.
public protocol SurveyLink: UAVLink {
    /// Queries the vehicle's motion limits and world origin.
    ///
    /// - Throws: ``LinkError`` if no answer was received; parts that the vehicle does not know are `nil` instead.
    func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope

    /// Reads the world file that the vehicle's flight stack has read, where it lies, or finds out what else shows its border.
    ///
    /// - Parameter known: the fingerprint of the world that the caller has (``VehicleWorld/fingerprint(of:_:)``), which is then not
    ///   sent again; 0: none.
    /// - Returns: the world, or why it is not known.
    /// - Throws: ``LinkError`` if no answer was received; `unsupported` if this vehicle, or its companion, cannot report it.
    func world(knowing known: UInt64, within timeout: Duration) async throws(LinkError) -> VehicleWorld

    /// Lists the maps available on the vehicle.
    func maps(within timeout: Duration) async throws(LinkError) -> [AvailableMap]

    /// Fetches a map, thinned on the vehicle, as the bytes of a PCD file (version 0.7).
    ///
    /// - Parameter progress: called with the fraction received, from 0 to 1, on any thread.
    func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8]
}

extension MapRequest {
    /// Checks what can be checked without the vehicle; every link calls it before it sends the request.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` that names the value.
    public func validate() throws(LinkError) {
        let isName =
            topic.utf8.first == UInt8(ascii: "/") && topic.utf8.count <= AvailableMap.longestTopic
            && topic.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0.allSatisfy(Self.isNameByte)
            }
        guard isName else {
            throw LinkError(
                .invalidInput, "'\(topic.prefix(AvailableMap.longestTopic).sanitizedLine)' is not a valid topic name",
                hint: "give the full name, for example /uav1/map/points; 'uavlink map pull --list' lists them")
        }
        guard spacingMetres.isFinite, spacingMetres >= 0, spacingMetres <= 100 else {
            throw LinkError(.invalidInput, "a spacing of \(spacingMetres) m is outside 0...100")
        }
        guard (1...Self.mostPoints).contains(maximumPoints) else {
            throw LinkError(.invalidInput, "\(maximumPoints) points are outside 1...\(Self.mostPoints)")
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
}

extension AvailableMap {
    /// The longest topic name, bytes.
    public static let longestTopic = 256
    /// The largest number of maps listed; a vehicle has only a few.
    public static let maximumAvailableMaps = 64
}
