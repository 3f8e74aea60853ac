import FlightControl
import LoginMode
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

    @Test func `another link than the simulator's is another vehicle, until the link is changed back`() async {
        let rig = await LoginRig(here: ["uav1"])
        await rig.do(.choose(1), .changeLink(1))
        #expect(rig.state.form.link != .only(.sim) && marked(rig) == .other)
        await rig.do(.changeLink(-1))
        #expect(rig.state.form.link == .only(.sim) && marked(rig) == .simulator)
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
