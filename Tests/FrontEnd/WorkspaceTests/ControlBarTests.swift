import FlightControl
import ModeKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess
import Workspace

/// What the bar says of who has control, of what the vehicle does, and of the round trip.
extension WorkspaceTests {
    /// Telemetry of a vehicle that is in the air; with a goal of its own unless it has none.
    private func airborne(
        _ state: FlightState, isOffboard: Bool = true, hasGoal: Bool = true, isTrackingTrajectory: Bool = false
    ) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        let now = timeSource.fake.now
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: true, isOffboard: isOffboard, isOutputEnabled: true, isFlyingNormally: true),
            at: now)
        telemetry.heightAboveGroundMetres = Sample(5, at: now)
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true, hasGoal: hasGoal,
                isTrackingTrajectory: isTrackingTrajectory), at: now)
        return telemetry
    }

    private func silent() async throws -> FakeLink {
        let link = try await connected()
        link.setVehicleSilent(true)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        return link
    }

    @Test func `over a link without control authority you have control while a screen steers, and not a moment longer`()
        async throws
    {
        let link = try await silent()
        let workspace = build()
        link.publish(airborne(.flying, hasGoal: false))
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "nobody")
        fleet.steeredID = fleet.selectedID
        try link.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: timeSource.fake.now))
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "you")
        // The last setpoint has just been sent.
        fleet.steeredID = nil
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "nobody")
        // Another vehicle is not steered.
        fleet.steeredID = fleet.selectedID
        fleet.add(profile: VehicleProfile(name: "second"), link: try await connected())
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control != "you")
        await fleet.remove(1)
        #expect(fleet.steeredID == nil)
    }

    @Test func `the end of steering is shown without waiting for telemetry`() async throws {
        let link = try await silent()
        let workspace = build()
        workspace.stage.open(.menu)
        link.publish(airborne(.flying))
        fleet.steeredID = fleet.selectedID
        await timeSource.beat(.milliseconds(1))
        #expect(view.shown.vehicle?.control == "you")
        fleet.steeredID = nil
        await timeSource.beat(.milliseconds(1))
        #expect(view.shown.vehicle?.control == "nobody")
    }

    @Test func `what the vehicle does stands in its own field, never as who has control`() async throws {
        let link = try await silent()
        let workspace = build()
        for (telemetry, state) in [
            (airborne(.flying), "flying, goto"), (airborne(.flying, isTrackingTrajectory: true), "on trajectory"),
            (airborne(.flying, hasGoal: false), "flying"), (airborne(.landing), "landing"),
            (airborne(.takingOff), "taking off"),
        ] {
            link.publish(telemetry)
            workspace.presenter.refresh()
            #expect(view.shown.vehicle?.state == state && view.shown.vehicle?.control == "nobody")
        }
        link.publish(airborne(.flying))
        fleet.steeredID = fleet.selectedID
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.state == "flying" && view.shown.vehicle?.control == "you")
    }

    @Test func `over a lost link stands in plain words what the vehicle did when it was last heard`() async throws {
        let link = try await silent()
        let workspace = build()
        for (telemetry, state) in [
            (airborne(.flying), "was flying to a goal"),
            (airborne(.flying, isTrackingTrajectory: true), "was on a trajectory"),
            (airborne(.flying, hasGoal: false), "was flying"), (airborne(.emergency), "was in EMERGENCY"),
        ] {
            link.publish(telemetry)
            link.setQuality(LinkQuality(isConnected: false))
            workspace.presenter.refresh()
            #expect(view.shown.vehicle?.state == state)
        }
    }

    @Test func `a brake after steering is no goto, and a goal that lasts is one`() async throws {
        let link = try await silent()
        let workspace = build()
        link.publish(airborne(.flying))
        fleet.steeredID = fleet.selectedID
        workspace.presenter.refresh()
        fleet.steeredID = nil
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.state == "flying")
        await timeSource.fake.run(for: .milliseconds(3100))
        link.publish(airborne(.flying))
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.state == "flying, goto")
    }

    @Test func `who had control when the link was lost is marked as the last that was known`() async throws {
        let link = try await silent()
        let workspace = build()
        for (isYou, text) in [(true, "you"), (false, "anna")] {
            var telemetry = airborne(.flying)
            let now = timeSource.fake.now
            telemetry.control = Sample(
                ControlStatus(pilot: .init(name: "anna", since: now, isYou: isYou), isSteering: false), at: now)
            link.publish(telemetry)
            link.setQuality(LinkQuality(isConnected: true))
            workspace.presenter.refresh()
            #expect(view.shown.vehicle?.control == "\(text), 0 ms")
            link.setQuality(LinkQuality(isConnected: false))
            workspace.presenter.refresh()
            #expect(view.shown.vehicle?.control == "was \(text)")
        }
        link.publish(airborne(.flying))
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "-")
    }

    @Test func `a vehicle in the air that is not in offboard mode is the radio's, one on the ground is no pilot's`()
        async throws
    {
        let link = try await silent()
        let workspace = build()
        workspace.presenter.refresh()
        link.publish(airborne(.armed, isOffboard: false))
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "radio")
        var standing = airborne(.armed, isOffboard: false)
        standing.heightAboveGroundMetres = Sample(0.1, at: timeSource.fake.now)
        link.publish(standing)
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "nobody")
    }

    @Test
    func `where the companion knows that no pilot has control authority it is nobody, and unknown until it says so`() {
        let link = PilotedLink(clock: timeSource.fake, status: nil)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "-")
        // Steered, but the companion has not granted it.
        fleet.steeredID = fleet.selectedID
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "-")
        link.set(ControlStatus())
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.control == "nobody")
    }

    @Test func `the round trip is its median; the 99th percentile is named, and only where it is much longer`()
        async throws
    {
        let link = try await silent()
        let workspace = build()
        let cases: [(Duration, Duration?, String)] = [
            (.microseconds(20), .milliseconds(300), "<0.1 ms (p99 300)"), (.microseconds(20), nil, "<0.1 ms"),
            (.microseconds(400), .microseconds(900), "0.4 ms"), (.milliseconds(12), .milliseconds(49), "12 ms"),
            (.milliseconds(12), .milliseconds(50), "12 ms (p99 50)"), (.milliseconds(30), .milliseconds(59), "30 ms"),
            (.microseconds(49), .zero, "<0.1 ms"), (.microseconds(60), .zero, "0.1 ms"),
        ]
        for (median, tail, text) in cases {
            var quality = LinkQuality(isConnected: true)
            (quality.roundTripMedian, quality.roundTripP99) = (median, tail)
            link.setQuality(quality)
            workspace.presenter.refresh()
            #expect(view.shown.link?.roundTrip == text)
        }
    }
}
