import Synchronization
import Testing
import UAVLink
import UAVTestKit
@testable import FlightPlans
@testable import Tello

/// A drone that answers each step after a second, unless it is told otherwise.
final class FakeDrone: PlanVehicle {
    struct State {
        var sent: [String] = []
        var plan: UInt64?
        var refusals: [String: String] = [:]
        var isHanging = false
        var beginning: LinkError?
        var questions = 0
        /// How long a stop or a landing is on its way, and its answer.
        var orderTakes: Duration = .zero
        var orderReply = CommandReply(accepted: true, message: "ok")
    }

    let state = Mutex(State())
    let clock: FakeClock

    init(_ clock: FakeClock) { self.clock = clock }

    var sent: [String] { state.withLock { $0.sent } }
    var version: TelloVersion { .sdk20 }
    var isReadyForStep: Bool { true }
    var batteryPercent: Double? {
        state.withLock { $0.questions += 1 }
        return 90
    }

    func beginPlan() throws(LinkError) -> UInt64 {
        if let error = state.withLock({ $0.beginning }) { throw error }
        return state.withLock { state in
            state.plan = 7
            return 7
        }
    }

    func endPlan(_ number: UInt64) { state.withLock { if $0.plan == number { $0.plan = nil } } }

    func perform(
        _ command: TelloCommand, ofPlan plan: UInt64?, within timeout: Duration
    ) async throws(LinkError) -> CommandReply {
        let (refusal, isHanging) = try state.withLock { state throws(LinkError) in
            guard plan == state.plan else { throw LinkError(.notInCommand, "the flight plan was ended") }
            state.sent.append(command.text)
            return (state.refusals[command.text], state.isHanging)
        }
        do throws(CancellationError) { try await clock.sleep(for: isHanging ? timeout : .seconds(1)) } catch {
            throw LinkError(.cancelled, "cancelled")
        }
        if isHanging { throw LinkError(.timedOut, "the Tello has not answered '\(command.text)'") }
        return CommandReply(accepted: refusal == nil, message: refusal ?? "ok")
    }

    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        let (takes, reply) = state.withLock { state in
            state.sent.append("! \(command.name)")
            state.plan = nil
            return (state.orderTakes, state.orderReply)
        }
        if takes > .zero { try? await clock.sleep(for: takes) }
        return reply
    }
}

struct PlanRig {
    let clock = FakeClock()
    let drone: FakeDrone
    let runner: PlanRunner

    init(_ lines: String...) {
        drone = FakeDrone(clock)
        let plan = PlanReader.read(Array(lines.joined(separator: "\n").utf8)).plan
        runner = PlanRunner(plan, on: drone, clock: clock)
    }

    func begin() async -> Task<PlanRunner.End, Never> {
        let runner = runner
        let task = Task { await runner.run() }
        await settle()
        return task
    }
}
