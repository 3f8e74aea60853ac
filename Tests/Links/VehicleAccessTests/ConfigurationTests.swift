import Testing
import UAVLink
import VehicleAccess

@Suite struct ConfigurationTests {
    private func read(_ text: String) throws(LinkError) -> Configuration {
        try Configuration(bytes: Array(text.utf8), source: "config.yaml")
    }

    @Test func `a full profile is read`() throws {
        let configuration = try read(
            """
            default: hexa1
            vehicles:
              hexa1:
                host: 192.168.69.101
                port: 2222
                user: mrs
                uav: uav7
                link: tcp
                setup: source ~/workspace/devel/setup.bash
                companion: /opt/uavlink/bin/uavlink-companion
                bind: 192.168.69.101
                identity: [~/.ssh/a, ~/.ssh/b]
                known-hosts: /etc/hosts-we-know
                ros-master: http://uav7:11311
                world: ~/fields/kn.yaml
                rates: {hw_api/gnss: 5, estimation_manager/odom_main: 99.5}
              other:
            """)
        let profile = try configuration.profile(named: nil)
        #expect(profile.name == "hexa1")
        #expect(profile.host == "192.168.69.101")
        #expect(profile.port == 2222)
        #expect(profile.user == "mrs")
        #expect(profile.vehicle == "uav7")
        #expect(profile.link == .only(.tcp))
        #expect(profile.setup == "source ~/workspace/devel/setup.bash")
        #expect(profile.companion == "/opt/uavlink/bin/uavlink-companion")
        #expect(profile.bindAddress == "192.168.69.101")
        #expect(profile.identities == ["~/.ssh/a", "~/.ssh/b"])
        #expect(profile.knownHosts == "/etc/hosts-we-know")
        #expect(profile.rosMaster == "http://uav7:11311")
        #expect(profile.world == "~/fields/kn.yaml")
        #expect(profile.rates == ["hw_api/gnss": 5, "estimation_manager/odom_main": 99.5])
        #expect(try configuration.profile(named: "other") == VehicleProfile(name: "other"))
    }

    @Test func `an empty variable counts as none`() {
        let file = ConfigurationFile(
            path: nil, environment: ["UAVLINK_CONFIG": "", "XDG_CONFIG_HOME": "", "HOME": "/nowhere"])
        #expect(file.path == "/nowhere/.config/uavlink/config.yaml")
        #expect((try? file.read()) == Configuration())
    }

    @Test func `the front end's theme, bell and keys are read`() throws {
        #expect(try read("").frontEnd == FrontEndPreferences())
        let preferences = try read(
            "front-end: {theme: light, ascii: true, bell: false, keys: {hover: Ctrl-O, quit: F4}}\nvehicles: {}"
        ).frontEnd
        #expect(preferences.theme == "light" && preferences.isASCII == true && !preferences.hasBell)
        #expect(preferences.keys == ["hover": "Ctrl-O", "quit": "F4"])
    }

    @Test(arguments: [
        ("front-end: {theme: blue}", "one of dark, light, high-contrast, none"), ("front-end: {colour: no}", "colour"),
        ("front-end: {keys: {fly: F3}}", "fly"), ("front-end: {bell: perhaps}", "perhaps"),
        ("front-end: [a]", "expected keys and values"),
    ])
    func `what the front end does not have is refused`(_ text: String, _ expected: String) {
        let error = #expect(throws: LinkError.self) { try read(text) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test func `with nothing at all the companion on this machine is meant`() throws {
        #expect(try read("").profile(named: nil).isLocal)
    }

    @Test func `an unknown vehicle is answered with the known ones, sim among them`() {
        let error = #expect(throws: LinkError.self) {
            try read("vehicles: {hexa1: {host: h}}").profile(named: "simm")
        }
        #expect(error?.hint == "known vehicles: hexa1, and sim")
    }

    @Test func `sim is the simulated vehicle on this machine, whatever is configured`() throws {
        let file = "default: hexa1\nvehicles: {hexa1: {host: h, uav: uav7}}"
        let profile = try read(file).profile(named: "sim")
        #expect(profile == .simulated && profile.isLocal && profile.isSimulatedOnly)
        #expect(profile.target == "uav1 (simulated)")
        #expect(try read(file).profile(named: nil).target == "uav7 on hexa1")
        let error = #expect(throws: LinkError.self) { try read("vehicles: {sim: {host: h}}").profile(named: "sim") }
        #expect(error?.description.contains("rename it") == true)
    }

    @Test func `local is the companion on this machine, whatever the default is`() throws {
        let profile = try read("default: hexa1\nvehicles: {hexa1: {host: h, uav: uav7}}").profile(named: "local")
        #expect(profile.isLocal && !profile.isSimulatedOnly && profile.candidates.isEmpty)
        #expect(profile.target == "uav1 on this machine" && profile.link == .automatic)
        // One that has been configured under that name is meant as before.
        #expect(try read("vehicles: {local: {host: h}}").profile(named: "local").host == "h")
    }

    /// ROS_MASTER_URI may name a real vehicle's master.
    @Test(arguments: [LinkKind.ros, .ssh, .sshShell]) func `the vehicle named sim is flown over no link to another`(
        kind: LinkKind
    ) {
        let connector = VehicleConnector(
            profile: .simulated, credentials: Credentials(), environment: ["ROS_MASTER_URI": "http://192.0.2.1:11311"])
        let error = #expect(throws: LinkError.self) { _ = try connector.make(kind) }
        #expect(error?.description.contains("does not lead to the simulated vehicle") == true, "\(error as Any)")
    }

    @Test func `the only vehicle need not be named`() throws {
        #expect(try read("vehicles: {only: {host: h}}").profile(named: nil).name == "only")
    }

    @Test(arguments: [VehicleProfile.LinkChoice.automatic, .only(.udp), .only(.ssh)])
    func `of several vehicles none is guessed, and the companion on this machine is not taken for one`(
        link: VehicleProfile.LinkChoice
    ) async throws {
        let file = "vehicles: {a: {host: h}, b: {host: i}}"
        var profile = try read(file).profile(named: nil)
        profile.link = link
        let connector = VehicleConnector(profile: profile, credentials: Credentials(), environment: [:])
        let error = await #expect(throws: LinkError.self) { _ = try await connector.connect(within: .seconds(5)) }
        #expect(error?.code == .invalidInput)
        #expect(error?.what == "no vehicle is selected, and the configuration has several: a, b", "\(error as Any)")
        #expect(error?.hint.contains("--vehicle") == true)
        // What needs no vehicle of the configuration works.
        #expect(throws: Never.self) { _ = try connector.make(.sim) }
        #expect(try read("default: b\n" + file).profile(named: nil).candidates == [])
    }

    @Test(arguments: [
        ("vehicles: {a: {hots: b}}", ["config.yaml", "line 1", "hots", "host"]),
        ("vehicles:\n  a:\n    port: 70000", ["config.yaml", "line 3", "70000", "65535"]),
        ("vehicles: {a: {uav: 'u; rm'}}", ["config.yaml", "u; rm", "uav1"]),
        ("vehicles: {a: {bind: uav1}}", ["config.yaml", "uav1", "IP address"]),
        ("vehicles: {a: {bind: '1.2.3.4; rm'}}", ["config.yaml", "1.2.3.4; rm"]),
        ("vehicles: {a: {link: wifi}}", ["config.yaml", "wifi", "udp"]),
        ("default: b\nvehicles: {a: {}}", ["config.yaml", "line 1", "b"]),
        ("vehicles: [1]", ["config.yaml", "a list of 1"]),
        ("vehicles: {a: {host: 'a b'}}", ["config.yaml", "a b"]),
        ("vehicles: {a: {rates: {hw_api/gns: 5}}}", ["config.yaml", "hw_api/gns", "did you mean 'hw_api/gnss'?"]),
        ("vehicles: {a: {rates: {hw_api/gnss: 0}}}", ["config.yaml", "0.01 to 10000"]),
        ("vehicles: {a: {rates: {hw_api/gnss: .inf}}}", ["config.yaml"]),
        ("vehicles: {a: {rates: {hw_api/gnss: fast}}}", ["config.yaml", "fast", "a number"]),
        ("vehicles: {a: {rates: 5}}", ["config.yaml", "5"]),
        ("vehicles: {a: ", ["config.yaml"]),
    ]) func `a mistake is named with its place`(text: String, expected: [String]) {
        #expect { try read(text) } throws: { error in
            guard let error = error as? LinkError, error.code == .invalidInput else { return false }
            return expected.allSatisfy(error.description.contains)
        }
    }

    @Test func `an unknown vehicle is refused and the known ones are named`() throws {
        let configuration = try read("vehicles: {a: {}, b: {}}")
        #expect { try configuration.profile(named: "c") } throws: { error in "\(error)".contains("a, b") }
    }
}
