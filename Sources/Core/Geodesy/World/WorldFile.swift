public import UAVLink

/// The contents of a world file of the flight stack: the world's origin and the safety area.
public struct WorldFile: Hashable, Sendable {
    /// The origin of `world_origin`.
    public enum Origin: Hashable, Sendable {
        /// Latitude and longitude.
        case geographic(GeographicCoordinate)
        /// Easting and northing; the file does not name the zone, the vehicle uses the one it is in.
        case utm(eastingMetres: Double, northingMetres: Double)
    }

    /// The origin.
    public var origin: Origin
    /// Where the vehicle may fly; `nil` if the file has no safety area.
    public var safetyArea: SafetyArea?

    /// A world.
    public init(origin: Origin, safetyArea: SafetyArea? = nil) {
        self.origin = origin
        self.safetyArea = safetyArea
    }

    /// The world's frame; `zone` is the zone of an origin given in UTM.
    public func frame(zone: UTMZone) throws(GeodesyError) -> GridFrame {
        switch origin {
        case .geographic(let place): try GridFrame(origin: place)
        case .utm(let easting, let northing):
            GridFrame(origin: UTMCoordinate(zone: zone, eastingMetres: easting, northingMetres: northing))
        }
    }
}

/// Where a vehicle may fly: a prism over a polygon, without the obstacles in it.
public struct SafetyArea: Hashable, Sendable {
    /// A corner.
    public struct Corner: Hashable, Sendable {
        /// Metres, or latitude in degrees where the frame is `latlon_origin`.
        public var x: Double
        /// Metres, or longitude in degrees where the frame is `latlon_origin`.
        public var y: Double

        /// A corner.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// A place that must not be entered.
    public struct Obstacle: Hashable, Sendable {
        /// What it covers of the ground.
        public enum Shape: Hashable, Sendable {
            /// The corners in order; the last joins the first.
            case polygon([Corner])
            /// A circle; its radius is in metres in every frame.
            case circle(centre: Corner, radiusMetres: Double)
        }

        /// Its key in the file.
        public var name: String
        /// The frame of the shape.
        public var horizontalFrame: FrameName
        /// What it covers of the ground.
        public var shape: Shape
        /// Its heights in metres and their frame; `nil`: all heights.
        public var heights: Heights?

        /// A range of heights.
        public struct Heights: Hashable, Sendable {
            /// The frame of the heights.
            public var frame: FrameName
            /// The lowest height, metres.
            public var minimumZMetres: Double
            /// The greatest height, metres.
            public var maximumZMetres: Double

            /// A range of heights.
            public init(frame: FrameName, minimumZMetres: Double, maximumZMetres: Double) {
                self.frame = frame
                self.minimumZMetres = minimumZMetres
                self.maximumZMetres = maximumZMetres
            }
        }

        /// An obstacle.
        public init(name: String, horizontalFrame: FrameName, shape: Shape, heights: Heights? = nil) {
            self.name = name
            self.horizontalFrame = horizontalFrame
            self.shape = shape
            self.heights = heights
        }
    }

    /// Whether the limits apply, those of the obstacles too.
    public var isEnabled: Bool
    /// The frame of the corners.
    public var horizontalFrame: FrameName
    /// The corners in order; the last joins the first.
    public var corners: [Corner]
    /// The frame of the heights.
    public var verticalFrame: FrameName
    /// The lowest height, metres.
    public var minimumZMetres: Double
    /// The greatest height, metres.
    public var maximumZMetres: Double
    /// Places in it that must not be entered.
    public var obstacles: [Obstacle]
    /// How many further obstacles the file lists and switches off (`present: false`).
    public var ignoredObstacleCount = 0

    /// A safety area.
    public init(
        isEnabled: Bool = true, horizontalFrame: FrameName, corners: [Corner], verticalFrame: FrameName,
        minimumZMetres: Double, maximumZMetres: Double, obstacles: [Obstacle] = []
    ) {
        self.isEnabled = isEnabled
        self.horizontalFrame = horizontalFrame
        self.corners = corners
        self.verticalFrame = verticalFrame
        self.minimumZMetres = minimumZMetres
        self.maximumZMetres = maximumZMetres
        self.obstacles = obstacles
    }
}
