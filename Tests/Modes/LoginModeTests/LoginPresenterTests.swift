import ModeKit
import ModeTestKit
import FlightControl
import LoginMode
import SSHTransport
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("The log-in's form")
struct LoginPresenterTests {
    private static func profile(_ name: String, host: String?) -> VehicleProfile {
        var profile = VehicleProfile(name: name)
        profile.host = host
        profile.user = "mrs"
        return profile
    }

    private static let hexa = profile("hexa1", host: "192.168.69.101")
    private static let quad = profile("quad", host: "192.168.69.102")

    @Test("with nothing configured the address has the focus and a new user is advised what to do")
    func firstRun() async {
        let rig = await LoginRig()
        #expect(rig.state.focus == .address)
        #expect(rig.state.choices == [.simulator, .other])
        #expect(rig.state.advice?.contains("uavlink sim") == true)
        await rig.detach()
    }

    @Test("a companion on this machine that appears is chosen, unless the user has begun something")
    func companionAppears() async {
        let rig = await LoginRig()
        rig.localVehicles = ["uav1"]
        await rig.timeSource.beat(.seconds(1))
        #expect(rig.state.choices == [.thisMachine(vehicle: "uav1"), .simulator, .other])
        #expect(rig.state.chosen == 0)
        #expect(rig.state.focus == .list)
        #expect(rig.state.advice == "uav1 is on this machine: press Enter to log in")
        await rig.do(.typeAddress("h"))
        rig.localVehicles = ["uav1", "uav2"]
        await rig.timeSource.beat(.seconds(1))
        #expect(rig.state.form.address == "h")
        #expect(rig.state.chosen == 3)
        #expect(rig.state.focus == .address)
        await rig.detach()
    }

    @Test("what is advised goes with what is chosen")
    func advice() async {
        let rig = await LoginRig(here: ["uav1"])
        #expect(rig.state.advice == "uav1 is on this machine: press Enter to log in")
        await rig.do(.choose(1))
        #expect(rig.state.advice?.contains("simulated vehicle") == true)
        await rig.do(.choose(2), .edit(.address, "10.0.0.7"))
        #expect(rig.state.advice == nil)
        await rig.detach()
    }

    @Test("the port takes digits only, and says so")
    func port() async {
        let rig = await LoginRig()
        await rig.do(.edit(.port, "22a"))
        #expect(rig.state.form.port == "22" && rig.state.problem?.field == .port)
        await rig.do(.edit(.port, " 2222 "))
        #expect(rig.state.form.port == "2222" && rig.state.problem == nil)
        await rig.do(.edit(.port, "٣"))
        #expect(rig.state.form.port == "2222" && rig.state.problem != nil)
        await rig.do(.edit(.port, ""))
        #expect(rig.state.form.port.isEmpty && rig.state.problem == nil)
        await rig.detach()
    }

    @Test("fields that an address makes useless say so")
    func uselessFields() async {
        let rig = await LoginRig()
        await rig.do(.edit(.address, "tello://192.168.10.1"))
        for field in [LoginField.port, .user, .password] {
            await rig.do(.focus(field))
            #expect(rig.state.help.hasPrefix("not used"), "\(field)")
        }
        await rig.do(.edit(.address, "10.0.0.7"), .focus(.port))
        #expect(rig.state.help.contains("SSH server"))
        await rig.detach()
    }

    @Test("the default of the saved vehicles is chosen, and the list fills the form")
    func savedVehicles() async {
        let rig = await LoginRig(store: FakeStore(Self.hexa, Self.quad, standard: "quad"), here: ["uav1"])
        #expect(rig.state.chosen == 1)
        #expect(rig.state.form.address == "192.168.69.102")
        #expect(rig.state.focus == .list)
        #expect(rig.state.advice == nil)
        await rig.do(.moveChoice(-1))
        #expect(rig.state.form.address == "192.168.69.101")
        await rig.do(.moveChoice(-1))
        #expect(rig.state.chosen == 0)
        await rig.do(.choose(3))
        #expect(rig.state.form.link == .only(.sim))
        await rig.detach()
    }

    @Test("a configuration that cannot be read is reported, and one can log in anyway")
    func unreadable() async {
        let link = talkingLink()
        let rig = await LoginRig(
            FakeOpener(.open([.opened(.udp)], link)),
            store: FakeStore(readFailure: LinkError(.invalidInput, "config.yaml, line 3: no")))
        #expect(rig.state.dialog?.paragraphs == ["config.yaml, line 3: no"])
        await rig.do(.cancel)
        await rig.fillIn()
        await rig.do(.logIn)
        #expect(rig.fleet.vehicles.count == 1)
        await rig.fleet.removeAll()
        await rig.detach()
    }

    @Test("what the command line named is logged in to without a key press")
    func atOnce() async {
        let link = talkingLink(.sim)
        var profile = VehicleProfile(name: "local")
        profile.link = .only(.sim)
        let rig = await LoginRig(
            FakeOpener(.open([.opened(.sim)], link)), store: FakeStore(Self.hexa),
            preset: LoginPreset(profile: profile, logsInImmediately: true))
        #expect(rig.stage.opened == [.menu])
        #expect(rig.opener.requests.first?.profile.link == .only(.sim))
        await rig.fleet.removeAll()
        await rig.detach()
    }

    @Test("what the command line named is filled in")
    func named() async {
        let rig = await LoginRig(
            store: FakeStore(Self.hexa), preset: LoginPreset(profile: Self.quad, logsInImmediately: false))
        #expect(rig.state.form.address == "192.168.69.102")
        #expect(rig.state.choices.first == .named(Self.quad))
        #expect(!rig.state.isLoggingIn)
        await rig.detach()
    }

    @Test("what the command line named stands once in the list when it is a saved one")
    func namedAndSaved() async {
        let rig = await LoginRig(
            store: FakeStore(Self.hexa, Self.quad), preset: LoginPreset(profile: Self.quad, logsInImmediately: false))
        #expect(rig.state.choices == [.saved(Self.hexa), .saved(Self.quad), .simulator, .other])
        #expect(rig.state.chosen == 1)
        #expect(rig.state.form == LoginForm(Self.quad, isSaved: true))
        await rig.detach()
    }

    @Test("a mistake puts the focus on its field and nothing is opened")
    func mistake() async {
        let rig = await LoginRig()
        await rig.fillIn()
        await rig.do(.edit(.port, "70000"), .logIn)
        #expect(rig.state.problem?.field == .port)
        #expect(rig.state.focus == .port)
        #expect(rig.opener.requests.isEmpty)
        await rig.do(.edit(.port, "7000"))
        #expect(rig.state.problem == nil)
        await rig.detach()
    }

    @Test("Tab goes through all fields and round")
    func focus() async {
        let rig = await LoginRig()
        var seen: [LoginField] = []
        await rig.do(.toggleMore)
        for _ in LoginField.allCases {
            seen.append(rig.state.focus)
            await rig.do(.moveFocus(1))
        }
        #expect(Set(seen).count == LoginField.allCases.count)
        #expect(rig.state.focus == .address)
        await rig.do(.moveFocus(-1))
        #expect(rig.state.focus == .list)
        // Hidden fields are passed by.
        await rig.do(.toggleMore, .moveFocus(-1))
        #expect(rig.state.focus == .more)
        await rig.detach()
    }

    @Test("an address that is typed is not ignored for the simulator")
    func addressOverSimulator() async {
        let rig = await LoginRig()
        await rig.do(.changeLink(-1))
        #expect(rig.state.form.link == .only(.sim))
        await rig.do(.edit(.address, "10.0.0.1"))
        #expect(rig.state.form.link == .automatic)
        await rig.detach()
    }

    @Test("the links go round")
    func links() async {
        let rig = await LoginRig()
        await rig.do(.changeLink(-1))
        #expect(rig.state.form.link == .only(.sim))
        await rig.do(.changeLink(1), .changeLink(1))
        #expect(rig.state.form.link != .automatic)
        await rig.detach()
    }

    @Test("a named vehicle is saved after the log-in, its password only when asked for", arguments: [true, false])
    func saving(_ withPassword: Bool) async {
        let store = FakeStore()
        let rig = await LoginRig(FakeOpener(.open([.opened(.udp)], talkingLink())), store: store)
        await rig.fillIn()
        await rig.do(.edit(.saveAs, "hexa9"))
        if withPassword { await rig.do(.toggleStoring) }
        await rig.do(.logIn)
        #expect(store.saved.map(\.profile.name) == ["hexa9"])
        #expect(store.saved.map(\.hasPassword) == [withPassword])
        #expect(rig.fleet.selected?.profile.name == "hexa9")
        #expect(rig.stage.notices.last?.text == "logged in to hexa9:uav1 over udp, saved as hexa9")
        await rig.fleet.removeAll()
        await rig.detach()
    }

    @Test("nothing is saved without a request, and nothing after a failure")
    func notSaving() async {
        let store = FakeStore()
        let rig = await LoginRig(
            FakeOpener(.fail([], LinkError(.unreachable, "no")), .open([.opened(.udp)], talkingLink())), store: store)
        await rig.fillIn()
        await rig.do(.edit(.saveAs, "hexa9"), .logIn)
        #expect(store.saved.isEmpty)
        await rig.do(.cancel, .edit(.saveAs, ""), .logIn)
        #expect(rig.fleet.vehicles.count == 1)
        #expect(store.saved.isEmpty && store.stored.isEmpty)
        await rig.fleet.removeAll()
        await rig.detach()
    }

    @Test("the password of a saved vehicle is stored when asked for")
    func storing() async {
        let store = FakeStore(Self.hexa)
        let rig = await LoginRig(FakeOpener(.open([.opened(.udp)], talkingLink())), store: store)
        await rig.do(.editPassword(TypedPassword("p")), .toggleStoring, .logIn)
        #expect(store.stored == ["hexa1"])
        #expect(store.saved.isEmpty)
        await rig.fleet.removeAll()
        await rig.detach()
    }

    @Test("a vehicle that cannot be saved is logged in to, and that is said")
    func savingFails() async {
        let store = FakeStore(saveFailure: LinkError(.invalidInput, "cannot write it"))
        let rig = await LoginRig(FakeOpener(.open([.opened(.udp)], talkingLink())), store: store)
        await rig.fillIn()
        await rig.do(.edit(.saveAs, "hexa9"), .logIn)
        #expect(rig.fleet.vehicles.count == 1)
        #expect(rig.stage.notices.last?.weight == .warning)
        #expect(rig.stage.notices.last?.text.contains("cannot write it") == true)
        await rig.fleet.removeAll()
        await rig.detach()
    }

    @Test("Esc goes back to the vehicles there are, and without one the form stays")
    func leaving() async {
        let rig = await LoginRig()
        await rig.fillIn()
        let form = rig.state.form
        await rig.do(.cancel)
        #expect(rig.stage.wentBack == 0)
        #expect(rig.state.form == form)
        #expect(rig.stage.notices.last?.text.contains("F10") == true)
        rig.fleet.add(profile: VehicleProfile(name: "local"), link: FakeLink())
        await rig.do(.cancel)
        #expect(rig.stage.wentBack == 1)
        await rig.detach()
    }
}
