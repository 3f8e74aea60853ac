/// A path sampled in time, in the form that the vehicle's tracker accepts.
public struct Trajectory: Hashable, Sendable {
    /// One sample.
    public struct Point: Hashable, Sendable {
        /// Metres in the trajectory's frame (degrees for x and y in ``FrameName/latitudeLongitude``).
        public var position: Vector3
        /// ENU radians in the trajectory's frame.
        public var headingRadians: Double

        /// One sample.
        public init(position: Vector3, headingRadians: Double) {
            self.position = position
            self.headingRadians = headingRadians
        }
    }

    /// The largest number of samples over any link: 32 MB on the wire.
    public static let maximumPoints = 1_000_000

    /// The frame of all points.
    public var frame: FrameName
    /// The samples, evenly spaced in time.
    public var points: [Point]
    /// The time between two samples, seconds; must be positive (the vehicle would silently replace 0 by 0.2 s).
    public var timeStepSeconds: Double
    /// Whether the vehicle follows the headings; otherwise it keeps its own.
    public var usesHeading: Bool
    /// Whether to start at once.
    public var fliesNow: Bool
    /// Whether to start again at the end.
    public var loops: Bool

    /// A trajectory.
    public init(
        frame: FrameName, points: [Point], timeStepSeconds: Double, usesHeading: Bool = true, fliesNow: Bool = false,
        loops: Bool = false
    ) {
        self.frame = frame
        self.points = points
        self.timeStepSeconds = timeStepSeconds
        self.usesHeading = usesHeading
        self.fliesNow = fliesNow
        self.loops = loops
    }

    /// Checks what can be checked without the vehicle.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` that names the point.
    public func validate() throws(LinkError) {
        try Command.requireValid(frame)
        guard !points.isEmpty else { throw LinkError(.invalidInput, "the trajectory has no points") }
        guard points.count <= Self.maximumPoints else {
            throw LinkError(
                .invalidInput, "the trajectory has \(points.count) points, more than \(Self.maximumPoints)",
                hint: "send it in parts")
        }
        guard timeStepSeconds.isFinite, timeStepSeconds > 0 else {
            throw LinkError(.invalidInput, "the trajectory's time step is \(timeStepSeconds) s, which is not positive")
        }
        if let bad = points.firstIndex(where: { !$0.position.isFinite || !$0.headingRadians.isFinite }) {
            throw LinkError(.invalidInput, "point \(bad) of the trajectory has a value that is not a finite number")
        }
    }
}
