import LoginMode
import Testing
import UAVLink
import VehicleAccess

@Suite("What the log-in's fields take")
struct LoginFormTests {
    private func request(
        knownNames: [String] = [], _ change: (inout LoginForm) -> Void
    ) -> Result<LoginRequest, LoginProblem> {
        var form = LoginForm()
        change(&form)
        let filled = form
        return Result { () throws(LoginProblem) in try filled.request(knownNames: knownNames) }
    }

    private func profile(_ change: (inout LoginForm) -> Void) -> VehicleProfile? {
        try? request(change).get().profile
    }

    private func problem(knownNames: [String] = [], _ change: (inout LoginForm) -> Void) -> LoginField? {
        guard case .failure(let problem) = request(knownNames: knownNames, change) else { return nil }
        #expect(!problem.what.isEmpty)
        return problem.field
    }

    @Test("an empty form means the companion on this machine")
    func empty() {
        let profile = profile { _ in }
        #expect(profile?.isLocal == true)
        #expect(profile?.name == "local")
        #expect(profile?.vehicle == "uav1")
        #expect(profile?.port == 22)
    }

    @Test("the address of a machine is one of its own protocol, and leads to no host")
    func machine() {
        let profile = profile { $0.address = "tello://192.168.10.1" }
        #expect(profile?.link.machine?.text == "tello://192.168.10.1")
        #expect(profile?.host == nil && profile?.vehicle == "tello" && profile?.name == "local")
        #expect(problem { $0.address = "mavic://192.168.10.1" } == .address)
        #expect(problem { $0.address = "tello://" } == .address)
    }

    @Test(
        "what only a log-in over SSH uses does not hold up another one",
        arguments: ["tello://192.168.10.1", "ardrone://192.168.1.1", "bluno:///dev/ttyACM0"])
    func withoutSSH(_ address: String) {
        let profile = profile {
            $0.address = address
            $0.port = "70000"
            $0.user = "two words"
            $0.vehicle = ""
        }
        #expect(profile?.link.machine?.text == address && profile?.port == 22 && profile?.user == nil)
        #expect(profile?.vehicle == profile?.link.machine?.kind.rawValue)
        let simulated = self.profile {
            $0.link = .only(.sim)
            $0.port = ""
            $0.user = "two words"
        }
        #expect(simulated?.link == .only(.sim) && simulated?.user == nil)
        #expect(problem { $0.port = "70000" } == .port)
    }

    @Test(
        "a number is the number of a vehicle",
        arguments: [
            ("1", "uav1"), (" 12 ", "uav12"), ("uav7", "uav7"), ("hexa_b", "hexa_b"), ("007", "uav7"),
        ])
    func numbers(_ typed: String, _ name: String) {
        #expect(profile { $0.vehicle = typed }?.vehicle == name)
    }

    @Test("wrong vehicles are named", arguments: ["", " ", "1a", "uav 1", "ü1", "99999", "-1", "uav1; reboot"])
    func vehicles(_ typed: String) { #expect(problem { $0.vehicle = typed } == .vehicle) }

    @Test(
        "addresses",
        arguments: [
            ("10.0.0.1", "10.0.0.1"), (" uav.local ", "uav.local"), ("fe80::1", "fe80::1"), ("[fe80::1]", "fe80::1"),
        ])
    func addresses(_ typed: String, _ host: String) { #expect(profile { $0.address = typed }?.host == host) }

    @Test(
        "wrong addresses are named",
        arguments: [
            "a b", "mrs@10.0.0.1", "http://h", "-oProxyCommand=x", "h\u{1B}", "10.0.0.1:22", "[::1]:22",
            String(repeating: "a", count: 256),
        ])
    func wrongAddresses(_ typed: String) { #expect(problem { $0.address = typed } == .address) }

    @Test("ports at their limits", arguments: [("1", 1), ("65535", 65_535), ("", 22), (" 2222", 2222)])
    func ports(_ typed: String, _ port: Int) { #expect(profile { $0.port = typed }?.port == port) }

    @Test("wrong ports are named", arguments: ["0", "65536", "-1", "22a", "99999999999999999999", "٣"])
    func wrongPorts(_ typed: String) { #expect(problem { $0.port = typed } == .port) }

    @Test("a user with a space is none, and none is whoever runs the program")
    func users() {
        #expect(problem { $0.user = "a b" } == .user)
        #expect(profile { $0.user = " mrs " }?.user == "mrs")
        #expect(profile { $0.user = "" }.map { $0.user == nil } == true)
    }

    @Test("the ssh link needs an address, the sim link none")
    func links() {
        #expect(problem { $0.link = .only(.ssh) } == .address)
        #expect(problem { $0.link = .only(.sshShell) } == .address)
        #expect(profile { $0.link = .only(.sim) }?.name == "sim")
    }

    @Test("the simulator in this program is on no host, whatever entry it was chosen from")
    func simulatorOfAnEntry() throws {
        var saved = VehicleProfile(name: "hexa1")
        (saved.host, saved.user) = ("192.168.69.101", "mrs")
        var form = LoginForm(saved, isSaved: true)
        #expect(try form.request(knownNames: ["hexa1"]).profile.host == "192.168.69.101")
        form.link = .only(.sim)
        let simulated = try form.request(knownNames: ["hexa1"]).profile
        #expect(simulated.host == nil && simulated.isSimulatedOnly)
    }

    @Test("the link ros goes to the master at the address")
    func master() {
        let profile = profile {
            $0.link = .only(.ros)
            $0.address = "fe80::1"
        }
        #expect(profile?.rosMaster == "http://[fe80::1]:11311")
    }

    @Test("names to save by", arguments: ["a b", "../x", ".hidden", "-x", "a/b", "known"])
    func names(_ name: String) { #expect(problem(knownNames: ["known"]) { $0.saveAs = name } == .saveAs) }

    @Test("a password is stored with a vehicle that has a name, and only when there is one")
    func storing() throws {
        #expect(problem { $0.storesPassword = true } == .password)
        #expect(
            problem {
                $0.storesPassword = true
                $0.password = TypedPassword("p")
            } == .saveAs)
        let request = try request {
            $0.storesPassword = true
            $0.password = TypedPassword("p")
            $0.saveAs = "x"
        }.get()
        #expect(request.saving == .vehicle(withPassword: true))
    }

    @Test("a stored password goes only to the vehicle that it was stored for")
    func storedPassword() throws {
        var saved = VehicleProfile(name: "hexa")
        saved.host = "h"
        saved.user = "u"
        saved.setup = "source x"
        saved.passwordFile = "/p"
        let form = LoginForm(saved, isSaved: true)
        #expect(form.usesStoredPassword)
        let same = try form.request(knownNames: ["hexa"])
        #expect(same.profile == saved)
        #expect(same.saving == .nothing)
        for (field, text) in [(LoginField.address, "other"), (.user, "other"), (.port, "2222")] {
            var changed = form
            changed.set(field, to: text)
            let profile = try changed.request(knownNames: ["hexa"]).profile
            #expect(profile.passwordFile == nil)
            #expect(profile.setup == "source x")
            #expect(profile.name != "hexa")
            #expect(!changed.usesStoredPassword)
        }
    }

    @Test("the password is in no description")
    func secrecy() {
        var form = LoginForm()
        form.password = TypedPassword("hunter2")
        var state = LoginScreenState()
        state.form = form
        var dumped = ""
        dump(state, to: &dumped)
        let texts = [
            "\(form)", "\(state)", String(reflecting: state), dumped,
            "\(LoginIntent.editPassword(form.password))", String(reflecting: LoginIntent.editPassword(form.password)),
        ]
        for text in texts { #expect(!text.contains("hunter2")) }
    }

    @Test("key files, set-up line and companion come from the profile, and go into it")
    func further() {
        var known = VehicleProfile(name: "hexa1")
        known.identities = ["~/.ssh/a", "~/.ssh/b"]
        known.setup = "source setup.bash"
        known.companion = "/opt/uavlink-companion"
        let form = LoginForm(known, isSaved: true)
        #expect(form.identity == "~/.ssh/a, ~/.ssh/b" && !form.showsMore)
        #expect((try? form.request(knownNames: []).profile) == known)
        let typed = profile {
            $0.address = "10.0.0.1"
            $0.identity = " ~/key ,, ~/other"
            $0.setup = " . ~/.profile "
            $0.companion = " "
        }
        #expect(typed?.identities == ["~/key", "~/other"] && typed?.setup == ". ~/.profile")
        #expect(typed?.companion == VehicleProfile.usualCompanion)
        #expect(problem { $0.setup = "a\nb" } == .setup)
        #expect(problem { $0.identity = "a\u{1B}" } == .identity)
    }
}
