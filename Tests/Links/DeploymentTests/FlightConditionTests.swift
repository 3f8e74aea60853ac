import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Deployment

@Suite struct FlightConditionTests {
    private let now = MonotonicTime(nanoseconds: 1_000_000_000_000)

    /// The condition by a flight status of this age and, where given, a height and a speed that are fresh.
    private func condition(
        _ state: FlightState, isArmed: Bool = false, isOffboard: Bool = false, age: Duration = .zero,
        height: Double? = nil, speed: Double? = nil
    ) -> FlightCondition {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: isArmed, isOffboard: isOffboard, isOutputEnabled: false, isFlyingNormally: false),
            at: now - age)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: now) }
        telemetry.velocityMetresPerSecond = speed.map { Sample(Vector3(x: $0, y: 0, z: 0), at: now) }
        return FlightCondition(telemetry, now: now)
    }

    private func isUnknown(_ condition: FlightCondition) -> Bool {
        if case .unknown = condition { true } else { false }
    }

    @Test func `every state is the ground, armed, the air, or unknown`() {
        #expect(condition(.disarmed) == .onGround)
        #expect(condition(.armed, isArmed: true, isOffboard: true) == .armed)
        #expect(condition(.disarmed, isArmed: true, isOffboard: true) == .armed)
        for state in FlightState.allCases where state.isAirborne { #expect(condition(state) == .airborne(state)) }
        #expect(isUnknown(condition(.unknown)))
    }

    @Test func `an armed vehicle outside of offboard mode is on the ground only if its height shows it`() {
        #expect(condition(.armed, isArmed: true, height: 0.2) == .armed)
        #expect(condition(.armed, isArmed: true) == .mayBeFlownByRadio)
        #expect(condition(.armed, isArmed: true, height: 5) == .flownByRadio)
        #expect(condition(.armed, isArmed: true, speed: 3) == .flownByRadio)
        #expect(condition(.armed, isArmed: true, isOffboard: true, height: 5) == .flownByRadio)
    }

    @Test func `a height shows a flight also where the flight stack says nothing`() {
        #expect(condition(.unknown, height: 5) == .airborne(.unknown))
        var telemetry = Telemetry(vehicle: "uav1")
        #expect(isUnknown(FlightCondition(telemetry, now: now)))
        telemetry.heightAboveGroundMetres = Sample(5, at: now)
        #expect(FlightCondition(telemetry, now: now) == .airborne(.unknown))
    }

    @Test func `a status that is not fresh shows nothing, whatever it was`() {
        for state in FlightState.allCases {
            #expect(!isUnknown(condition(state, age: .seconds(1.9))) || state == .unknown)
            #expect(condition(state, age: .seconds(2)) == .unknown("its last flight status is 2 s old: \(state.word)"))
        }
    }

    @Test func `nothing is done in the air, whoever forces it`() {
        for condition in [FlightCondition.airborne(.landing), .flownByRadio] {
            let obstacle = condition.obstacle(of: "uav1", endsCompanion: false)
            #expect(obstacle?.canBeForced == false && obstacle?.hint.contains("--force") == false)
        }
        #expect(
            FlightCondition.airborne(.landing).obstacle(of: "uav1", endsCompanion: true)?.what == "uav1 flies (landing)"
        )
        #expect(FlightCondition.flownByRadio.obstacle(of: "uav1", endsCompanion: true)?.what.contains("radio") == true)
    }

    @Test func `an armed vehicle, and one that may be flown by radio, needs force`() {
        for condition in [FlightCondition.armed, .mayBeFlownByRadio] {
            let obstacle = condition.obstacle(of: "uav1", endsCompanion: false)
            #expect(obstacle?.canBeForced == true && obstacle?.hint.contains("--force") == true)
        }
        #expect(FlightCondition.onGround.obstacle(of: "uav1", endsCompanion: true) == nil)
    }

    @Test func `an unknown state needs force where a companion is ended, and is said where none is`() {
        let unknown = FlightCondition.unknown("no ROS")
        let obstacle = unknown.obstacle(of: "uav1", endsCompanion: true)
        #expect(obstacle?.what.contains("no ROS") == true && obstacle?.canBeForced == true)
        #expect(
            obstacle?.hint
                == "look at it: if it flies, land it by radio; if it stands, start its flight stack, "
                + "or repeat the command with --force")
        #expect(unknown.obstacle(of: "uav1", endsCompanion: false) == nil)
        let assumed = unknown.assumption(of: "uav1")
        #expect(assumed?.contains("no ROS") == true && assumed?.contains("on the ground") == true)
        #expect(FlightCondition.onGround.assumption(of: "uav1") == nil)
    }
}

@Suite struct FlightWatchTests {
    private let clock = FakeClock()

    private func watch(_ link: FakeLink) -> FlightWatch {
        FlightWatch(clock: clock) { (_, timeout) async throws(LinkError) in
            try await link.connect(within: timeout)
            return link
        }
    }

    private func telemetry(_ state: FlightState, height: Double?) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: false, isOutputEnabled: false,
                isFlyingNormally: false), at: clock.now)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: clock.now) }
        return telemetry
    }

    @Test func `a vehicle that tells of itself is known at once`() async {
        let link = FakeLink(kind: .udp, clock: clock)
        let watch = watch(link)
        #expect(await watch.condition(hasCompanion: true, within: .seconds(15)) == .onGround)
        await watch.end()
        #expect(!link.quality.isConnected)
    }

    @Test func `the link is opened anew once a companion was started, or has ended`() async {
        let opened = Mutex<[FakeLink]>([])
        let clock = clock
        let watch = FlightWatch(clock: clock) { (kind, timeout) async throws(LinkError) in
            let link = FakeLink(kind: kind, clock: clock)
            try await link.connect(within: timeout)
            opened.withLock { $0.append(link) }
            return link
        }
        for hasCompanion in [false, false, true, true, false] {
            #expect(await watch.condition(hasCompanion: hasCompanion, within: .seconds(15)) == .onGround)
        }
        let links = opened.withLock { $0 }
        #expect(links.map(\.kind) == [.ssh, .udp, .ssh])
        #expect(links.map(\.quality.isConnected) == [false, false, true])
        await watch.end()
    }

    @Test func `what an open link received long ago is not believed`() async throws {
        let link = FakeLink(kind: .udp, clock: clock)
        let watch = watch(link)
        #expect(await watch.condition(hasCompanion: true, within: .seconds(15)) == .onGround)
        link.setVehicleSilent(true)
        await clock.run(for: .seconds(4))
        let condition = try await clock.run { await watch.condition(hasCompanion: true, within: .seconds(15)) }
        #expect(condition == .unknown("its last flight status is 6 s old: disarmed"))
        await watch.end()
    }

    @Test func `the height of an armed vehicle is waited for`() async throws {
        let link = FakeLink(kind: .udp, clock: clock)
        link.setVehicleSilent(true)
        link.publish(telemetry(.armed, height: nil))
        let watch = watch(link)
        let look = Task { await watch.condition(hasCompanion: true, within: .seconds(15)) }
        await clock.run(for: .seconds(1))
        link.publish(telemetry(.armed, height: 5))
        #expect(try await clock.run { await look.value } == .flownByRadio)
        await watch.end()
    }

    @Test func `the state of a vehicle whose height shows a flight is waited for`() async throws {
        let link = FakeLink(kind: .udp, clock: clock)
        link.setVehicleSilent(true)
        var first = telemetry(.flying, height: 5)
        first.flight = nil
        link.publish(first)
        let watch = watch(link)
        let look = Task { await watch.condition(hasCompanion: true, within: .seconds(15)) }
        await clock.run(for: .seconds(1))
        link.publish(telemetry(.landing, height: 5))
        #expect(try await clock.run { await look.value } == .airborne(.landing))
        await watch.end()
    }

    @Test func `a height alone shows a flight, too`() {
        var telemetry = telemetry(.flying, height: 5)
        telemetry.flight = nil
        let condition = FlightCondition(telemetry, now: clock.now)
        #expect(condition.obstacle(of: "uav1", endsCompanion: false)?.what == "uav1 is in the air")
    }

    @Test
    func `a vehicle that is reported as disarmed and whose height shows a flight is not taken for one that stands`() {
        let condition = FlightCondition(telemetry(.disarmed, height: 5), now: clock.now)
        let obstacle = condition.obstacle(of: "uav1", endsCompanion: true)
        #expect(obstacle?.what.contains("shows it in the air") == true && obstacle?.canBeForced == true)
        #expect(FlightCondition(telemetry(.disarmed, height: 0.2), now: clock.now) == .onGround)
    }

    @Test func `no link and no telemetry are reasons for not knowing`() async throws {
        let link = FakeLink(kind: .udp, clock: clock)
        link.setVehicleSilent(true)
        let watch = watch(link)
        let silent = try await clock.run { await watch.condition(hasCompanion: true, within: .seconds(15)) }
        #expect(silent == .unknown("no telemetry over udp"))
        await watch.end()
        let none = FlightWatch(clock: clock) { (_, _) async throws(LinkError) in
            throw LinkError(.unreachable, "no route")
        }
        #expect(await none.condition(hasCompanion: false, within: .seconds(15)) == .unknown("no route"))
    }
}
