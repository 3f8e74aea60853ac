internal import Impairment
internal import UAVLink
internal import VehicleAccess

/// Lets each link push the vehicle under a network condition, and flies it back over the same link without impairment: the
/// effect of the condition on the movement is measured, not its effect on the return.
struct MotionTurns: Sendable {
    let clock: any MonotonicClock
    /// How long a relay still delivers what it holds after an impairment ends: a setpoint of the push must not follow the
    /// command to return.
    let drain: Duration

    /// Runs each probe in turn; on cancellation it ends early with a hover.
    func take(_ probes: [any Probe], under condition: Impairment) async {
        for probe in probes where !Task.isCancelled {
            guard let link = await probe.controlled else {
                await take(probe, under: condition)
                continue
            }
            // A push and its way back: after a stop of another pilot it stays where it is.
            await CommandSequence.run(over: link) { await take(probe, under: condition) }
        }
    }

    private func take(_ probe: any Probe, under condition: Impairment) async {
        guard let home = await probe.push() else { return }
        probe.relays.impair(.none)
        try? await clock.sleep(for: drain)
        await probe.goBack(to: home)
        probe.relays.impair(condition)
    }
}
