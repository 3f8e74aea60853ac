import FlightControl
import FlightRecorder
import IntegrationKit
import ModeKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess
@testable import Workspace

/// The keys that concern all vehicles where there are none or one, and what a question before an emergency landing says of afterwards.
extension WorkspaceTests {
    @Test func `without a vehicle F5 and F6 say so as the other keys do, and with one that there is no other`()
        async throws
    {
        let workspace = build()
        workspace.stage.open(.menu)
        for intent in [WorkspaceIntent.commandAll, .nextVehicle, .takeCommand, .emergencyLand] {
            workspace.presenter.handle(intent)
            #expect(view.shown.notice?.text == "no vehicle is logged in", "\(intent)")
        }
        fleet.add(profile: VehicleProfile(name: "a"), link: try await connected())
        for intent in [WorkspaceIntent.commandAll, .nextVehicle] {
            workspace.presenter.handle(intent)
            #expect(view.shown.notice?.text == "only one vehicle; press n in the menu to log in to another")
        }
        #expect(log.stops.isEmpty)
    }

    @Test func `hover and emergency are not offered while the motors are off, and again once they may not be`()
        async throws
    {
        let link = try await connected()
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        #expect(await hears(link) { $0.flight?.value.state == .disarmed })
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.hasNothingToStop == true)
        let screen = WorkspaceScreen { _ in }
        screen.show(view.shown)
        #expect(!screen.keys.contains { $0.keys == "F7" || $0.keys == "F8" })
        // A take-off that has begun may have started the motors.
        fleet.beginCommand()
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.hasNothingToStop == false)
        screen.show(view.shown)
        #expect(screen.keys.first?.keys == "F7")
    }

    @Test func `the question before an emergency landing says that the vehicle does not fly after it`() async throws {
        let link = try await connected(.flying)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.emergencyLand)
        let words =
            "After that it does not fly again until its flight stack is restarted: the control output stays off."
        #expect(view.shown.confirmation?.text.contains(words) == true)
        workspace.presenter.handle(.decline)
        // A machine without a control output to be switched on has none that stays off.
        link.vehicleCapabilities.commands.remove(.enableOutput)
        workspace.presenter.handle(.emergencyLand)
        #expect(view.shown.confirmation?.text.contains("stays off") == false)
    }

    @Test func `the question before a clearing of an emergency is answered with no take-off`() async throws {
        let link = try await connected(.flying)
        link.vehicleCapabilities.takeOffClearsEmergency = true
        fleet.add(profile: VehicleProfile(name: "drone"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        _ = try await link.perform(.emergencyLand, within: .seconds(1))
        #expect(await hears(link) { $0.flight?.value.state == .emergency })
        link.always(.reply(CommandReply(accepted: false, message: "the emergency is cleared")))
        workspace.presenter.handle(.fly(.takeOff))
        workspace.presenter.handle(.confirm)
        #expect(await timeSource.fake.run { view.shown.notice?.weight == .success })
        #expect(view.shown.notice?.text.hasPrefix("drone:uav1: emergency cleared: ") == true)
        #expect(link.commands == [.emergencyLand, .takeoff])
    }

    @Test func `quitting while a recording runs asks, as a log-out does`() async throws {
        let folder = try TemporaryFolder()
        let recordings = Recordings(path: nil, clock: timeSource.fake)
        let profile = VehicleProfile(name: "hexa")
        fleet.add(profile: profile, link: try recordings.around(try await connected(), vehicle: profile.vehicle))
        let builder = WorkspaceBuilder(
            .init(fleet: fleet, timeSource: timeSource, recordings: recordings) { mode, _ in
                ModeInstance(mode, view: PlainView(), onStop: { _ in }, onDetach: {})
            })
        let workspace = builder.build { _ in view }
        workspace.presenter.handle(.record(folder.file("f.bag")))
        workspace.presenter.handle(.quit)
        #expect(!view.hasEnded && view.shown.confirmation?.question == .quit)
        #expect(
            view.shown.confirmation?.text
                == "Ends when you quit: the recording of hexa:uav1 to \(folder.file("f.bag")).")
        workspace.presenter.handle(.decline)
        workspace.presenter.handle(.stopRecording)
        #expect(await timeSource.fake.run { view.shown.notice?.text.contains("messages in") == true })
        workspace.presenter.handle(.quit)
        #expect(view.hasEnded)
    }

    @Test func `who quits over a lost link is told only what the vehicle did when it was last heard`() async throws {
        let link = FakeLink(.flying, kind: .udp, clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        #expect(await hears(link) { $0.flight?.value.state == .flying })
        link.setQuality(LinkQuality(isConnected: false))
        let workspace = build()
        workspace.stage.quit()
        #expect(
            view.shown.confirmation?.text == "hexa:uav1: in the air when the link was lost; nothing reaches it now.")
    }

    @Test func `a goto that the machine has not stays in the palette, with the reason`() async throws {
        let link = try await connected(.flying)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        link.vehicleCapabilities.destinations = [.body]
        let goal = GoalInput(reference: .frame(.latitudeLongitude), position: Vector3(x: 47, y: 8, z: 400))
        for number in 1...2 {
            workspace.presenter.handle(.fly(.goTo(goal)))
            #expect(view.shown.refusedLine?.number == number && view.shown.refusedLine?.text == nil)
            #expect(view.shown.refusedLine?.reason.isEmpty == false)
        }
        #expect(link.commands.isEmpty)
    }
}
