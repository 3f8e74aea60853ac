internal import ReportKit
internal import UAVLink

extension EffectWait {
    /// `climbing, 1.2 m high`; what the state is while it is not the one that the command leads to.
    static func way(_ word: String, in state: FlightState, _ telemetry: Telemetry) -> String {
        guard telemetry.flight?.value.state == state else { return summary(telemetry) }
        if let height = telemetry.heightAboveGroundMetres {
            return "\(word), \(height.value.formatted(decimals: 1)) m high"
        }
        return telemetry.pose.map { "\(word), z \($0.value.positionMetres.z.formatted(decimals: 1)) m" } ?? word
    }
}
