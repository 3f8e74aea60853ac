import FlightControl
import MenuMode
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit

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
}
