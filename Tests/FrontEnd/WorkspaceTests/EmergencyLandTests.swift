import FlightControl
import ModeKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess
@testable import Workspace

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
                == "\(text) The link to hexa:uav1 is lost: this may not be sent or not arrive; to be sure of a landing, "
                + "command it by the radio remote control or over another link.")
    }

    @Test func `it is not asked whether a machine shall fall whose motors are cut; in doubt it is`() async throws {
        var flying = FakeVehicle()
        for command in [Command.arm(true), .enableOutput(true), .offboard, .takeoff] { _ = flying.handle(command) }
        let link = try await connected(flying)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        _ = try await link.perform(.emergencyLand, within: .seconds(1))
        var telemetry = try #require(link.latestTelemetry)
        let status = FlightStatus(
            state: .emergency, isArmed: false, isOffboard: true, isOutputEnabled: true, isFlyingNormally: false)
        telemetry.flight = Sample(status, at: timeSource.fake.now)
        link.setVehicleSilent(true)
        link.publish(telemetry)
        workspace.presenter.handle(.emergencyLand)
        #expect(view.shown.confirmation?.question == .emergencyLand)
        workspace.presenter.handle(.decline)
        link.vehicleCapabilities.takeOffClearsEmergency = true
        workspace.presenter.handle(.emergencyLand)
        #expect(view.shown.confirmation == nil)
        #expect(view.shown.notice?.text == "hexa:uav1: its motors are cut already")
        await timeSource.beat(.seconds(3))
        workspace.presenter.handle(.emergencyLand)
        #expect(view.shown.confirmation?.question == .emergencyLand)
    }

    @Test func `where the motors stop, the title, the text and the answers say so`() async throws {
        let link = try await connected(.flying)
        link.vehicleCapabilities = Self.falling
        fleet.add(profile: VehicleProfile(name: "tello"), link: link)
        let workspace = build()
        workspace.presenter.handle(.emergencyLand)
        let asked = try #require(view.shown.confirmation)
        #expect(asked.title == "Stop the motors?" && asked.action == "stop the motors")
        #expect(asked.text == "The motors of tello:uav1 stop at once: it FALLS. F7 only hovers.")
        #expect(asked.otherwise == "keep flying")
        #expect(asked.answers.help.contains { $0.action == "keep flying" }, "\(asked.answers.help)")
        workspace.presenter.handle(.decline)
        // Together with one that descends, nobody is promised a landing only.
        let other = try await connected(.flying)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: other)
        fleet.commandsAll = true
        workspace.presenter.handle(.emergencyLand)
        let both = try #require(view.shown.confirmation)
        #expect(both.title == "Land, and stop motors?" && both.action == "land, and stop motors")
        #expect(both.text.contains("hexa:uav1 lands immediately") && both.text.contains("tello:uav1 stop at once"))
    }

    @Test func `a machine without an emergency landing is not asked about, and its keys do not name it`() async throws {
        let link = try await connected()
        var rover = Self.falling
        (rover.machine, rover.commands, rover.emergencyStopsMotors) = ("rover", [.hover], false)
        link.vehicleCapabilities = rover
        fleet.add(profile: VehicleProfile(name: "rover"), link: link)
        let workspace = build()
        workspace.presenter.handle(.emergencyLand)
        #expect(view.shown.confirmation == nil)
        #expect(view.shown.notice?.text == "rover has no emergency landing; F7 stops")
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.hasEmergency == false)
        let line = KeyLine(
            overlay: .none, screen: [], isAsking: false, takesText: false, state: view.shown, further: FurtherKeys())
        #expect(line.keys.contains { $0.keys == "F7" } && !line.keys.contains { $0.keys == "F8" })
        #expect(!HelpOverlay.everywhere(vehicle: view.shown.vehicle, isShell: false).contains { $0.keys == "F8" })
        await settle()
        #expect(link.asked.isEmpty)
    }

    @Test func `a machine without arming is not said to be armed before a take-off`() async throws {
        let link = try await connected()
        link.vehicleCapabilities = Self.falling
        fleet.add(profile: VehicleProfile(name: "tello"), link: link)
        let workspace = build()
        #expect(await hears(link) { $0.flight?.value.state == .disarmed })
        workspace.presenter.handle(.fly(.takeOff))
        #expect(view.shown.confirmation?.title == "Take off with tello:uav1?")
    }

    /// As a Tello: its motors stop, it is not armed by a command, and it flies relative to its body only.
    static let falling: VehicleCapabilities = {
        var falling = VehicleCapabilities(
            machine: "drone", commands: [.takeoff, .land, .hover, .emergencyLand, .goTo, .turn], destinations: .body,
            steering: .init(axes: .all, frames: .body), telemetry: [.height, .flight, .battery])
        falling.emergencyStopsMotors = true
        return falling
    }()

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

    @Test func `over a machine's lost link nothing is said to take 15 s that is refused at once`() async throws {
        let link = FakeLink(.flying, kind: .direct, clock: timeSource.fake)
        link.vehicleCapabilities = Self.falling
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "tello"), link: link)
        let workspace = build()
        link.setQuality(LinkQuality(isConnected: false))
        link.always(.fail(LinkError(.notConnected, "nothing is heard of it")))
        workspace.presenter.refresh()
        workspace.presenter.handle(.emergencyLand)
        workspace.presenter.handle(.confirm)
        let said = try #require(view.shown.notice?.text)
        #expect(
            said.contains(
                "link lost; emergency stop of the motors is given to the link at once: its answer, or that it was not sent, "
                    + "comes within 15 s"), "\(said)")
        let begun = timeSource.clock.now
        await settle()
        #expect(timeSource.clock.now == begun)
        #expect(view.shown.notice?.text.contains("emergency stop of the motors was not sent: link lost") == true)
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

    @Test func `what is driven by text is stopped by F7: the frame calls it as the screen does`() async throws {
        let link = try await connected()
        var robot = Self.falling
        (robot.machine, robot.commands, robot.isDrivenByText) = ("robot", [.hover], true)
        link.vehicleCapabilities = robot
        fleet.add(profile: VehicleProfile(name: "robot"), link: link)
        let workspace = build()
        workspace.presenter.refresh()
        let line = KeyLine(
            overlay: .none, screen: [], isAsking: false, takesText: false, state: view.shown, further: FurtherKeys())
        #expect(line.keys.first == KeyHelp("F7", "stop"))
        let help = HelpOverlay.everywhere(vehicle: view.shown.vehicle, isShell: false)
        #expect(help.first == KeyHelp("F7, Space", "stop (Space except in text fields)"))
        workspace.presenter.handle(.hover)
        #expect(await becomesTrue { view.shown.notice?.text.hasPrefix("robot:uav1: stop accepted in ") == true })
    }
}
