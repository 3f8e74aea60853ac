import FlightControl
import RouteFlight
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// What can be done with a route now.
extension RouteFlightControllerTests {
    private static let moves: [RouteAction] = [.send, .goToStart, .start, .resume]

    private func report(
        _ state: FlightState, isOffboard: Bool = true, height: Double? = nil, takesReferences: Bool = true
    ) {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: isOffboard, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: clock.now)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: clock.now) }
        if !takesReferences {
            telemetry.tracker = Sample(
                TrackerStatus(tracker: "MpcTracker", controller: "", takesReferences: false, hasGoal: false),
                at: clock.now)
        }
        link.publish(telemetry)
        controller.look()
    }

    @Test func `what the flight stack takes in flight only is expected to be refused on the ground`() async throws {
        for state in [FlightState.disarmed, .armed, .takingOff, .landing, .emergency] {
            report(state)
            for action in Self.moves { #expect(controller.expectedRefusal(of: action) == .notFlying(state)) }
            #expect(controller.expectedRefusal(of: .stop) == nil)
        }
        for state in [FlightState.unknown, .flying] {
            report(state)
            for action in RouteAction.allCases { #expect(controller.expectedRefusal(of: action) == nil) }
        }
        report(.disarmed)
        #expect(
            controller.expectedRefusal(of: .send)?.description == "the vehicle is not flying: take off first")
        // Given anyway, it is sent: the vehicle decides.
        try await controller.send(try confirmed(version()))
        #expect(link.commands.count == 1)
        // An old report says nothing of now.
        clock.advance(by: .seconds(3))
        #expect(controller.expectedRefusal(of: .start) == nil)
    }

    @Test(arguments: [false, true])
    func `a vehicle that is flown by radio is not asked to take off first, and nothing is offered`(isOffboard: Bool) {
        report(.armed, isOffboard: isOffboard, height: 4)
        for action in Self.moves { #expect(controller.expectedRefusal(of: action) == .flownByRadio) }
        #expect(controller.expectedRefusal(of: .send)?.description.contains("flown by radio") == true)
        #expect(controller.offered == [])
        report(.armed, isOffboard: isOffboard, height: 0.1)
        #expect(controller.expectedRefusal(of: .send) == .notFlying(.armed))
    }

    @Test func `in an emergency and over a lost link no way to the start is offered, and the reason is said`()
        async throws
    {
        report(.flying)
        controller.edits(version())
        try await controller.send(try confirmed(version()))
        #expect(controller.offered.contains(.goToStart))
        report(.emergency)
        #expect(controller.offered == [])
        #expect(
            controller.expectedRefusal(of: .goToStart)?.description
                == "the vehicle is in an emergency: it accepts no trajectory")
        report(.flying)
        link.setQuality(LinkQuality(isConnected: false))
        #expect(controller.offered == [] && controller.expectedRefusal(of: .stop) == nil)
        #expect(controller.expectedRefusal(of: .goToStart)?.description == "link lost: it would not reach the vehicle")
    }

    /// After a hover that ended a landing; the flight stack does not refuse to fly what it has (flown on the real one).
    @Test func `to a vehicle that takes no references nothing is sent, and the reason is said`() {
        report(.flying)
        controller.edits(version())
        #expect(controller.offered == [.send])
        report(.flying, takesReferences: false)
        #expect(controller.offered == [] && controller.expectedRefusal(of: .start) == nil)
        let words = controller.expectedRefusal(of: .send)?.description ?? ""
        #expect(words.hasPrefix("the vehicle takes no trajectory: ") && words.contains("then land"), "\(words)")
    }

    @Test func `a change of trackers is no reason to refuse a route`() throws {
        let timeSource = FakeTimeSource()
        let link = FakeLink(clock: timeSource.fake)
        link.setVehicleSilent(true)
        link.setQuality(LinkQuality(isConnected: true))
        let fleet = Fleet(timeSource: timeSource)
        fleet.add(profile: VehicleProfile(name: "hexa1"), link: link)
        let made = try #require(RouteFlights().selected(in: fleet, clock: timeSource.fake))
        func tell(takesReferences: Bool) {
            let now = timeSource.fake.now
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.flight = Sample(
                FlightStatus(
                    state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
                at: now)
            telemetry.tracker = Sample(
                TrackerStatus(tracker: "MpcTracker", controller: "", takesReferences: takesReferences, hasGoal: false),
                at: now)
            link.publish(telemetry)
        }
        tell(takesReferences: true)
        #expect(made.expectedRefusal(of: .send) == nil)
        tell(takesReferences: false)
        #expect(made.expectedRefusal(of: .send) == nil && made.offered == [.send])
        timeSource.fake.advance(by: .milliseconds(600))
        tell(takesReferences: false)
        #expect(made.expectedRefusal(of: .send) == .takesNone && made.offered == [])
        tell(takesReferences: true)
        #expect(made.expectedRefusal(of: .send) == nil)
        // It is asked, and must live as long.
        #expect(fleet.vehicles.count == 1)
    }

    @Test func `pictures are taken by the service that the vehicle's profile names`() {
        let fleet = Fleet(timeSource: FakeTimeSource())
        var profile = VehicleProfile(name: "hexa1")
        profile.snapshotService = "camera/trigger"
        fleet.add(profile: profile, link: link)
        let made = RouteFlights().selected(in: fleet, clock: clock)
        #expect(made?.flight.snapshotService == "camera/trigger")
    }

    @Test func `what acts now is offered, the most useful first`() async throws {
        let first = version()
        report(.flying)
        controller.edits(first)
        #expect(controller.offered == [.send])
        try await controller.send(try confirmed(first))
        #expect(controller.offered == [.start, .goToStart, .send])
        controller.edits(version(to: 20))
        #expect(controller.offered == [.send, .start, .goToStart])
        controller.edits(first)
        try await controller.goToStart()
        #expect(controller.offered == [.stop, .start])
        try await controller.start()
        #expect(controller.offered == [.stop])
        try await controller.stop()
        #expect(controller.offered == [.resume, .start, .goToStart, .send])
        report(.disarmed)
        #expect(controller.offered == [])
        report(.flying)
        link.script(.reply(CommandReply(accepted: true, message: "", trajectoryModified: true)))
        try await controller.send(try confirmed(first))
        // What the vehicle changed is not flown.
        #expect(controller.offered == [.send])
    }

    @Test func `the flight of another sender can be stopped`() {
        tell(index: 7)
        #expect(state == "flying another's")
        #expect(controller.offered == [.stop, .send])
    }
}
