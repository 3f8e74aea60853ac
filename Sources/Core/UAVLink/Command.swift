/// A command to a vehicle: executed once, answered.
public enum Command: Hashable, Sendable {
    /// Arm (`true`) or disarm (`false`) the motors; on a real vehicle this is done by radio control.
    case arm(Bool)
    /// Enable or disable the flight stack's control output to the autopilot.
    case enableOutput(Bool)
    /// Switch the autopilot to offboard mode, so that the flight stack controls it.
    case offboard
    /// Take off to the flight stack's configured height. Accepted means started, not finished.
    case takeoff
    /// Land where the vehicle is.
    case land
    /// Fly back to the take-off position and land.
    case landHome
    /// Stop and hold.
    case hover
    /// Stop, hold, and refuse all further references.
    case emergencyHover
    /// Descend at once; no flight is possible until the flight stack is restarted.
    case emergencyLand
    /// Fly to a place.
    case goTo(Destination)
    /// Climb or descend to a height in the current frame, metres.
    case altitude(metres: Double)
    /// Turn to a heading, ENU radians.
    case heading(radians: Double)
    /// Turn by an angle, radians, counter-clockwise positive.
    case turn(byRadians: Double)
    /// Load a trajectory, and start it at once if ``Trajectory/fliesNow`` is set.
    case uploadTrajectory(Trajectory)
    /// Fly to the loaded trajectory's first point.
    case goToTrajectoryStart
    /// Start to follow the loaded trajectory.
    case startTrajectory
    /// Stop following the trajectory and hold.
    case stopTrajectory
    /// Resume the trajectory where it was stopped.
    case resumeTrajectory
    /// Call a `std_srvs/Trigger` service that takes a picture; the name is relative to the vehicle's namespace.
    case snapshot(service: String)

    /// The default snapshot service.
    public static let defaultSnapshotService = "camera/snapshot"

    /// A place to fly to.
    public struct Destination: Hashable, Sendable {
        /// What position and heading refer to.
        public enum Reference: Hashable, Sendable {
            /// In a frame of the vehicle, heading absolute in that frame.
            case frame(FrameName)
            /// Added to the vehicle's current reference, heading too.
            case relative
            /// In the body frame: x forward, y left, z up, heading relative.
            case body
        }

        /// What position and heading refer to.
        public var reference: Reference
        /// Metres; degrees for x and y in ``FrameName/latitudeLongitude``.
        public var position: Vector3
        /// Radians; absolute or relative depending on ``reference``.
        public var headingRadians: Double

        /// A place to fly to.
        public init(_ reference: Reference, position: Vector3, headingRadians: Double) {
            self.reference = reference
            self.position = position
            self.headingRadians = headingRadians
        }
    }

    /// Whether this command stops motion; such commands have priority over everything else on a link.
    public var stopsMotion: Bool {
        switch self {
        case .hover, .emergencyHover, .emergencyLand, .stopTrajectory: true
        default: false
        }
    }

    /// Whether the command stops or lands the vehicle here and now, which every pilot may do at any time.
    public var stopsOrLands: Bool { if case .land = self { true } else { stopsMotion } }

    /// Whether the command takes over from steering: setpoints still in transit when it begins must be ignored, since the
    /// vehicle's tracker would abandon the command for them.
    public var interruptsSteering: Bool {
        switch self {
        case .takeoff, .land, .landHome, .hover, .emergencyHover, .emergencyLand, .goTo, .altitude, .heading, .turn,
            .goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory:
            true
        case .uploadTrajectory(let trajectory): trajectory.fliesNow
        case .arm, .enableOutput, .offboard, .snapshot: false
        }
    }

    /// The command's name on the command line.
    public var name: String {
        switch self {
        case .arm(let on): on ? "arm" : "disarm"
        case .enableOutput(let on): on ? "output-on" : "output-off"
        case .offboard: "offboard"
        case .takeoff: "takeoff"
        case .land: "land"
        case .landHome: "land-home"
        case .hover: "hover"
        case .emergencyHover: "ehover"
        case .emergencyLand: "eland"
        case .goTo: "goto"
        case .altitude: "altitude"
        case .heading: "heading"
        case .turn: "heading --relative"
        case .uploadTrajectory: "trajectory send"
        case .goToTrajectoryStart: "trajectory goto-start"
        case .startTrajectory: "trajectory start"
        case .stopTrajectory: "trajectory stop"
        case .resumeTrajectory: "trajectory resume"
        case .snapshot: "snapshot"
        }
    }

    /// Checks everything that can be checked without the vehicle; every link calls it before it sends.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` that names the value.
    public func validate() throws(LinkError) {
        switch self {
        case .goTo(let destination):
            try Self.requireFinite(destination.position.x, "x")
            try Self.requireFinite(destination.position.y, "y")
            try Self.requireFinite(destination.position.z, "z")
            try Self.requireTurn(destination.headingRadians)
            if case .frame(let frame) = destination.reference {
                try Self.requireValid(frame)
                if frame == .latitudeLongitude {
                    try Self.require(destination.position.x, within: -90...90, "latitude")
                    try Self.require(destination.position.y, within: -180...180, "longitude")
                }
            }
        case .altitude(let metres): try Self.requireFinite(metres, "altitude")
        case .heading(let radians): try Self.requireTurn(radians)
        case .turn(let radians): try Self.requireTurn(radians)
        case .uploadTrajectory(let trajectory): try trajectory.validate()
        case .snapshot(let service): try Self.requireValid(service: service)
        case .arm, .enableOutput, .offboard, .takeoff, .land, .landHome, .hover, .emergencyHover, .emergencyLand,
            .goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory:
            break
        }
    }

    static func requireFinite(_ value: Double, _ name: String) throws(LinkError) {
        guard value.isFinite else {
            throw LinkError(.invalidInput, "\(name) is \(value), which is not a finite number")
        }
    }

    /// At most one turn: of a number with many digits before the point the angle is not known, and a vehicle that gets it may turn
    /// without end.
    private static func requireTurn(_ radians: Double) throws(LinkError) {
        try requireFinite(radians, "heading")
        let degrees = Heading.degrees(radians: radians)
        // Less than the error of the conversion.
        guard abs(degrees) <= 360.000_001 else {
            // Without the error of the conversion, which would be 360.99999999999994 of 361.
            let shown = abs(degrees) < 1e9 ? (degrees * 1e6).rounded() / 1e6 : degrees
            throw LinkError(.invalidInput, "heading \(shown) degrees is outside -360...360")
        }
    }

    static func require(_ value: Double, within range: ClosedRange<Double>, _ name: String) throws(LinkError) {
        guard range.contains(value) else {
            throw LinkError(.invalidInput, "\(name) \(value) is outside \(range.lowerBound)...\(range.upperBound)")
        }
    }

    /// The longest service name, bytes.
    public static let longestServiceName = 128

    /// Whether a text is a valid service name relative to the vehicle's namespace: words of letters, digits and `_`
    /// separated by `/`, the first of which begins with a letter.
    public static func isServiceName(_ name: String) -> Bool {
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        guard name.utf8.count <= longestServiceName, let first = name.utf8.first, isLetter(first) else { return false }
        let words = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        }
    }

    static func requireValid(service: String) throws(LinkError) {
        guard isServiceName(service) else {
            throw LinkError(
                .invalidInput,
                "'\(service.prefix(longestServiceName).sanitizedLine)' is not a valid service name",
                hint: "relative to the vehicle's namespace: letters, digits, '_', and '/' between words, for example "
                    + defaultSnapshotService)
        }
    }

    static func requireValid(_ frame: FrameName) throws(LinkError) {
        guard frame.isValid else {
            throw LinkError(
                .invalidInput,
                "'\(frame.name.prefix(FrameName.longestName).sanitizedLine)' is not a valid frame name",
                hint: "use letters, digits, '_' and '/', at most \(FrameName.longestName) bytes")
        }
    }
}

/// The vehicle's answer to a command.
public struct CommandReply: Hashable, Sendable {
    /// Whether the vehicle accepted the command.
    public var accepted: Bool
    /// The vehicle's message, unchanged: untrusted text, see ``Swift/StringProtocol/sanitizedLine``.
    public var message: String
    /// From the call to the answer.
    public var roundTrip: Duration
    /// For an uploaded trajectory: whether the vehicle changed its points, as it does for points outside the safety area.
    public var trajectoryModified: Bool

    /// An answer.
    public init(accepted: Bool, message: String, roundTrip: Duration = .zero, trajectoryModified: Bool = false) {
        self.accepted = accepted
        self.message = message
        self.roundTrip = roundTrip
        self.trajectoryModified = trajectoryModified
    }
}
