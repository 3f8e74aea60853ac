/// The mission commands that are relevant to a route, by their MAVLink numbers (MAV_CMD).
enum MissionCommand: Int {
    case waypoint = 16
    case loiterUnlimited = 17
    case loiterTime = 19
    case returnToLaunch = 20
    case land = 21
    case takeOff = 22
    case splineWaypoint = 82
    case delay = 93
    case conditionYaw = 115
    case changeSpeed = 178
    case roiLocation = 195
    case roiNone = 197
    case roi = 201
    case digicamControl = 203
    case mountControl = 205
    case gimbalPitchYaw = 1000
    case imageStartCapture = 2000

    /// Whether it is a point of the route.
    var isPoint: Bool {
        switch self {
        case .waypoint, .splineWaypoint, .loiterTime, .loiterUnlimited: true
        case .returnToLaunch, .land, .takeOff, .delay, .conditionYaw, .changeSpeed, .roiLocation, .roiNone, .roi,
            .digicamControl, .mountControl, .gimbalPitchYaw, .imageStartCapture:
            false
        }
    }
}

/// Mission commands that a route cannot hold, by their MAVLink numbers (MAV_CMD).
enum LeftOutCommand {
    /// Names of the frequent ones, for warnings.
    static let names = [
        18: "LOITER_TURNS", 31: "LOITER_TO_ALT", 92: "GUIDED_ENABLE", 112: "CONDITION_DELAY",
        113: "CONDITION_CHANGE_ALT", 114: "CONDITION_DISTANCE", 177: "DO_JUMP", 189: "DO_LAND_START",
        206: "camera trigger",
        601: "DO_JUMP_TAG",
    ]

    /// The ones known not to move the vehicle: conditions for the next item, relays and servos, cameras and gimbals, the
    /// fence, the gripper, and marks in the list.
    private static let withoutMotion: Set<Int> = [
        112, 114, 180, 181, 182, 183, 184, 189, 196, 200, 202, 204, 206, 207, 211, 214, 220, 530, 531, 532, 533, 534,
        600,
        1001, 2001, 2003, 2500, 2501,
    ]

    /// Whether the vehicle would have flown it; true for those that are not known.
    static func isFlown(_ number: Double) -> Bool { Int(exactly: number).map { !withoutMotion.contains($0) } ?? true }
}

/// Altitude references of a plan, as the item's frame (MAV_FRAME).
enum MissionFrame {
    static let seaLevel = 0
    static let home = 3
    static let ground = 10
    /// For items without a place.
    static let mission = 2
}
