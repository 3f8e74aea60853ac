internal import FlightControl
internal import UAVLink

/// The trail and the setpoint rates, recorded for the screen at every tick.
struct SteeringHistory {
    private(set) var trail = Trail()
    private(set) var sentRate = RateMeter()
    private(set) var appliedRate = RateMeter()
    private var trailKey: (vehicle: Int, frame: FrameName)?

    /// Records a vehicle; rates count only while it is steered.
    mutating func look(at vehicle: LoggedInVehicle, isSteered: Bool, now: MonotonicTime) {
        let quality = vehicle.link.quality
        if isSteered {
            sentRate.look(quality.setpointsSent, at: now)
            if let applied = quality.setpointsApplied { appliedRate.look(applied, at: now) }
        } else {
            sentRate.reset()
            appliedRate.reset()
        }
        guard let pose = vehicle.link.latestTelemetry?.pose?.value else { return }
        // Positions of another vehicle or in another frame are not comparable.
        if trailKey?.vehicle != vehicle.id || trailKey?.frame != pose.frame {
            trail.clear()
            trailKey = (vehicle.id, pose.frame)
        }
        trail.add(pose.positionMetres, at: now)
    }
}
