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
                == "\(text) The link to hexa:uav1 is lost: this is sent in case it still arrives, but to be sure of a landing, "
                + "command it by the radio remote control or over another link.")
    }

    @Test func `a stop over a lost link says so at once, and in the front end's words when it is given up`()
        async throws
    {
        let link = FakeLink(.flying, kind: .udp, clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        link.setQuality(LinkQuality(isConnected: false))
        link.always(.silence)
        workspace.presenter.refresh()
        workspace.presenter.handle(.hover)
        #expect(view.shown.notice?.weight == .warning)
        #expect(
            view.shown.notice?.text
                == "hexa:uav1: link lost; hover is sent again while the link is tried, 15 s at most, and not to a companion "
                + "that has ended or starts anew: look for the answer, else give it again. "
                + "Meanwhile its companion stops what was steered; a goto, a trajectory or a landing goes on")
        await settle()
        // It is waited for longer than a notice is shown.
        timeSource.fake.advance(by: .seconds(9))
        workspace.presenter.refresh()
        #expect(view.shown.notice == nil && view.shown.activity == "hover: waiting for the answer")
        #expect(await timeSource.fake.run { view.shown.notice?.weight == .error })
        let text = try #require(view.shown.notice?.text)
        #expect(
            text.hasSuffix(
                "; give it again when the link is restored; link lost: it is tried again by itself; "
                    + "until then only the radio reaches the vehicle"), "\(text)")
        workspace.presenter.refresh()
        #expect(view.shown.activity == nil)
    }

    @Test func `a stop that is not answered over a link that works names no subcommand`() async throws {
        let link = try await connected(.flying)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        link.script(.fail(LinkError(.timedOut, "no answer in time", hint: "see 'uavlink status'")))
        workspace.presenter.handle(.hover)
        #expect(view.shown.notice?.text == "hover ...")
        await settle()
        #expect(
            view.shown.notice?.text
                == "hexa:uav1: hover: no answer in time; it may not have been executed: look at what the vehicle does, and "
                + "give it again")
    }
}
