import FlightControl
import MenuMode
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// What the menu says of a vehicle whose flight state is not known.
@MainActor
@Suite struct MenuAdviceTests {
    private final class ShownMenu: MenuView {
        var shown: MenuScreenState?
        var presenter: MenuPresenter?
        func show(_ state: MenuScreenState) { shown = state }
    }

    @Test(
        arguments: [
            (nil, "waiting for the vehicle's telemetry"),
            (
                LinkError(.serviceMissing, "no node publishes it", hint: "start it"),
                "no flight state: no node publishes it; start it"
            ),
        ] as [(LinkError?, String)])
    func `the reason is shown where the link knows one`(_ fault: LinkError?, _ words: String) {
        let (link, view) = (FakeLink(), ShownMenu())
        var quality = LinkQuality(isConnected: true)
        quality.telemetryFault = fault
        link.setQuality(quality)
        link.publish(Telemetry(vehicle: "uav1"))
        let builder = MenuBuilder(
            .init(fleet: .withFake(link, timeSource: FakeTimeSource()), modes: [.joystick], losses: { _ in [] }))
        let instance = builder.build(on: FakeStage()) { presenter in
            view.presenter = presenter
            return view
        }
        #expect(view.shown?.advice == words)
        instance.detach()
    }

    @Test func `of a flying vehicle that takes no setpoints no manual flight is named, but the way out`() async throws {
        let timeSource = FakeTimeSource()
        let (fleet, view) = (Fleet(timeSource: timeSource), ShownMenu())
        let link = FakeLink(.flying, clock: timeSource.fake, speed: 20)
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "local"), link: link)
        _ = try await link.perform(.emergencyHover, within: .seconds(1))
        await timeSource.fake.run(for: .seconds(1))
        let instance = MenuBuilder(.init(fleet: fleet, modes: [.joystick], losses: { _ in [] })).build(
            on: FakeStage()
        ) { presenter in
            view.presenter = presenter
            return view
        }
        view.presenter?.look()
        let advice = view.shown?.advice ?? ""
        #expect(advice.hasPrefix("the vehicle takes no setpoints: ") && advice.contains("then land"), "\(advice)")
        instance.detach()
        await link.close()
    }

    @Test(
        arguments: [(.disarmed, "to fly: press 1"), (.flying, "the vehicle is flying")] as [(FlightState, String)])
    func `where the flight state is old, no way to fly is named, but what is missing`(
        _ state: FlightState, _ words: String
    ) {
        let (timeSource, link, view) = (FakeTimeSource(), FakeLink(), ShownMenu())
        var quality = LinkQuality(isConnected: true)
        link.setQuality(quality)
        func report() {
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.flight = Sample(
                FlightStatus(
                    state: state, isArmed: state == .flying, isOffboard: true, isOutputEnabled: true,
                    isFlyingNormally: state == .flying), at: timeSource.clock.now)
            link.publish(telemetry)
        }
        report()
        let builder = MenuBuilder(.init(fleet: .withFake(link, timeSource: timeSource), modes: [.joystick]))
        let instance = builder.build(on: FakeStage()) { presenter in
            view.presenter = presenter
            return view
        }
        timeSource.fake.advance(by: .seconds(5))
        view.presenter?.look()
        #expect(view.shown?.advice?.hasPrefix(words) == true)
        timeSource.fake.advance(by: .seconds(14))
        view.presenter?.look()
        #expect(view.shown?.advice == "no flight state received for 19 s; uavlink doctor finds the cause")
        quality.telemetryFault = LinkError(.serviceMissing, "no node publishes it", hint: "start it")
        link.setQuality(quality)
        view.presenter?.look()
        #expect(view.shown?.advice == "no flight state received for 19 s: no node publishes it; start it")
        report()
        view.presenter?.look()
        #expect(view.shown?.advice?.hasPrefix(words) == true)
        instance.detach()
    }

    @Test func `after an emergency landing no way to fly is named, but what must be done before`() async throws {
        let timeSource = FakeTimeSource()
        let (fleet, view) = (Fleet(timeSource: timeSource), ShownMenu())
        let link = FakeLink(.flying, clock: timeSource.fake, speed: 20)
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "local"), link: link)
        #expect(await timeSource.fake.run { link.latestTelemetry?.flight?.value.state == .flying })
        _ = try await link.perform(.emergencyLand, within: .seconds(1))
        #expect(await timeSource.fake.run { link.latestTelemetry?.flight?.value.state == .disarmed })
        let builder = MenuBuilder(.init(fleet: fleet, modes: [.joystick], losses: { _ in [] }))
        let instance = builder.build(on: FakeStage()) { presenter in
            view.presenter = presenter
            return view
        }
        view.presenter?.look()
        #expect(view.shown?.advice?.contains("restart the flight stack") == true)
        #expect(view.shown?.advice?.contains("to fly") == false)
        instance.detach()
        await link.close()
    }
}
