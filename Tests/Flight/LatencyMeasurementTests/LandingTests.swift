@testable import LatencyMeasurement
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// A measurement sends commands that stop the vehicle, which must not end what it does by itself or for another pilot.
@Suite struct LandingTests {
    @Test(arguments: [FlightState.landing, .takingOff, .emergency])
    func `no command follows what a hover could end`(_ state: FlightState) async {
        let (clock, link) = (FakeClock(), OwnWayLink(after: 3, state))
        let run = ScheduledCommands(clock: clock, wait: NoWait(), command: .hover, timeout: .zero)
        let schedule = FixedSchedule(start: clock.now, period: .milliseconds(20), count: 20)
        let attempts = await run.run(schedule, over: link, isStopped: StopFlag())
        #expect(attempts.count == 3)
        #expect(link.commandCount == 3)
    }

    @Test(arguments: [FlightState.armed, .flying])
    func `nor does one follow that meets a vehicle flown by radio`(_ state: FlightState) async {
        let (clock, link) = (FakeClock(), OwnWayLink(after: 3, state, isByRadio: true))
        let run = ScheduledCommands(clock: clock, wait: NoWait(), command: .hover, timeout: .zero)
        let schedule = FixedSchedule(start: clock.now, period: .milliseconds(20), count: 20)
        _ = await run.run(schedule, over: link, isStopped: StopFlag())
        #expect(link.commandCount == 3)
        #expect(link.latestTelemetry?.manoeuvre?.endingReason == "the vehicle is flown by radio")
    }

    @Test(arguments: [FlightState.unknown, .disarmed, .armed, .flying])
    func `a vehicle that flies, stands or is not heard is measured`(_ state: FlightState) async {
        let (clock, link) = (FakeClock(), OwnWayLink(after: 0, state))
        let run = ScheduledCommands(clock: clock, wait: NoWait(), command: .hover, timeout: .zero)
        let schedule = FixedSchedule(start: clock.now, period: .milliseconds(20), count: 20)
        let attempts = await run.run(schedule, over: link, isStopped: StopFlag())
        #expect(attempts.count == 20)
    }
}

/// A link that accepts every command at once, and whose vehicle goes its own way after some of them.
private final class OwnWayLink: CallbackFake {
    private let count = Mutex(0)
    private let most: Int
    private let state: FlightState
    private let isByRadio: Bool

    init(after most: Int, _ state: FlightState, isByRadio: Bool = false) {
        (self.most, self.state, self.isByRadio) = (most, state, isByRadio)
    }

    var commandCount: Int { count.withLock { $0 } }

    var latestTelemetry: Telemetry? {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: commandCount < most ? .flying : state, isArmed: true,
                isOffboard: commandCount < most || !isByRadio, isOutputEnabled: true, isFlyingNormally: false),
            at: MonotonicTime(nanoseconds: 0))
        // One that its flight stack does not fly stands, unless the radio flies it.
        let stands = commandCount >= most && state != .flying && !isByRadio
        telemetry.heightAboveGroundMetres = Sample(stands ? 0.2 : 4, at: MonotonicTime(nanoseconds: 0))
        return telemetry
    }

    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        count.withLock { $0 += 1 }
        answer(.success(CommandReply(accepted: true, message: "")))
    }
}
