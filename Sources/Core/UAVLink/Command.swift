/// What a vehicle can be asked to do, once, with an answer.
public enum Command: Hashable, Sendable {
    /// Spin the motors up (`true`) or stop them (`false`); on a real vehicle a person does it by radio.
    case arm(Bool)
    /// Let the flight stack's control output through to the autopilot, or cut it off.
    case enableOutput(Bool)
    /// Hand control to the flight stack.
    case offboard
    /// Take off to the stack's configured height. Accepted means begun.
    case takeoff
    /// Land where the vehicle is.
    case land
    /// Fly back to where it took off and land.
    case landHome
    /// Stop and hold.
    case hover
    /// Stop and hold, refusing every further reference.
    case emergencyHover
    /// Descend at once; flying is over until the stack is restarted.
    case emergencyLand
    /// Fly to a place.
    case goTo(Destination)
    /// Climb or sink to a height in the current frame, in metres.
    case altitude(metres: Double)
    /// Turn to a heading, ENU radians.
    case heading(radians: Double)
    /// Turn by an angle, radians, counter-clockwise positive.
    case turn(byRadians: Double)
    /// Load a trajectory (and fly it at once when it says so).
    case uploadTrajectory(Trajectory)
    /// Fly to the loaded trajectory's first point.
    case goToTrajectoryStart
    /// Begin to follow the loaded trajectory.
    case startTrajectory
    /// Stop following it and hold.
    case stopTrajectory
    /// Go on where it was stopped.
    case resumeTrajectory
    /// Take a picture, or whatever else the named `std_srvs/Trigger` service does: a name below the vehicle's.
    case snapshot(service: String)

    /// The snapshot service of a vehicle of which nothing else was said.
    public static let usualSnapshotService = "camera/snapshot"

    /// A place to fly to.
    public struct Destination: Hashable, Sendable {
        /// How position and heading are meant.
        public enum Reference: Hashable, Sendable {
            /// In a frame of the vehicle's, heading absolute in that frame.
            case frame(FrameName)
            /// Added to the vehicle's current reference, heading too.
            case relative
            /// In the body frame: x forward, y left, z up, heading relative.
            case body
        }

        /// How position and heading are meant.
        public var reference: Reference
        /// Metres, but degrees for x and y in ``FrameName/latitudeLongitude``.
        public var position: Vector3
        /// Radians; absolute or relative as ``reference`` says.
        public var headingRadians: Double

        /// A place to fly to.
        public init(_ reference: Reference, position: Vector3, headingRadians: Double) {
            self.reference = reference
            self.position = position
            self.headingRadians = headingRadians
        }
    }

    /// Whether this command stops motion; such commands overtake everything else on a link.
    public var stopsMotion: Bool {
        switch self {
        case .hover, .emergencyHover, .emergencyLand, .stopTrajectory: true
        default: false
        }
    }

    /// Whether the vehicle goes its own way after it, or none: setpoints that are still on their way when it begins must not
    /// count any more, since the vehicle's tracker would drop it for them.
    public var takesOverFromSteering: Bool {
        switch self {
        case .takeoff, .land, .landHome, .hover, .emergencyHover, .emergencyLand, .goTo, .altitude, .heading, .turn,
            .goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory:
            true
        case .uploadTrajectory(let trajectory): trajectory.fliesNow
        case .arm, .enableOutput, .offboard, .snapshot: false
        }
    }

    /// The command's name as a person types it.
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

    /// Checks everything that can be checked without the vehicle; every link calls it before a byte leaves.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` that names the value.
    public func validate() throws(LinkError) {
        switch self {
        case .goTo(let destination):
            try Self.requireFinite(destination.position.x, "x")
            try Self.requireFinite(destination.position.y, "y")
            try Self.requireFinite(destination.position.z, "z")
            try Self.requireFinite(destination.headingRadians, "heading")
            if case .frame(let frame) = destination.reference {
                try Self.requireValid(frame)
                if frame == .latitudeLongitude {
                    try Self.require(destination.position.x, within: -90...90, "latitude")
                    try Self.require(destination.position.y, within: -180...180, "longitude")
                }
            }
        case .altitude(let metres): try Self.requireFinite(metres, "altitude")
        case .heading(let radians): try Self.requireFinite(radians, "heading")
        case .turn(let radians): try Self.requireFinite(radians, "heading")
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

    static func require(_ value: Double, within range: ClosedRange<Double>, _ name: String) throws(LinkError) {
        guard range.contains(value) else {
            throw LinkError(.invalidInput, "\(name) \(value) is outside \(range.lowerBound)...\(range.upperBound)")
        }
    }

    /// The longest name of a service, in bytes.
    public static let longestServiceName = 128

    /// Whether that can be the name of a service below the vehicle's: words of letters, digits and `_` with `/` between
    /// them, the first beginning with a letter.
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
                "'\(service.prefix(longestServiceName).harmlessLine)' cannot be a service of the vehicle's",
                hint: "a name below the vehicle's: letters, digits, '_' and '/' between words, for example "
                    + usualSnapshotService)
        }
    }

    static func requireValid(_ frame: FrameName) throws(LinkError) {
        guard frame.isValid else {
            throw LinkError(
                .invalidInput, "'\(frame.name)' cannot be a frame's name",
                hint: "a frame is letters, digits, '_' and '/', at most 128 bytes")
        }
    }
}

/// The vehicle's own answer to a command.
public struct CommandReply: Hashable, Sendable {
    /// Whether the vehicle accepted the command.
    public var accepted: Bool
    /// What the vehicle said, as it came: untrusted text, see ``Swift/StringProtocol/harmlessLine``.
    public var message: String
    /// From the call to the answer.
    public var roundTrip: Duration
    /// For an uploaded trajectory: whether the vehicle changed its points, as it does outside the safety area.
    public var trajectoryModified: Bool

    /// An answer.
    public init(accepted: Bool, message: String, roundTrip: Duration = .zero, trajectoryModified: Bool = false) {
        self.accepted = accepted
        self.message = message
        self.roundTrip = roundTrip
        self.trajectoryModified = trajectoryModified
    }
}
