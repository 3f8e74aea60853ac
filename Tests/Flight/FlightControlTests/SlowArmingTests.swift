@testable import FlightControl
import Testing
import UAVLink
import UAVTestKit

/// Where arming and mode come once a second, the flight status is up to a second old, and its age jumps with each of them. How long a
/// state lasts does not depend on that.
@Suite struct SlowArmingTests {
    private let clock = FakeClock()
    private let link: FakeLink
    private let flight: FlightInteractor

    init() {
        link = FakeLink(clock: clock)
        flight = FlightInteractor(FlightDependency(link: link, clock: clock))
    }

    private static let period: Duration = .milliseconds(50)
    /// In periods.
    private static let armingPeriod = 20

    /// How the wait for a command ends while the vehicle shows these states, one each period, and sends its arming once a second.
    private func wait(for command: Command, while states: [FlightState]) async throws -> Arrival? {
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        let flight = flight
        let waiting = Task { try await flight.waitForEffect(of: command) }
        defer { waiting.cancel() }
        var armedAt = clock.now
        for (number, state) in states.enumerated() {
            await clock.run(for: Self.period)
            let now = clock.now
            if number.isMultiple(of: Self.armingPeriod) || state == .disarmed { armedAt = now }
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.flight = Sample(
                FlightStatus(
                    state: state, isArmed: state != .disarmed, isOffboard: true, isOutputEnabled: true,
                    isFlyingNormally: state == .flying), at: armedAt)
            telemetry.tracker = Sample(
                TrackerStatus(
                    tracker: "MpcTracker", controller: "Se3Controller", takesReferences: state == .flying,
                    hasGoal: false), at: now)
            link.publish(telemetry)
        }
        return try await clock.run(within: .seconds(1), through: { try await waiting.value })
    }

    /// One second of a state, up to the period in which arming comes again; then another for 0.1 s.
    private func glitch(_ state: FlightState, in long: FlightState) -> [FlightState] {
        Array(repeating: long, count: Self.armingPeriod - 1) + [state, state] + Array(repeating: long, count: 5)
    }

    @Test func `a state of a tenth of a second does not end a take-off`() async throws {
        let states = glitch(.armed, in: .takingOff) + [.flying]
        #expect(try await wait(for: .takeoff, while: states)?.outcome == .flying)
    }

    @Test func `nor a landing`() async throws {
        let states = glitch(.flying, in: .landing) + [.disarmed]
        #expect(try await wait(for: .land, while: states)?.outcome == .landed)
    }

    @Test func `a take-off that has ended is known half a second later, not with the next arming`() async throws {
        let climbing = Array(repeating: FlightState.takingOff, count: Self.armingPeriod)
        let states = climbing + Array(repeating: .landing, count: 12)
        await #expect { try await wait(for: .takeoff, while: states) } throws: {
            "\($0)".contains("the take-off ended: state landing, MpcTracker")
        }
    }

    // MARK: Lasting

    private func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    @Test func `a condition lasts by its measurements and by the clock`() {
        var lasting = Lasting(.milliseconds(500))
        func lasts(_ isTrue: Bool, measured: Int, now: Int) -> Bool {
            lasting.lasts(isTrue, measured: at(measured), now: at(now))
        }
        // The newest measurement was lost.
        #expect(!lasts(true, measured: 0, now: 950))
        #expect(!lasts(true, measured: 950, now: 960))
        #expect(lasts(true, measured: 1400, now: 1450))
        // Nothing is received any more.
        #expect(!lasts(false, measured: 1500, now: 1500))
        #expect(!lasts(true, measured: 1600, now: 1600))
        #expect(!lasts(true, measured: 1600, now: 9000))
    }
}
