internal import UAVLink

/// Logs changes of the vehicle's flight state, and when telemetry resumes after a gap.
struct VehicleStateLog {
    private let log: CompanionLog
    private var state: FlightState?
    private var newest: MonotonicTime?

    init(log: CompanionLog) { self.log = log }

    /// A gap of a whole second means that the flight stack or the master is gone: the slowest part that counts, the
    /// diagnostics, comes at 10 Hz.
    private static let telemetryTimeout: Duration = .seconds(1)

    mutating func see(_ telemetry: Telemetry) {
        if let at = telemetry.newest {
            if let newest, at - newest > Self.telemetryTimeout {
                log.say("telemetry of \(telemetry.vehicle) resumed after \(Int((at - newest).inSeconds)) s")
            }
            newest = at
        }
        guard let now = telemetry.flight?.value.state, now != state else { return }
        log.say("\(telemetry.vehicle) is \(now.word)")
        state = now
    }
}
