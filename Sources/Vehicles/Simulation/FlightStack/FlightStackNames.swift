/// What the flight stack has loaded, by name and in its own order.
public enum FlightStackNames {
    /// Sets of gains.
    public static let gains = ["supersoft", "soft"]
    /// State estimators.
    public static let estimators = ["gps_garmin", "gps_baro"]
    /// Trackers, without NullTracker.
    public static let trackers = [
        "MpcTracker", "LandoffTracker", "JoyTracker", "SpeedTracker", "MidairActivationTracker",
    ]
    /// Controllers, without those for emergencies.
    public static let controllers = ["Se3Controller", "MpcController", "MidairActivationController"]
}
