internal import FlightControl
internal import UAVLink

/// What is noted at every look for the screen: the trail, and how many setpoints arrive.
struct FlightNotes {
    private(set) var trail = Trail()
    private(set) var sentRate = RateMeter()
    private(set) var appliedRate = RateMeter()
    private var trailOf: (vehicle: Int, frame: FrameName)?

    /// Takes note of a vehicle; rates count only while it is steered.
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
        // Places of another vehicle or frame have nothing to do with these.
        if trailOf?.vehicle != vehicle.id || trailOf?.frame != pose.frame {
            trail.clear()
            trailOf = (vehicle.id, pose.frame)
        }
        trail.add(pose.positionMetres, at: now)
    }
}
