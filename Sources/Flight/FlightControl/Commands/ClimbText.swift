internal import ReportKit
internal import UAVLink

extension EffectWait {
    /// `climbing, 1.2 m high`; what the state is while it is not the one that the command leads to.
    func way(_ word: String, in state: FlightState, _ telemetry: Telemetry) -> String {
        guard telemetry.flight?.value.state == state else { return summary(telemetry) }
        if let height = telemetry.heightAboveGroundMetres {
            return "\(word), \(height.value.formatted(decimals: 1)) m high"
        }
        return telemetry.pose.map { "\(word), z \($0.value.positionMetres.z.formatted(decimals: 1)) m" } ?? word
    }

    func summary(_ telemetry: Telemetry) -> String { Self.summary(telemetry, of: machine) }

    /// `state flying, MpcTracker`; of a machine without trackers, its height: `state flying, 0.8 m high`.
    static func summary(_ telemetry: Telemetry, of machine: VehicleCapabilities) -> String {
        let state = "state \(telemetry.flight?.value.state.word ?? FlightState.unknown.word)"
        guard machine.telemetry.contains(.tracker) else {
            let height = telemetry.heightAboveGroundMetres?.value.formatted(decimals: 1)
            return height.map { "\(state), \($0) m high" } ?? state
        }
        return "\(state), \(telemetry.tracker?.value.tracker.sanitizedLine ?? "no tracker reported")"
    }
}
