internal import Synchronization
internal import Tello
package import UAVLink

/// Flies a plan step by step: the next command is sent only when the one before it was answered.
///
/// ```
///            run                 pause, or --step: after the step              resume
///   ready ─────────▶ flying(step) ───────────────────────────────▶ paused(next) ─────▶ flying
///                       │ the last one answered │ stop, land, failure   │
///                       ╰──────────▶ ended ◀────┴───────────────────────╯
/// ```
/// ``stop()`` and ``land()`` wait for nothing, nor for one another: they are sent while a step is flown, and the link refuses
/// every step after them. The newest counts. A move is never repeated; a step that fails ends the plan, and the drone is landed.
package final class PlanRunner: Sendable {
    private struct State {
        var progress = Progress.ready
        /// The newest order; no step follows.
        var order: Order?
        /// How many orders are on their way.
        var ordersUnderWay = 0
        /// Why the newest order may not have been obeyed; `nil` if it was, or is on its way.
        var orderFailure: String?
        var isPaused = false
        /// Whether it pauses after each step.
        var isStepwise = false
    }

    /// How often a wait or a pause looks around, and tells the link that the program runs.
    private static let period: Duration = .milliseconds(100)
    /// A late answer of the step before is waited for so long.
    private static let readiness: Duration = .seconds(3)
    /// A drone that hovers uses its battery: a longer pause ends the plan, and lands it.
    package static let longestPause: Duration = .seconds(300)
    private static let stopAnswer: Duration = .seconds(5)
    private static let interruptedAnswer: Duration = .seconds(1)
    private static let landingAnswer: Duration = .seconds(60)

    private let plan: FlightPlan
    private let vehicle: any PlanVehicle
    private let clock: any MonotonicClock
    private let onProgress: @Sendable (Progress) -> Void
    private let state = Mutex(State())

    /// A runner of one plan, for one flight. The plan is taken as checked.
    ///
    /// - Parameter onProgress: is told each change.
    package init(
        _ plan: FlightPlan, on vehicle: any PlanVehicle, clock: any MonotonicClock,
        onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) {
        self.plan = plan
        self.vehicle = vehicle
        self.clock = clock
        self.onProgress = onProgress
    }

    /// Where it stands.
    package var progress: Progress { state.withLock { $0.progress } }

    // MARK: The user

    /// Hovers after the present step, until ``resume()``.
    package func pause() { state.withLock { $0.isPaused = true } }

    /// Flies on.
    package func resume() { state.withLock { $0.isPaused = false } }

    /// Pauses before each step from now on, and after the last one that was begun: ``resume()`` flies one.
    package func stepwise(_ on: Bool = true) {
        state.withLock { state in
            state.isStepwise = on
            if on { state.isPaused = true }
        }
    }

    /// Whether it goes on only when the user says so.
    package var waitsForUser: Bool { state.withLock { $0.isPaused || $0.isStepwise } }

    /// Why the drone may not have obeyed the newest stop or landing; `nil` if it has, or none was ordered.
    package var orderFailure: String? { state.withLock { $0.orderFailure } }

    /// Ends the plan: from now on no step begins. What stops or lands the drone is sent by ``carryOut(_:)``.
    package func order(_ wish: Wish) -> Order {
        state.withLock { state in
            let order = Order(number: (state.order?.number ?? 0) &+ 1, wish: wish)
            (state.order, state.orderFailure) = (order, nil)
            state.ordersUnderWay += 1
            return order
        }
    }

    /// The drone is stopped or landed from elsewhere: no step begins from now on, and nothing is sent.
    package func yield(to wish: Wish) {
        state.withLock { state in
            state.order = Order(number: (state.order?.number ?? 0) &+ 1, wish: wish)
            state.orderFailure = nil
        }
    }

    /// Sends an order, once; one that is older than another is not sent any more.
    @discardableResult
    package func carryOut(_ order: Order) async throws(LinkError) -> CommandReply {
        defer { state.withLock { $0.ordersUnderWay -= 1 } }
        if let newer = state.withLock({ $0.order }), newer.number > order.number {
            return .overruled(by: newer.wish == .land ? "land" : "hover")
        }
        do throws(LinkError) {
            let reply =
                switch order.wish {
                case .stop: try await vehicle.perform(.hover, within: Self.stopAnswer)
                case .land: try await vehicle.perform(.land, within: Self.landingAnswer)
                }
            if !reply.accepted { note(reply.message, of: order) }
            return reply
        } catch {
            note(error.description, of: order)
            throw error
        }
    }

    private func note(_ failure: String, of order: Order) {
        state.withLock { if $0.order == order { $0.orderFailure = failure } }
    }

    /// Stops the drone at once; it hovers, and the plan is over.
    @discardableResult
    package func stop() async throws(LinkError) -> CommandReply { try await carryOut(order(.stop)) }

    /// Lands the drone where it is, at once; the plan is over.
    @discardableResult
    package func land() async throws(LinkError) -> CommandReply { try await carryOut(order(.land)) }

    // MARK: The flight

    /// Flies the plan; returns when it is over, and what the user has ordered is answered. When the task is cancelled the drone
    /// hovers where it is: land it.
    package func run() async -> End {
        guard progress == .ready else { return .refused("the plan was begun before") }
        let number: UInt64
        do throws(LinkError) { number = try vehicle.beginPlan() } catch {
            return await ended(.refused(error.description))
        }
        defer { vehicle.endPlan(number) }
        for index in plan.steps.indices {
            if let end = await pauseIfAsked(before: index) { return await finish(end, number) }
            set(.flying(index))
            if let end = await fly(plan.steps[index].action, index, number) { return await finish(end, number) }
            state.withLock { if $0.isStepwise { $0.isPaused = true } }
        }
        return await ended(.flown)
    }

    /// The end by a wish is one by it, whatever the step that it cut said.
    private var wished: End? {
        ordered ?? (Task.isCancelled ? .stopped : nil)
    }

    private var ordered: End? {
        switch state.withLock({ $0.order?.wish }) {
        case nil: nil
        case .stop: .stopped
        case .land: .landed
        }
    }

    /// Lands the drone after a failure, and stops it when the task was cancelled: as a step of the plan, which is refused
    /// once somebody else has stopped or landed it, so that nothing newer is undone.
    private func finish(_ end: End, _ number: UInt64) async -> End {
        let last: TelloCommand
        switch end {
        case .failed: last = .land
        case .stopped where ordered == nil: last = vehicle.version.hasStop ? .stop : .sticks(.neutral)
        case .stopped, .landed, .flown, .refused: return await ended(end)
        }
        // The landing that follows an interruption does not wait for long.
        let answer = Task.isCancelled ? Self.interruptedAnswer : Self.stopAnswer
        // A task of its own, since a cancelled one takes no answers any more.
        _ = await Task { [vehicle] in
            try? await vehicle.perform(last, ofPlan: number, within: last == .land ? Self.landingAnswer : answer)
        }.value
        return await ended(end)
    }

    private func pauseIfAsked(before index: Int) async -> End? {
        let begun = clock.now
        while state.withLock({ $0.isPaused }) {
            if let wished { return wished }
            if progress != .paused(index) { set(.paused(index)) }
            guard clock.now - begun < Self.longestPause else {
                return .failed(index, "paused for 300 s: the Tello is landed")
            }
            // Asking keeps the drone awake.
            _ = vehicle.batteryPercent
            do throws(CancellationError) { try await clock.sleep(for: Self.period) } catch { return .stopped }
        }
        return wished
    }

    private func fly(_ action: FlightPlan.Action, _ index: Int, _ number: UInt64) async -> End? {
        switch action {
        case .wait(let seconds): return await wait(.seconds(seconds)) { false }
        case .send(let command):
            if let end = await wait(Self.readiness, until: { self.vehicle.isReadyForStep }) { return end }
            let awake = keepAwake()
            defer { awake.cancel() }
            do throws(LinkError) {
                let reply = try await vehicle.perform(command, ofPlan: number, within: Self.timeout(of: command))
                if let wished { return wished }
                return reply.accepted ? nil : .failed(index, "the Tello answers '\(reply.message)'")
            } catch {
                if let wished { return wished }
                // Stopped or landed from elsewhere: by the joystick, or by another caller of the link.
                return error.code == .notInCommand ? .stopped : .failed(index, error.description)
            }
        }
    }

    /// Uses the link while a step is flown: a move takes up to 15 s and a take-off 20 s, after which, without a word from the
    /// program, the drone would land in the middle of them.
    private func keepAwake() -> Task<Void, Never> {
        Task { [vehicle, clock] in
            while !Task.isCancelled {
                _ = vehicle.batteryPercent
                do throws(CancellationError) { try await clock.sleep(for: Self.period) } catch { return }
            }
        }
    }

    private func wait(_ duration: Duration, until isOver: () -> Bool) async -> End? {
        let end = clock.now + duration
        while clock.now < end, !isOver() {
            if let wished { return wished }
            _ = vehicle.batteryPercent
            do throws(CancellationError) {
                try await clock.sleep(until: min(end, clock.now + Self.period))
            } catch {
                return .stopped
            }
        }
        return wished
    }

    private static func timeout(of command: TelloCommand) -> Duration {
        switch command {
        case .takeoff: .seconds(30)
        case .land: .seconds(65)
        default: .seconds(25)
        }
    }

    private func set(_ progress: Progress) {
        state.withLock { $0.progress = progress }
        onProgress(progress)
    }

    /// Waits until what was ordered is sent and answered, since the link is closed after this; the newest order is the end.
    private func ended(_ flown: End) async -> End {
        let latest = clock.now + Self.landingAnswer + Self.stopAnswer
        while state.withLock({ $0.ordersUnderWay > 0 }), clock.now < latest {
            do throws(CancellationError) { try await clock.sleep(for: Self.period) } catch { break }
        }
        let end: End =
            switch flown {
            case .stopped, .landed: ordered ?? flown
            case .flown, .failed, .refused: flown
            }
        set(.ended(end))
        return end
    }
}
