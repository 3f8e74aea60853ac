internal import Impairment
internal import UAVLink
internal import VehicleAccess

/// Has each link push the vehicle under a condition of the network, and flies it back over the same link without any: what the
/// condition does to a movement is measured, not what it does to the way back.
struct MotionTurns: Sendable {
    let clock: any MonotonicClock
    /// How long a relay that does no more harm goes on to deliver what is under way: a setpoint of the push must not follow the
    /// command that goes back.
    let drain: Duration

    /// Each probe in turn; ends early, with the vehicle told to hover, when the task is cancelled.
    func take(_ probes: [any Probe], under condition: Impairment) async {
        for probe in probes where !Task.isCancelled {
            guard let home = await probe.push() else { continue }
            probe.relays.impair(.none)
            try? await clock.sleep(for: drain)
            await probe.goBack(to: home)
            probe.relays.impair(condition)
        }
    }
}
