internal import UAVLink

/// Says on the log when the vehicle changes what it does, and when it is heard again after a silence.
struct VehicleWatch {
    private let log: CompanionLog
    private var state: FlightState?
    private var newest: MonotonicTime?

    init(log: CompanionLog) { self.log = log }

    /// The telemetry of a whole second missing means that the flight stack or the master has gone: its slowest part that
    /// counts, the diagnostics, comes at 10 Hz.
    private static let silence: Duration = .seconds(1)

    mutating func see(_ telemetry: Telemetry) {
        if let at = telemetry.newest {
            if let newest, at - newest > Self.silence {
                log.say("\(telemetry.vehicle) is heard again after \(Int((at - newest).inSeconds)) s")
            }
            newest = at
        }
        guard let now = telemetry.flight?.value.state, now != state else { return }
        log.say("\(telemetry.vehicle) is \(now.word)")
        state = now
    }
}
