internal import FlightControl
internal import UAVLink

/// The maximum ages of the parts of telemetry.
enum MaximumAge {
    /// Position, velocity, height: sent at 50 Hz.
    static let fast: Duration = .milliseconds(500)
    /// Battery, satellites, tracker, estimator: sent at 5 Hz, over SSH some of them at 1 Hz. The flight state: as old as arming and mode,
    /// which over SSH and from some autopilots come at 1 Hz.
    static let slow: Duration = .seconds(2)
    /// A range finder says nothing while it measures nothing, as above its range; what it said before is no height of now.
    static let reading: Duration = .seconds(10)
    /// Rates are counted over seconds.
    static let rates: Duration = .seconds(4)
    /// Values older than this are stale.
    static let silent = VehicleHistory.staleAge

    /// A vehicle of which nothing is newer is silent.
    static func silence(over link: LinkKind) -> Duration { link.runsPrograms ? .seconds(5) : silent }
}
