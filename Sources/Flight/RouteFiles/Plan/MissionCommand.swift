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
}

/// Altitude references of a plan, as the item's frame (MAV_FRAME).
enum MissionFrame {
    static let seaLevel = 0
    static let home = 3
    static let ground = 10
    /// For items without a place.
    static let mission = 2
}
