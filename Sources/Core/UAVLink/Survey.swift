/// What a vehicle allows and where its world lies: what a plan needs to know before it is made.
public struct FlightEnvelope: Hashable, Sendable {
    /// Where the vehicle's `world_origin` lies.
    public struct WorldOrigin: Hashable, Sendable {
        /// Degrees, north positive (WGS84).
        public var latitudeDegrees: Double
        /// Degrees, east positive.
        public var longitudeDegrees: Double
        /// Metres above mean sea level of z = 0.
        public var altitudeMetres: Double
        /// How it is known.
        public var source: Source

        /// How an origin is known.
        public enum Source: UInt8, Sendable, CaseIterable {
            /// The vehicle's transformer was asked.
            case transformer = 0
            /// From where the vehicle is on the globe and in its frame at the same time: as good as its satellite fix.
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

    /// How fast it may move; absent when the vehicle did not say.
    public var limits: MotionLimits?
    /// Where its world lies; absent when the vehicle does not know.
    public var worldOrigin: WorldOrigin?

    /// What a vehicle allows.
    public init(limits: MotionLimits? = nil, worldOrigin: WorldOrigin? = nil) {
        self.limits = limits
        self.worldOrigin = worldOrigin
    }
}

/// A map that a vehicle offers: a topic of point clouds.
public struct MapOffer: Hashable, Sendable {
    /// The topic's complete name; text from the ROS graph.
    public var topic: String
    /// The frame of its points; empty while nothing was heard on it.
    public var frame: FrameName
    /// Points of the newest cloud; absent while nothing was heard on it.
    public var points: Int?

    /// An offer.
    public init(topic: String, frame: FrameName = .current, points: Int? = nil) {
        self.topic = topic
        self.frame = frame
        self.points = points
    }
}

/// Which map to fetch, and how much of it.
public struct MapRequest: Hashable, Sendable {
    /// The topic, one of those offered.
    public var topic: String
    /// No two points nearer than this are sent, metres; 0 sends all.
    public var spacingMetres: Double
    /// At most so many points.
    public var maximumPoints: Int

    /// The most points that any link carries: 24 MB on the wire.
    public static let mostPoints = 2_000_000

    /// A request.
    public init(topic: String, spacingMetres: Double = 0.05, maximumPoints: Int = 500_000) {
        self.topic = topic
        self.spacingMetres = spacingMetres
        self.maximumPoints = maximumPoints
    }
}

/// A link over which one can ask what a plan needs to know.
public protocol SurveyLink: UAVLink {
    /// What the vehicle allows, and where its world lies.
    ///
    /// - Throws: ``LinkError`` when no answer could be had; parts that the vehicle does not know are absent instead.
    func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope

    /// The maps that the vehicle offers.
    func maps(within timeout: Duration) async throws(LinkError) -> [MapOffer]

    /// Fetches a map, thinned on board, as the bytes of a PCD file (version 0.7).
    ///
    /// - Parameter progress: called with the fraction that has come, from 0 to 1, on any thread.
    func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8]

    /// As ``UAVLink/perform(_:within:)``, telling how much of a long command has reached the vehicle, from 0 to 1.
    func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply
}

extension MapRequest {
    /// Checks what can be checked without the vehicle; every link calls it before it asks.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` that names the value.
    public func validate() throws(LinkError) {
        let isName =
            topic.utf8.first == UInt8(ascii: "/") && topic.utf8.count <= MapOffer.longestTopic
            && topic.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0.allSatisfy(Self.isNameByte)
            }
        guard isName else {
            throw LinkError(
                .invalidInput, "'\(topic.prefix(MapOffer.longestTopic).harmlessLine)' cannot be a topic's name",
                hint: "a complete name, for example /uav1/map/points; 'uavlink map pull' without one lists them")
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

extension MapOffer {
    /// The longest name of a topic, in bytes.
    public static let longestTopic = 256
    /// More maps are not offered; a vehicle has a handful.
    public static let mostOffers = 64
}
