/// A set of kinds of ``Command``; the bits are the numbers of the commands on the channel, from 1.
public struct CommandKinds: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// A set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(number: UInt32) { rawValue = 1 << (number - 1) }

    /// ``Command/arm(_:)``.
    public static let arm = Self(number: 1)
    /// ``Command/enableOutput(_:)``.
    public static let enableOutput = Self(number: 2)
    /// ``Command/offboard``.
    public static let offboard = Self(number: 3)
    /// ``Command/takeoff``.
    public static let takeoff = Self(number: 4)
    /// ``Command/land``.
    public static let land = Self(number: 5)
    /// ``Command/landHome``.
    public static let landHome = Self(number: 6)
    /// ``Command/hover``.
    public static let hover = Self(number: 7)
    /// ``Command/emergencyHover``.
    public static let emergencyHover = Self(number: 8)
    /// ``Command/emergencyLand``.
    public static let emergencyLand = Self(number: 9)
    /// ``Command/goTo(_:)``.
    public static let goTo = Self(number: 10)
    /// ``Command/altitude(metres:)``.
    public static let altitude = Self(number: 11)
    /// ``Command/heading(radians:)``.
    public static let heading = Self(number: 12)
    /// ``Command/turn(byRadians:)``.
    public static let turn = Self(number: 13)
    /// ``Command/uploadTrajectory(_:)``.
    public static let uploadTrajectory = Self(number: 14)
    /// ``Command/goToTrajectoryStart``.
    public static let goToTrajectoryStart = Self(number: 15)
    /// ``Command/startTrajectory``.
    public static let startTrajectory = Self(number: 16)
    /// ``Command/stopTrajectory``.
    public static let stopTrajectory = Self(number: 17)
    /// ``Command/resumeTrajectory``.
    public static let resumeTrajectory = Self(number: 18)
    /// ``Command/snapshot(service:)``.
    public static let snapshot = Self(number: 19)

    /// The commands that load and fly a trajectory.
    public static let trajectories: Self = [
        .uploadTrajectory, .goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory,
    ]
    /// Every kind.
    public static let all = Self(rawValue: (1 << 19) - 1)

    /// The kinds with their names for messages; those of trajectories share one.
    static let names: [(kind: Self, name: String)] = [
        (.arm, "arming"), (.enableOutput, "control output"), (.offboard, "offboard mode"), (.takeoff, "take-off"),
        (.land, "landing"), (.landHome, "landing at home"), (.hover, "hover"), (.emergencyHover, "emergency hover"),
        (.emergencyLand, "emergency landing"), (.goTo, "goto"), (.altitude, "goto to an altitude"),
        (.heading, "goto to a heading"), (.turn, "turn by an angle"), (.trajectories, "trajectories"),
        (.snapshot, "snapshots"),
    ]
}

extension Command {
    /// The kind of the command, as a set of one.
    public var kind: CommandKinds {
        switch self {
        case .arm: .arm
        case .enableOutput: .enableOutput
        case .offboard: .offboard
        case .takeoff: .takeoff
        case .land: .land
        case .landHome: .landHome
        case .hover: .hover
        case .emergencyHover: .emergencyHover
        case .emergencyLand: .emergencyLand
        case .goTo: .goTo
        case .altitude: .altitude
        case .heading: .heading
        case .turn: .turn
        case .uploadTrajectory: .uploadTrajectory
        case .goToTrajectoryStart: .goToTrajectoryStart
        case .startTrajectory: .startTrajectory
        case .stopTrajectory: .stopTrajectory
        case .resumeTrajectory: .resumeTrajectory
        case .snapshot: .snapshot
        }
    }
}
