import Testing
import UAVLink

@testable import VehicleAccess

/// The addresses of machines with their own protocol, in the place of a link.
@Suite struct MachineAddressTests {
    @Test(arguments: [
        ("tello://192.168.10.1", "192.168.10.1", UInt16?.none), ("tello://drone.local:8889", "drone.local", 8889),
        ("tello://localhost:1", "localhost", 1), ("tello://a-b:65535", "a-b", 65535),
    ])
    func `an address is read, and written as it was`(_ text: String, _ host: String, _ port: UInt16?) throws {
        let address = try #require(MachineAddress(text))
        #expect(address.kind == .tello && address.host == host && address.port == port)
        #expect(address.text == text)
        #expect(VehicleProfile.LinkChoice(word: text) == .machine(address))
        #expect(VehicleProfile.LinkChoice.machine(address).word == text)
    }

    @Test func `an AR.Drone has an address too, and its connector makes its link`() throws {
        let address = try #require(MachineAddress("ardrone://192.168.1.1"))
        #expect(address.kind == .ardrone && address.host == "192.168.1.1" && address.port == nil)
        let connector = VehicleConnector(
            profile: VehicleProfile(machine: address), credentials: Credentials(), environment: [:])
        let link = try connector.make(.direct)
        #expect(link.kind == .direct && link.vehicleCapabilities.machine == "AR.Drone")
    }

    @Test(arguments: [
        "tello", "tello:", "tello://", "tello:///", "tello://:8889", "tello://a:0", "tello://a:65536", "tello://a:-1",
        "tello://a:1:2", "tello://a/b", "tello://a b", "tello://user@a", "tello://-a", "tello://.a", "tello://[::1]",
        "TELLO://a", "mavic://a", "tello://a\n", "tello://\u{1B}[2J", " tello://a",
    ])
    func `anything else is none`(_ text: String) {
        #expect(MachineAddress(text) == nil)
        #expect(VehicleProfile.LinkChoice(word: text) == nil)
    }

    @Test(arguments: ["/dev/ttyACM0", "/dev/pts/5", "/dev/serial/by-id/usb-Bluno_1.0-if00", "/tmp/robot"])
    func `a board is reached by the path of its port`(_ path: String) throws {
        let address = try #require(MachineAddress("bluno://" + path))
        #expect(address.kind == .bluno && address.host == path && address.port == nil)
        #expect(address.text == "bluno://" + path)
        let connector = VehicleConnector(
            profile: VehicleProfile(machine: address), credentials: Credentials(), environment: [:])
        #expect(try connector.make(.direct).vehicleCapabilities.machine == "Bluno robot")
    }

    @Test(arguments: [("aa:bb:cc:dd:ee:0f", "AA:BB:CC:DD:EE:0F"), ("AA:BB:CC:DD:EE:FF", "AA:BB:CC:DD:EE:FF")])
    func `a board is reached by its Bluetooth address, or by the only one in range`(
        _ written: String, _ address: String
    ) throws {
        let read = try #require(MachineAddress("bluno://" + written))
        #expect(read.board == .bluetooth(address) && read.text == "bluno://" + address)
        #expect(MachineAddress("bluno://scan")?.board == .bluetooth(nil))
        #expect(MachineAddress("bluno:///dev/scan")?.board == .port("/dev/scan"))
        #expect(MachineAddress("tello://192.168.10.1")?.board == nil)
        let connector = VehicleConnector(
            profile: VehicleProfile(machine: read), credentials: Credentials(), environment: [:])
        #expect(try connector.make(.direct).capabilities.robot?.radio != nil)
    }

    @Test(arguments: [
        "bluno:", "bluno://", "bluno:///", "bluno://ttyACM0", "bluno:///dev/", "bluno:///dev//tty",
        "bluno:///dev/../etc",
        "bluno:///dev/.x", "bluno:///dev/tty:1", "bluno:///dev/t y", "bluno:///dev/tty\n", "bluno://AA:BB:CC:DD:EE",
        "bluno://AA:BB:CC:DD:EE:FF:00", "bluno://AA:BB:CC:DD:EE:FG", "bluno://AA:BB:CC:DD:EE:F",
        "bluno://AA-BB-CC-DD-EE-FF",
        "bluno://Scan",
    ])
    func `no other path is one`(_ text: String) { #expect(MachineAddress(text) == nil) }

    @Test func `the longest host is read, and no longer one`() {
        #expect(MachineAddress("bluno:///" + String(repeating: "a", count: 254)) != nil)
        #expect(MachineAddress("bluno:///" + String(repeating: "a", count: 255)) == nil)
        #expect(MachineAddress("tello://" + String(repeating: "a", count: 255)) != nil)
        #expect(MachineAddress("tello://" + String(repeating: "a", count: 256)) == nil)
    }

    @Test func `the link to a machine has no name of its own`() {
        #expect(VehicleProfile.LinkChoice(word: "direct") == nil)
        #expect(VehicleProfile.LinkChoice(word: "ssh-shell") == .only(.sshShell))
        #expect(!VehicleProfile.LinkChoice.words.contains("direct"))
    }

    @Test func `a profile names a machine by its link`() throws {
        let text = "vehicles:\n  small: {link: 'tello://192.168.10.1'}\n  other: {link: 'tello://drone', uav: t7}\n"
        let configuration = try Configuration(bytes: Array(text.utf8), source: "config.yaml")
        let small = try configuration.profile(named: "small")
        #expect(small.vehicle == "tello" && small.host == nil && small.isLocal)
        #expect(small.target == "tello at tello://192.168.10.1")
        #expect(try configuration.profile(named: "other").vehicle == "t7")
        let both = "vehicles:\n  small: {host: 192.168.10.1, link: 'tello://192.168.10.1'}\n"
        let error = #expect(throws: LinkError.self) {
            try Configuration(bytes: Array(both.utf8), source: "config.yaml")
        }
        #expect(error?.code == .invalidInput)
    }

    @Test func `an address leads to its machine, whatever vehicle the profile is of`() throws {
        let address = try #require(MachineAddress("tello://192.168.10.1"))
        var profile = VehicleProfile(name: "hexa1")
        (profile.host, profile.vehicle, profile.user) = ("192.168.69.101", "uav7", "mrs")
        profile.use(.machine(address))
        #expect(profile == VehicleProfile(machine: address))
        #expect(profile.host == nil && profile.vehicle == "tello")
        // The machine of the profile keeps its name.
        var own = VehicleProfile(name: "small", machine: address)
        own.vehicle = "t7"
        own.use(.machine(address))
        #expect(own.name == "small" && own.vehicle == "t7")
    }

    @Test func `a connector makes the machine's link, and none without its address`() throws {
        let address = try #require(MachineAddress("tello://192.168.10.1"))
        let connector = VehicleConnector(
            profile: VehicleProfile(machine: address), credentials: Credentials(), environment: [:])
        let link = try connector.make(.direct)
        #expect(link.kind == .direct && link.vehicleCapabilities.machine == "Tello")
        let other = VehicleConnector(
            profile: VehicleProfile(name: "hexa1"), credentials: Credentials(), environment: [:])
        let error = #expect(throws: LinkError.self) { try other.make(.direct) }
        #expect(error?.code == .invalidInput)
    }
}
