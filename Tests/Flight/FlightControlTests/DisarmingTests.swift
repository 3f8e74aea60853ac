import FlightControl
import Testing
import UAVLink
import UAVTestKit

/// A vehicle without motors falls.
@Suite struct DisarmingTests {
    private let clock = FakeClock()

    private func danger(
        _ state: FlightState, isOffboard: Bool = false, height: Double? = nil, speed: Double? = nil,
        age: Duration = .zero
    ) async throws -> DisarmingDanger? {
        let link = FakeLink(clock: clock, speed: 50)
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        var telemetry = try #require(link.latestTelemetry)
        let at = clock.now - age
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: isOffboard, isOutputEnabled: false,
                isFlyingNormally: false), at: at)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: at) }
        telemetry.velocityMetresPerSecond = speed.map { Sample(Vector3(x: $0, y: 0, z: 0), at: at) }
        link.publish(telemetry)
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock))
        let danger = try await clock.run(through: { try await flight.disarmingDanger() })
        await link.close()
        return danger
    }

    @Test func `one that stands on the ground may be disarmed`() async throws {
        #expect(try await danger(.disarmed) == nil)
        #expect(try await danger(.disarmed, height: 0.3, speed: 0.1) == nil)
        #expect(try await danger(.armed, height: 0.3) == nil)
        #expect(try await danger(.armed, isOffboard: true, height: 0.3) == nil)
    }

    /// Arming may be wrong or late: the vehicle's own nodes relay it.
    @Test(arguments: [(5, nil), (nil, 3), (5, 0)] as [(Double?, Double?)])
    func `one whose height or speed shows it in the air may not, though its autopilot is reported as disarmed`(
        height: Double?, speed: Double?
    ) async throws {
        let danger = try await danger(.disarmed, height: height, speed: speed)
        #expect(danger?.words.contains("in the air, though its autopilot is reported as disarmed") == true)
        #expect(danger?.advice.hasPrefix("look at it: if it flies, land it") == true)
    }

    @Test(arguments: [FlightState.takingOff, .flying, .landing, .emergency])
    func `one that flies may not`(_ state: FlightState) async throws {
        #expect(try await danger(state)?.words.hasPrefix("the vehicle is ") == true)
    }

    @Test func `nor one that is flown by radio, or of which nothing is known`() async throws {
        #expect(try await danger(.armed, height: 12)?.words.contains("flown by radio") == true)
        #expect(try await danger(.unknown)?.words.contains("no telemetry") == true)
        #expect(try await danger(.armed)?.words.contains("no height shows") == true)
        // It may hover.
        #expect(try await danger(.armed, speed: 0.1)?.words.contains("no height shows") == true)
        #expect(try await danger(.armed, speed: 3)?.words.contains("flown by radio") == true)
        #expect(try await danger(.disarmed, age: .seconds(3))?.words.contains("no telemetry") == true)
    }

    /// MRS's flight stack refuses to land what the radio has.
    @Test func `what is advised instead can be done`() async throws {
        #expect(try await danger(.armed, height: 12)?.advice == "land it by radio")
        let unflown = try await danger(.armed, isOffboard: true, height: 12)
        #expect(unflown?.words.contains("its flight stack does not fly it") == true)
        #expect(unflown?.advice == "land it by radio")
        #expect(try await danger(.flying, height: 12)?.advice == "land it by radio")
        #expect(try await danger(.flying)?.advice == "land it")
        #expect(try await danger(.landing)?.advice == "wait until it has landed")
        #expect(try await danger(.armed, speed: 0.1)?.advice == "look at it: if it flies, land it by radio")
        #expect(try await danger(.unknown)?.advice.hasPrefix("look at it") == true)
    }
}
