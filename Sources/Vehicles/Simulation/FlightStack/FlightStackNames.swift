/// The names of what the flight stack has loaded, in its own order.
public enum FlightStackNames {
    /// Gain sets.
    public static let gains = ["supersoft", "soft"]
    /// State estimators.
    public static let estimators = ["gps_garmin", "gps_baro"]
    /// Trackers, without NullTracker.
    public static let trackers = [
        "MpcTracker", "LandoffTracker", "JoyTracker", "SpeedTracker", "MidairActivationTracker",
    ]
    /// Controllers, without those for emergencies.
    public static let controllers = flightControllers + ["MidairActivationController"]
    /// Those that can be switched to in flight.
    public static let flightControllers = ["Se3Controller", "MpcController"]
}
