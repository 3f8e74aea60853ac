internal import Impairment
internal import LatencyStatistics
internal import UAVLink
internal import VehicleAccess

/// Lets the links push the vehicle under a network condition, one after the other in a balanced order, and flies it
/// back over the same link without impairment: the effect of the condition on the movement is measured, not its effect
/// on the return. Wind and battery change while it lasts, and so do they for all links.
struct MotionTurns: Sendable {
    let clock: any MonotonicClock
    /// How long a relay still delivers what it holds after an impairment ends: a setpoint of the push must not follow the
    /// command to return.
    let drain: Duration
    /// How often each link pushes.
    var pushes = 1
    /// The seed of the order.
    var seed: UInt64 = 1

    /// Runs each probe in turn; on cancellation it ends early with a hover, and where no link moves the vehicle after one round.
    func take(_ probes: [any Probe], under condition: Impairment) async {
        let order = RoundOrder(count: probes.count, seed: seed)
        for round in 0..<max(0, pushes) where !Task.isCancelled {
            var hasMoved = false
            for index in order.order(in: round) where !Task.isCancelled {
                // Over a link whose emulated network is gone the vehicle could not be brought back.
                guard probes[index].relays.failure == nil else { continue }
                if await turn(probes[index], under: condition) { hasMoved = true }
            }
            // It does not fly, or is not where it was: control authority is not taken again and again for that.
            guard hasMoved else { return }
        }
    }

    /// - Returns: whether the vehicle was pushed.
    private func turn(_ probe: any Probe, under condition: Impairment) async -> Bool {
        guard let link = await probe.controlled else { return await take(probe, under: condition) }
        // A push and its way back: after a stop of another pilot it stays where it is.
        return await CommandSequence.run(over: link) { await take(probe, under: condition) }
    }

    private func take(_ probe: any Probe, under condition: Impairment) async -> Bool {
        // Without what competes it would be another condition: nothing is pushed then.
        do throws(LinkError) {
            if try probe.relays.setLoaded(true) { try? await clock.sleep(for: MeasuringRounds.loadLead) }
        } catch { return false }
        let home = await probe.push()
        // Before the impairment ends, which has the load.
        _ = try? probe.relays.setLoaded(false)
        guard let home else { return false }
        probe.relays.impair(.none)
        try? await clock.sleep(for: drain)
        await probe.goBack(to: home)
        probe.relays.impair(condition)
        return true
    }
}
