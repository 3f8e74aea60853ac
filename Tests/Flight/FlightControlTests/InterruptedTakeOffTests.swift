@testable import FlightControl
import Testing
import UAVLink
import UAVTestKit

/// A take-off that another ground ends.
@Suite struct InterruptedTakeOffTests {
    private let clock = FakeClock()
    private let link: FakeLink
    private let flight: FlightInteractor

    init() {
        link = FakeLink(clock: clock)
        flight = FlightInteractor(FlightDependency(link: link, clock: clock))
    }

    /// Telemetry of now, and time for it to be seen.
    private func tell(_ state: FlightState, at height: Double, pilot: ControlStatus.Pilot? = nil) async {
        var telemetry = Telemetry(vehicle: "uav1")
        let now = clock.now
        telemetry.pose = Sample(
            Pose(frame: .current, positionMetres: Vector3(x: 0, y: 0, z: height), headingRadians: 0), at: now)
        telemetry.heightAboveGroundMetres = Sample(height, at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: true, isOffboard: true, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: now)
        telemetry.control = Sample(ControlStatus(pilot: pilot), at: now)
        link.publish(telemetry)
        await clock.run(for: .milliseconds(100))
    }

    /// How the wait for a take-off ends while that happens, or within a second after it.
    private func end(while steps: () async -> Void) async throws -> String {
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        let (link, flight) = (link, flight)
        let waiting = Task {
            try await CommandSequence.run(over: link) {
                () async throws -> Arrival? in
                try await flight.waitForEffect(of: .takeoff)
            }
        }
        defer { waiting.cancel() }
        await clock.run(for: .milliseconds(100))
        await steps()
        do {
            let arrival = try await clock.run(within: .seconds(1), through: { try await waiting.value })
            return arrival?.text ?? "no arrival"
        } catch let failure as FlightInteractor.Failure {
            guard case .cancelled(_, _, let why) = failure else { return "another failure: \(failure)" }
            return why
        }
    }

    /// It stays in the take-off, with its motors on, or is called flying.
    @Test(arguments: [FlightState.takingOff, .flying])
    func `a stop of another ground ends it at once, with the height`(state: FlightState) async throws {
        link.setKnownStops(7)
        let why = try await end {
            await tell(.takingOff, at: 0)
            link.setKnownStops(8)
            await clock.run(for: .milliseconds(20))
            await tell(state, at: 0.2)
        }
        #expect(why == "not taken off: interrupted by a stop of another ground at 0.2 m")
    }

    @Test func `nor is it waited for once another pilot has control authority`() async throws {
        link.setKnownStops(7)
        let why = try await end {
            await tell(.takingOff, at: 0)
            link.setKnownStops(8)
            await clock.run(for: .milliseconds(20))
            await tell(.takingOff, at: 0.1, pilot: .init(name: "ben", since: clock.now, isYou: false))
        }
        #expect(why == "no longer waited for: ben has control authority at 0.1 m")
    }

    @Test func `control authority of its own ends it not`() async throws {
        link.setKnownStops(7)
        let text = try await end {
            await tell(.takingOff, at: 0)
            link.setKnownStops(8)
            await clock.run(for: .milliseconds(20))
            await tell(.takingOff, at: 0.5, pilot: .init(name: "anna", since: clock.now, isYou: true))
            await tell(.flying, at: 1.5, pilot: .init(name: "anna", since: clock.now, isYou: true))
        }
        #expect(text.hasPrefix("flying at 0.0 0.0 1.5 after"), "\(text)")
    }

    @Test func `nor does one that it has released and gets again`() async throws {
        link.setKnownStops(7)
        let own = ControlStatus.Pilot(name: "anna", since: clock.now, isYou: true)
        let text = try await end {
            await tell(.takingOff, at: 0, pilot: own)
            await tell(.takingOff, at: 0.3)
            link.setKnownStops(8)
            await clock.run(for: .milliseconds(20))
            await tell(.takingOff, at: 0.5, pilot: own)
            await tell(.flying, at: 1.5, pilot: own)
        }
        #expect(text.hasPrefix("flying at 0.0 0.0 1.5 after"), "\(text)")
    }

    /// It comes a moment after the welcome: without it, a stop before the answer of the take-off would not be noticed.
    @Test func `the count of stops is waited for, but not for long`() async throws {
        try await link.connect(within: .seconds(1))
        let (link, clock) = (link, clock)
        try await clock.run(within: .milliseconds(1), through: { try await link.awaitStopCount(on: clock) })
        let companion = FakeLink(clock: clock)
        companion.setKnownStops(7)
        try await clock.run(within: .milliseconds(1), through: { try await companion.awaitStopCount(on: clock) })
        #expect(companion.capabilities.control?.knownStops == 7)
    }

    @Test func `a stop that came before the answer counts, too`() async throws {
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        link.setKnownStops(7)
        let (link, flight, clock) = (link, flight, clock)
        await #expect {
            try await clock.run(through: {
                try await CommandSequence.run(over: link) {
                    () async throws -> Arrival? in
                    link.setKnownStops(8)
                    return try await flight.waitForEffect(of: .takeoff)
                }
            })
        } throws: { "\($0)".contains("a stop of another ground") }
    }

    /// Without a companion nothing is known of the stop.
    @Test(arguments: [-0.006, 0.001, 0.2])
    func `a vehicle that has not risen has not taken off, though it is called flying`(height: Double) async throws {
        let why = try await end {
            await tell(.takingOff, at: 0)
            for _ in 0..<8 { await tell(.flying, at: height) }
        }
        #expect(why.hasPrefix("not taken off: interrupted at "), "\(why)")
    }

    /// The sensor of a vehicle on the ground measures up to half a metre; uav_core takes off to half a metre at the least.
    @Test(arguments: [(0.0, 0.5), (0.5, 0.9)])
    func `one that has risen flies, however low`(stood: Double, height: Double) async throws {
        let text = try await end {
            for _ in 0..<3 { await tell(.takingOff, at: stood) }
            await tell(.flying, at: height)
        }
        #expect(text.hasPrefix("flying at"), "\(text)")
    }
}
