import FlightControl
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// What another command does to one that is waited for: only telemetry tells.
@Suite struct InterruptedFlightTests {
    /// What telemetry shows at an instant.
    struct Seen {
        var place = Vector3(x: 0, y: 0, z: 3)
        var velocity = Vector3.zero
        var state = FlightState.flying
        var isOffboard = true
        var hasGoal = false
        var takesReferences = true
        /// The sample that is followed.
        var index: Int?
    }

    private let clock = FakeClock()
    private let link: FakeLink
    private let flight: FlightInteractor

    init() {
        link = FakeLink(clock: clock)
        flight = FlightInteractor(FlightDependency(link: link, clock: clock))
    }

    /// The samples of the trajectory that is followed.
    private static let samples = 101

    private func tell(_ seen: Seen) {
        var telemetry = Telemetry(vehicle: "uav1")
        let now = clock.now
        telemetry.pose = Sample(
            Pose(frame: .current, positionMetres: seen.place, headingRadians: 0), at: now)
        telemetry.velocityMetresPerSecond = Sample(seen.velocity, at: now)
        telemetry.heightAboveGroundMetres = Sample(seen.place.z, at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: seen.state, isArmed: seen.state != .disarmed, isOffboard: seen.isOffboard,
                isOutputEnabled: true,
                isFlyingNormally: seen.state == .flying), at: now)
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: "MpcTracker", controller: "Se3Controller", takesReferences: seen.takesReferences,
                hasGoal: seen.hasGoal, isTrackingTrajectory: seen.index != nil, trajectoryIndex: seen.index ?? 0,
                trajectoryLength: Self.samples), at: now)
        link.publish(telemetry)
    }

    /// How the wait for a command ends while the vehicle tells that, ten times a second; no later than a second after it.
    func wait(
        for command: Command, to destination: KnownDestination? = nil, while seen: [Seen],
        progress: @escaping FlightInteractor.Progress = { _ in }
    ) async throws -> Arrival? {
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        let flight = flight
        let waiting = Task { try await flight.waitForEffect(of: command, to: destination, progress: progress) }
        for moment in seen {
            await clock.run(for: .milliseconds(100))
            tell(moment)
        }
        defer { waiting.cancel() }
        return try await clock.run(within: .seconds(1), through: { try await waiting.value })
    }

    func failure(of command: Command, to destination: KnownDestination? = nil, while seen: [Seen]) async
        -> String
    {
        do {
            let arrival = try await wait(for: command, to: destination, while: seen)
            return "no failure: \(arrival?.text ?? "")"
        } catch let failure as FlightInteractor.Failure {
            guard case .cancelled(_, _, let why) = failure else { return "another failure: \(failure)" }
            return why
        } catch {
            return "\(error)"
        }
    }

    /// Along x at a velocity, ten times a second.
    func way(from start: Double, to end: Double, at speed: Double) -> [Seen] {
        let velocity = end < start ? -speed : speed
        let count = Int((abs(end - start) / speed * 10).rounded())
        return (0...count).map { moment in
            Seen(
                place: Vector3(x: start + velocity * 0.1 * Double(moment), y: 0, z: 3),
                velocity: Vector3(x: velocity, y: 0, z: 0), hasGoal: true)
        }
    }

    private func goTo(_ x: Double) -> Command {
        .goTo(.init(.frame(.current), position: Vector3(x: x, y: 0, z: 3), headingRadians: 0))
    }

    // MARK: Goals

    /// The tracker has a goal all the time.
    @Test func `a goal that another one replaces is known as soon as the vehicle turns away, with the place`() async {
        let seen = [Seen(hasGoal: true)] + way(from: 0, to: 20, at: 4) + way(from: 20, to: 19, at: 2)
        #expect(await failure(of: goTo(40), while: seen) == "not reached: replaced at 20.0 0.0 3.0, 20.0 m from it")
    }

    @Test func `a vehicle that flew elsewhere before the command has not turned away from its goal`() async throws {
        let seen = way(from: 0, to: -3, at: 4) + way(from: -3, to: 5, at: 4) + [Seen(place: Vector3(x: 5, y: 0, z: 3))]
        let arrival = try #require(try await wait(for: goTo(5), while: seen))
        #expect(arrival.outcome == .arrived)
    }

    /// It was fast when the command came, and needs its way to brake.
    @Test func `a vehicle that brakes past its goal has not turned away`() async throws {
        let seen =
            way(from: 0, to: 8, at: 8) + way(from: 8, to: 4, at: 2) + [Seen(place: Vector3(x: 3.8, y: 0, z: 3))]
        let arrival = try #require(try await wait(for: goTo(4), while: seen))
        #expect(arrival.outcome == .arrived)
    }

    @Test func `one that flies past its goal to another has not reached it`() async {
        let why = await failure(of: goTo(10), while: [Seen(hasGoal: true)] + way(from: 0, to: 12, at: 4))
        #expect(why == "not reached: flown past at 10.0 0.0 3.0 to another goal")
    }

    /// Where the trajectory starts is known to its sender only.
    @Test func `on the way to the start of a trajectory the vehicle does not turn back`() async throws {
        let begin = [Seen(hasGoal: true)]
        let seen = begin + way(from: 0, to: 6, at: 4) + way(from: 6, to: 0, at: 4) + [Seen()]
        let why = await failure(of: .goToTrajectoryStart, while: seen)
        #expect(why == "not reached: replaced at 6.0 0.0 3.0, where it turned back")
    }

    @Test(arguments: [10.0, 4]) func `where the start of a trajectory is known it is compared`(x: Double) async throws {
        let start = KnownDestination(positionMetres: Vector3(x: 10, y: 0, z: 3)) { $0.positionMetres }
        let end = Seen(place: Vector3(x: x, y: 0, z: 3))
        let seen = [Seen(hasGoal: true)] + way(from: 0, to: x, at: 4) + [end]
        if x == 10 {
            #expect(try await wait(for: .goToTrajectoryStart, to: start, while: seen)?.outcome == .arrived)
        } else {
            let why = await failure(of: .goToTrajectoryStart, to: start, while: seen + Array(repeating: end, count: 25))
            let end = "not reached: the goal ended at 4.0 0.0 3.0, 6.0 m from it"
            #expect(why == "\(end); another trajectory may be loaded")
        }
    }

    /// An autopilot may report once a second only that it is no longer in offboard mode.
    @Test(arguments: [false, true])
    func `a goal that the radio ends says so, with the place`(isOffboard: Bool) async {
        let taken = Seen(place: Vector3(x: 4, y: 0, z: 3), state: .armed, isOffboard: isOffboard)
        let why = await failure(of: goTo(10), while: [Seen(hasGoal: true)] + way(from: 0, to: 4, at: 4) + [taken])
        #expect(why == "ended at 4.0 0.0 3.0: the vehicle is flown by radio")
    }

    @Test(arguments: [false, true])
    func `nor does a vehicle that is flown by radio stand on the ground`(isOffboard: Bool) async {
        let taken = Seen(place: Vector3(x: 4, y: 0, z: 3), state: .armed, isOffboard: isOffboard)
        #expect(await failure(of: .hover, while: [taken]) == "not reached: it is flown by radio")
    }

    @Test func `a goal that a landing ends says so, with the place`() async {
        var landing = Seen(place: Vector3(x: 4, y: 0, z: 3))
        landing.state = .landing
        let why = await failure(of: goTo(10), while: [Seen(hasGoal: true)] + way(from: 0, to: 4, at: 4) + [landing])
        #expect(why.hasPrefix("ended by a landing at 4.0 0.0 3.0"), "\(why)")
    }

    @Test func `a hover that does not end a landing is not reached`() async throws {
        var landing = Seen(place: Vector3(x: 1, y: 2, z: 3))
        landing.state = .landing
        #expect(await failure(of: .hover, while: [landing]) == "not reached: it lands at 1.0 2.0 3.0")
        let standing = Seen(place: Vector3(x: 1, y: 2, z: 3))
        let arrival = try await wait(for: .hover, while: [standing])
        #expect(arrival?.text.hasPrefix("hovering at 1.0 2.0 3.0") == true)
    }

    @Test func `the distance is reported to the end`() async throws {
        let reported = Mutex<[String]>([])
        let last = Seen(place: Vector3(x: 4.7, y: 0, z: 3), hasGoal: true)
        let seen = way(from: 0, to: 4, at: 4) + [last, Seen(place: Vector3(x: 5, y: 0, z: 3))]
        _ = try await wait(for: goTo(5), while: seen) { line in reported.withLock { $0.append(line) } }
        #expect(reported.withLock { $0.last } == "0.3 m from it")
    }

    // MARK: Trajectories

    /// The tracker's reports of a trajectory of ten seconds, up to a sample.
    func followed(to index: Int) -> [Seen] {
        (0...index).map { Seen(place: Vector3(x: Double($0) / 10, y: 0, z: 3), hasGoal: true, index: $0) }
    }

    @Test func `a trajectory that is stopped was not flown`() async {
        let stopped = Seen(place: Vector3(x: 2, y: 0, z: 3))
        let why = await failure(of: .startTrajectory, while: followed(to: 20) + [stopped])
        #expect(why == "stopped at 2.0 0.0 3.0 after 20 %")
    }

    @Test(arguments: [96, 100]) func `one whose end was not reported was flown anyway`(last: Int) async throws {
        let end = Seen(place: Vector3(x: 10, y: 0, z: 3))
        let seen = followed(to: last) + Array(repeating: end, count: 7)
        let arrival = try #require(try await wait(for: .resumeTrajectory, while: seen))
        #expect(arrival.text.hasPrefix("flown to its end at 10.0 0.0 3.0 after "), "\(arrival.text)")
    }

    @Test func `one that is not followed was not flown`() async {
        let why = await failure(of: .startTrajectory, while: Array(repeating: Seen(), count: 60))
        #expect(why == "it does not follow the trajectory at 0.0 0.0 3.0")
    }

    @Test func `one of which nothing is reported any more is not waited for`() async throws {
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        let flight = flight
        let waiting = Task { try await flight.waitForEffect(of: .startTrajectory) }
        for moment in followed(to: 5) {
            await clock.run(for: .milliseconds(100))
            tell(moment)
        }
        await #expect { try await clock.run(through: { try await waiting.value }) } throws: {
            "\($0)".contains("no telemetry for 30 s; last state flying")
        }
    }

    // MARK: Take-off and landing

    private func descent(_ state: FlightState, takesReferences: Bool = true) -> [Seen] {
        (0..<10).map {
            Seen(
                place: Vector3(x: 0, y: 0, z: 3 - 0.05 * Double($0)), velocity: Vector3(x: 0, y: 0, z: -0.5),
                state: state, takesReferences: takesReferences)
        }
    }

    @Test(arguments: [
        (Command.land, FlightState.landing, true), (.landHome, .landing, true), (.landHome, .flying, false),
    ])
    func `a landing that a hover ended is over`(command: Command, state: FlightState, takesReferences: Bool) async {
        let hovering = Array(repeating: Seen(place: Vector3(x: 0, y: 0, z: 2.5)), count: 8)
        let why = await failure(of: command, while: descent(state, takesReferences: takesReferences) + hovering)
        #expect(why == "not landed: the vehicle keeps flying at 0.0 0.0 2.5")
    }

    @Test func `a landing that goes on after a hover was accepted is waited for`() async throws {
        let ground = Seen(place: .zero, state: .disarmed)
        let arrival = try #require(try await wait(for: .land, while: descent(.landing) + descent(.landing) + [ground]))
        #expect(arrival.text.hasPrefix("landed at 0.0 0.0 0.0 after 2."), "\(arrival.text)")
    }

    @Test func `a vehicle that stands in the air does not land, whatever it calls its state`() async {
        let standing = Seen(place: Vector3(x: 0, y: 0, z: 2.5), state: .emergency)
        let why = await failure(of: .land, while: descent(.landing) + Array(repeating: standing, count: 70))
        #expect(why == "not landed: the vehicle hovers at 0.0 0.0 2.5")
    }

    @Test func `a landing that never begins is not waited for to the end`() async {
        let why = await failure(of: .land, while: Array(repeating: Seen(), count: 60))
        #expect(why == "not landed: the vehicle keeps flying at 0.0 0.0 3.0")
    }

    @Test func `a take-off tells where the vehicle flies, or that it was ended`() async throws {
        let climbing = Array(
            repeating: Seen(place: Vector3(x: 0, y: 0, z: 1), state: .takingOff, hasGoal: true), count: 10)
        let flying = Seen(place: Vector3(x: 0, y: 0, z: 1.5))
        let arrival = try #require(try await wait(for: .takeoff, while: climbing + [flying]))
        #expect(arrival.text.hasPrefix("flying at 0.0 0.0 1.5 after 1."), "\(arrival.text)")
    }

    @Test func `a take-off that another pilot's landing ends has failed`() async {
        let climbing = Array(
            repeating: Seen(place: Vector3(x: 0, y: 0, z: 1), state: .takingOff, hasGoal: true), count: 10)
        let why = await failure(of: .takeoff, while: climbing + descent(.landing))
        #expect(why == "the take-off ended: state landing, MpcTracker")
    }
}
