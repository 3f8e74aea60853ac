internal import FlightPlans
internal import UAVLink

/// A plan that is flown, or was flown last.
@MainActor
final class PlanFlight {
    /// The vehicle that flies it, by its number.
    let vehicle: Int
    let plan: FlightPlan
    /// Which plan of the document it is.
    let revision: Int
    private let runner: PlanRunner
    private var task: Task<Void, Never>?
    /// The stop that was sent when the mode was left; waited for before the program ends.
    private var lastOrder: Task<Void, Never>?
    /// Whether its end was said already.
    var isEndSaid = false
    /// The step up to which the simulated drone has followed it.
    var shown: Int?

    /// A plan that is to be flown.
    ///
    /// - Parameter isStepwise: whether it hovers after each step until it is told to fly on.
    init(
        _ plan: FlightPlan, revision: Int, on drone: any PlanVehicle, of vehicle: Int, clock: any MonotonicClock,
        isStepwise: Bool
    ) {
        (self.plan, self.revision, self.vehicle) = (plan, revision, vehicle)
        runner = PlanRunner(plan, on: drone, clock: clock)
        guard isStepwise else { return }
        runner.stepwise()
        // Its first step is what was just confirmed.
        runner.resume()
    }

    var progress: PlanRunner.Progress { runner.progress }

    /// Why the drone may not have obeyed the last stop or landing; `nil` if it has, or none was ordered.
    var orderFailure: String? { runner.orderFailure }

    /// Whether it is not over yet.
    var isUnderWay: Bool { if case .ended = progress { false } else { true } }

    /// Begins.
    func begin() {
        guard task == nil else { return }
        task = Task { [runner] in _ = await runner.run() }
    }

    /// Flies on, and pauses no more.
    func flyOn() {
        runner.stepwise(false)
        runner.resume()
    }

    /// Flies one step and pauses; while one is flown, pauses after it.
    func oneStep() {
        let isPaused = if case .paused = progress { true } else { false }
        runner.stepwise()
        if isPaused { runner.resume() }
    }

    /// Hovers after the present step.
    func pause() { runner.pause() }

    /// Stops or lands the drone at once; the plan is over.
    func order(_ wish: PlanRunner.Wish) {
        let order = runner.order(wish)
        // What comes of it is in ``progress`` and ``orderFailure``.
        lastOrder = Task { [runner] in _ = try? await runner.carryOut(order) }
    }

    /// The drone is stopped or landed by another part of the program: the plan is over.
    func yield(to wish: PlanRunner.Wish) { runner.yield(to: wish) }

    /// Returns when the last stop or landing is answered, or was given up.
    func settle() async { await lastOrder?.value }
}
