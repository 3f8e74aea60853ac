import LoginMode
@testable import FlightControl
@testable import ModeKit
@testable import Workspace
import GameController
import TextScreen
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// Telemetry as no vehicle can mean it, past every decoder: whatever comes, a screen is drawn.
@MainActor
@Suite("Hostile telemetry", .timeLimit(.minutes(1)))
struct HostileTelemetryTests {
    nonisolated private static let modes: [Mode] = [
        .menu, .joystick, .telemetry, .mapTrajectory, .indoor, .latencyLab,
    ]
    private static let sizes = [
        ScreenSize(rows: 24, columns: 80), ScreenSize(rows: 60, columns: 200), ScreenSize(rows: 8, columns: 30),
        ScreenSize(rows: 1, columns: 1),
    ]
    private static let numbers: [Double] = [
        0, 1e308, -1e308, .infinity, -.infinity, .nan, 1e18, -1e18, 9.3e18, 1e9, .leastNonzeroMagnitude,
        -.leastNonzeroMagnitude, .leastNormalMagnitude, 1, .greatestFiniteMagnitude,
    ]

    @Test("every screen is drawn whatever the numbers", arguments: modes)
    func screens(_ mode: Mode) async throws {
        let (terminal, timeSource) = (FakeTerminal(), FakeTimeSource())
        let fleet = Fleet(timeSource: timeSource)
        let link = FakeLink(clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        fleet.add(profile: VehicleProfile(name: "local"), link: link)
        let frontEnd = frontEnd(terminal, timeSource, fleet, mode)
        let run = Task { try await frontEnd.run() }
        var previous = 0.0
        for number in Self.numbers {
            // One alone, one after another, and both beside a number that is none of them.
            for (value, other) in [(number, number), (number, previous), (number, 0), (0, number)] {
                link.publish(Self.telemetry(value, other, now: timeSource.fake.now))
                var quality = LinkQuality(isConnected: true)
                (quality.lossUp, quality.lossDown, quality.telemetryRateHertz) = (value, other, value)
                link.setQuality(quality)
                for size in Self.sizes {
                    terminal.input.yield(.resize(size))
                    await timeSource.fake.run(for: .milliseconds(120))
                }
            }
            previous = number
        }
        terminal.input.finish()
        try await timeSource.fake.run(through: { try await run.value })
        #expect(terminal.log == ["enter", "leave"])
        #expect(terminal.erasures >= Self.numbers.count)
    }

    private func frontEnd(
        _ terminal: FakeTerminal, _ timeSource: FakeTimeSource, _ fleet: Fleet, _ mode: Mode
    ) -> FrontEnd {
        var catalog = ModeCatalog(
            .init(
                fleet: fleet, environment: [:],
                login: .init(
                    fleet: fleet, configuration: ConfigurationFile(path: "/dev/null", environment: [:]),
                    environment: [:]),
                abilities: TerminalAbilities(), makeGamepads: { NoGamepads() }, timeSource: timeSource))
        return FrontEnd(
            terminal: terminal,
            settings: .init(
                appearance: Appearance(depth: .indexed), timeSource: timeSource, fleet: fleet, firstMode: mode
            ) { mode, stage in catalog.make(mode, on: stage) })
    }

    /// All numbers of a vehicle in flight are one of the two.
    private static func telemetry(_ a: Double, _ b: Double, now: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: .worldOrigin, positionMetres: Vector3(x: a, y: b, z: a), headingRadians: b), at: now)
        telemetry.velocityMetresPerSecond = Sample(Vector3(x: b, y: a, z: b), at: now)
        telemetry.heightAboveGroundMetres = Sample(a, at: now)
        telemetry.rangeFinderMetres = Sample(b, at: now)
        telemetry.battery = Sample(Battery(voltageVolts: a, currentAmperes: b, remaining: a), at: now)
        telemetry.gnss = Sample(
            GNSSFix(
                quality: .fix, latitudeDegrees: a, longitudeDegrees: b, altitudeMetres: a, horizontalAccuracyMetres: b),
            at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true), at: now
        )
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true, hasGoal: true,
                isTrackingTrajectory: true, trajectoryIndex: .max, trajectoryLength: .max), at: now)
        telemetry.estimator = Sample(EstimatorStatus(name: "gps", ceilingMetres: a), at: now)
        telemetry.topicRates = Sample([TopicRate(name: "odometry", measuredHertz: a, expectedHertz: b)], at: now)
        return telemetry
    }
}

private final class NoGamepads: Gamepads {
    let state = GamepadsState.none
    func close() {}
}
