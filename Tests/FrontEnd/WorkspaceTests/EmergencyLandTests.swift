import FlightControl
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess
import Workspace

/// What is asked before an emergency landing.
extension WorkspaceTests {
    @Test func `over a lost link the question before an emergency landing says that it may not reach the vehicle`()
        async throws
    {
        var flying = FakeVehicle()
        for command in [Command.arm(true), .enableOutput(true), .offboard, .takeoff] { _ = flying.handle(command) }
        let link = try await connected(flying)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.emergencyLand)
        let text = try #require(view.shown.confirmation?.text)
        #expect(text.hasSuffix("F7 only hovers."))
        workspace.presenter.handle(.decline)
        link.setQuality(LinkQuality(isConnected: false))
        workspace.presenter.handle(.emergencyLand)
        #expect(
            view.shown.confirmation?.text
                == "\(text) The link to hexa:uav1 is lost: it may not reach the vehicle, and only the radio does.")
    }
}
