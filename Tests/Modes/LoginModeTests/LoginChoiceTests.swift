import FlightControl
import LoginMode
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// The list marks the vehicle that the form is about: that one is logged in to.
@MainActor
@Suite("The entry that the log-in's list marks")
struct LoginChoiceTests {
    private static let hexa: VehicleProfile = {
        var profile = VehicleProfile(name: "hexa1")
        profile.host = "192.168.69.101"
        profile.user = "mrs"
        return profile
    }()

    private func marked(_ rig: LoginRig) -> LoginChoice { rig.state.choices[rig.state.chosen] }

    @Test func `an address that is typed for the built-in simulator is that of another vehicle`() async {
        let rig = await LoginRig()
        await rig.do(.choose(0), .focus(.address), .edit(.address, "10.0.0.7"))
        #expect(marked(rig) == .other)
        #expect(rig.state.form.address == "10.0.0.7" && rig.state.form.link == .automatic)
        #expect(rig.state.focus == .address)
        // Without the address it is still not the simulator.
        await rig.do(.edit(.address, ""))
        #expect(marked(rig) == .other && rig.state.form.link == .automatic)
        await rig.detach()
    }

    @Test func `so it is for the simulator of the command line`() async {
        var profile = VehicleProfile(name: "local")
        profile.link = .only(.sim)
        let rig = await LoginRig(preset: LoginPreset(profile: profile, logsInImmediately: false))
        #expect(marked(rig) == .named(profile))
        await rig.do(.edit(.vehicle, "uav4"))
        #expect(marked(rig) == .named(profile))
        await rig.do(.edit(.address, "10.0.0.7"))
        #expect(marked(rig) == .other)
        #expect(rig.state.form.address == "10.0.0.7" && rig.state.form.vehicle == "uav4")
        await rig.detach()
    }

    @Test func `a vehicle of the command line that was not named waits for Enter, and has its password file`() async {
        var profile = Self.hexa
        profile.passwordFile = "pw"
        let opener = FakeOpener(.open([.opened(.udp)], talkingLink()))
        let rig = await LoginRig(opener, preset: LoginPreset(profile: profile, logsInImmediately: false))
        #expect(marked(rig) == .named(profile) && rig.opener.requests.isEmpty)
        await rig.do(.logIn)
        #expect(rig.opener.requests.map(\.profile.passwordFile) == ["pw"])
        await rig.fleet.removeAll()
        await rig.detach()
    }

    @Test func `another link than the simulator's is another vehicle, until the link is changed back`() async {
        let rig = await LoginRig()
        await rig.do(.choose(0), .changeLink(1))
        #expect(rig.state.form.link != .only(.sim) && marked(rig) == .other)
        await rig.do(.changeLink(-1))
        #expect(rig.state.form.link == .only(.sim) && marked(rig) == .simulator)
        await rig.detach()
    }

    @Test func `a form without an address is about the vehicle on this machine, where one of that name is`() async {
        let rig = await LoginRig(here: ["uav1", "uav2"])
        await rig.do(.choose(2), .changeLink(1))
        #expect(marked(rig) == .thisMachine(vehicle: "uav1"))
        await rig.do(.choose(0), .edit(.vehicle, "uav2"))
        #expect(marked(rig) == .thisMachine(vehicle: "uav2"))
        await rig.do(.edit(.vehicle, "uav3"))
        #expect(marked(rig) == .other)
        await rig.detach()
    }

    @Test func `another vehicle needs an address, also where a vehicle is on this machine`() async throws {
        let rig = await LoginRig(FakeOpener(.open([.opened(.udp)], talkingLink())), here: ["uav1"])
        let other = try #require(rig.state.choices.firstIndex(of: .other))
        await rig.do(.choose(other))
        #expect(rig.state.advice == "uav1 is on this machine: choose it in the list")
        await rig.do(.logIn)
        #expect(rig.opener.requests.isEmpty && !rig.state.isLoggingIn)
        #expect(rig.state.problem == LoginProblem(.address, "enter the address of the vehicle's computer"))
        #expect(rig.state.focus == .address && marked(rig) == .other)
        #expect(!rig.state.help.contains("this machine"))
        // The one on this machine is an entry of its own.
        await rig.do(.choose(0), .logIn)
        #expect(rig.opener.requests.map(\.profile.host) == [nil] && rig.stage.opened == [.menu])
        await rig.fleet.removeAll()
        await rig.detach()
    }

    @Test func `the simulator needs no address, and neither does ROS, whose master may be in the environment`() async {
        let rig = await LoginRig(FakeOpener(.hang([])))
        await rig.do(.changeLink(-1), .logIn)
        #expect(rig.opener.requests.map(\.profile.link) == [.only(.sim)])
        await rig.do(.cancel, .choose(1), .changeLink(-1), .changeLink(-1))
        #expect(rig.state.form.link == .only(.ros) && marked(rig) == .other)
        await rig.do(.logIn)
        #expect(rig.opener.requests.map(\.profile.link) == [.only(.sim), .only(.ros)])
        await rig.do(.cancel)
        await rig.detach()
    }

    @Test func `a saved vehicle is marked while address, port and vehicle are its own`() async {
        let rig = await LoginRig(store: FakeStore(Self.hexa))
        for (field, text) in [(LoginField.address, "192.168.69.10"), (.port, "2222"), (.vehicle, "uav2")] {
            let own = rig.state.form.text(of: field)
            await rig.do(.edit(field, text))
            #expect(marked(rig) == .other && rig.state.form.text(of: field) == text)
            #expect(rig.state.form.user == "mrs")
            await rig.do(.edit(field, own))
            #expect(marked(rig) == .saved(Self.hexa))
        }
        await rig.do(.edit(.user, "root"), .edit(.vehicle, "1"), .changeLink(1))
        #expect(marked(rig) == .saved(Self.hexa))
        await rig.detach()
    }

    @Test func `a list that changes meanwhile marks no vehicle that the form is not about`() async {
        let rig = await LoginRig(here: ["uav1"])
        await rig.do(.edit(.address, "10.0.0.7"))
        #expect(marked(rig) == .other)
        rig.localVehicles = ["uav1", "uav2"]
        await rig.timeSource.beat(.seconds(1))
        #expect(rig.state.choices.count == 4 && marked(rig) == .other)
        await rig.do(.edit(.address, ""))
        #expect(marked(rig) == .thisMachine(vehicle: "uav1"))
        await rig.detach()
    }

    @Test func `another vehicle begins with an empty address, whatever was in the form before`() async throws {
        let rig = await LoginRig(store: FakeStore(Self.hexa))
        let saved = try #require(rig.state.choices.firstIndex(of: .saved(Self.hexa)))
        let other = try #require(rig.state.choices.firstIndex(of: .other))
        await rig.do(.choose(saved))
        #expect(rig.state.form.address == "192.168.69.101")
        await rig.do(.choose(other))
        #expect(marked(rig) == .other && rig.state.form.address.isEmpty && rig.state.form.user != "mrs")
        await rig.detach()
    }

    @Test func `the vehicle of the command line is called by its host or its name, and never by its choice of a link`()
    {
        var local = VehicleProfile(name: "local")
        #expect(LoginChoice.named(local).title == "this machine")
        local.link = .only(.sim)
        #expect(LoginChoice.named(local).title == "sim")
        #expect(LoginChoice.named(.simulated).title == "sim")
        var remote = VehicleProfile(name: "hexa1")
        remote.host = "192.168.69.101"
        #expect(LoginChoice.named(remote).title == "192.168.69.101")
    }
}
