import MRS
import SSHTransport
import Testing
import UAVLink

@testable import VehicleAccess

/// What a profile says about ROS 2, and what follows from it.
@Suite("the ROS of a profile") struct ROSOfProfileTests {
    private func profile(_ lines: String) throws(LinkError) -> VehicleProfile {
        let text = "vehicles: {hexa1: {host: 10.0.0.7, \(lines)}}"
        return try Configuration(bytes: Array(text.utf8), source: "config.yaml").profile(named: "hexa1")
    }

    private func connector(_ profile: VehicleProfile) -> VehicleConnector {
        VehicleConnector(profile: profile, credentials: Credentials(), environment: [:])
    }

    @Test func `version, router and domain are read, and a router or a domain stands for ROS 2`() throws {
        let full = try profile("ros: 2, router: tcp/10.0.0.8:7448, domain: 7").ros
        #expect(full.version == 2 && full.router == "tcp/10.0.0.8:7448" && full.domain == 7)
        #expect(try profile("router: tcp/10.0.0.8:7448").ros.isTwo)
        #expect(try profile("domain: 0").ros.isTwo)
        #expect(try !profile("user: mrs").ros.isTwo)
        #expect(try !profile("ros: 1").ros.isTwo)
    }

    @Test(arguments: [
        ("ros: 3", "1 or 2"), ("ros: 1, router: tcp/10.0.0.8:7448", "no router"), ("ros: 1, domain: 3", "no domain"),
        ("router: 10.0.0.8", "the address of a Zenoh router"), ("domain: 233", "a domain from 0 to 232"),
    ])
    func `what is none is refused with what is expected`(_ lines: String, _ words: String) throws {
        let error = #expect(throws: LinkError.self) { try profile(lines) }
        #expect(error?.code == .invalidInput)
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test func `a companion is told the version and the domain, and not the router of the ground`() throws {
        func arguments(_ lines: String) throws -> [String] {
            Array(CompanionBootstrap.arguments(for: try profile(lines)).dropFirst(3))
        }
        #expect(try arguments("ros: 1") == ["--ros", "1"])
        #expect(try arguments("ros: 2, domain: 7") == ["--ros", "2", "--domain", "7"])
        #expect(try arguments("router: tcp/10.0.0.7:7447") == ["--ros", "2"])
        #expect(try arguments("user: mrs").isEmpty)
    }

    @Test func `all links are made, and plain SSH runs the programs of ROS 2`() async throws {
        let connector = connector(try profile("user: mrs, ros: 2, domain: 7"))
        for kind in [LinkKind.ssh, .sshShell, .ros, .udp] { #expect(try connector.make(kind).kind == kind) }
        let (two, one) = (await connector.shared.finder, await self.connector(try profile("user: mrs")).shared.finder)
        #expect(two.ros == .two(domain: 7))
        #expect(one.ros == .one)
    }
}
