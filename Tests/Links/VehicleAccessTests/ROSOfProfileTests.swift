import IntegrationKit
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
        ("router: tcp/10.0.0.8:7447, router-ca: ca.pem", "no file of TLS"), ("router-ca: ca.pem", "no file of TLS"),
        ("ros: 1, router-ca: ca.pem", "no file of TLS"),
        ("router: tls/10.0.0.8:7447, router-client-key: c.key", "both 'router-client-certificate' and"),
        ("router: tls/10.0.0.8:7447, router-client-certificate: c.pem", "both 'router-client-certificate' and"),
    ])
    func `what is none is refused with what is expected`(_ lines: String, _ words: String) throws {
        let error = #expect(throws: LinkError.self) { try profile(lines) }
        #expect(error?.code == .invalidInput)
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test func `a router over TLS has files, which lie beside the configuration`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            vehicles:
              hexa1: {host: 10.0.0.7, router: tls/hexa1:7447, router-ca: ca.pem,
                      router-client-certificate: /etc/c.pem, router-client-key: ~/c.key}
            """, to: "config.yaml")
        let ros = try ConfigurationFile(path: path, environment: [:]).read().profile(named: "hexa1").ros
        #expect(ros.isTwo && ros.router == "tls/hexa1:7447")
        #expect(ros.authorityFile == folder.file("ca.pem"))
        #expect(ros.certificateFile == "/etc/c.pem" && ros.keyFile == "~/c.key")
        var profile = try profile("router: tls/hexa1:7447, router-ca: /ca.pem")
        profile.name = "hexa2"
        let file = ConfigurationFile(path: folder.file("new.yaml"), environment: [:])
        #expect(try file.save(profile).ros == profile.ros)
        #expect(try file.read().profile(named: "hexa2").ros == profile.ros)
    }

    @Test func `a router of the command line takes the profile's files along, unless it is over TCP`() throws {
        var ros = try profile("router: tls/hexa1:7447, router-ca: /ca.pem").ros
        ros.use(router: "tls/10.0.0.7:7448")
        #expect(ros.authorityFile == "/ca.pem")
        try ros.check()
        ros.use(router: "tcp/10.0.0.7:7447")
        #expect(ros.authorityFile == nil)
        try ros.check()
        // One that was given beside it is not forgotten silently.
        ros.authorityFile = "/other.pem"
        let error = #expect(throws: LinkError.self) { try ros.check() }
        #expect(error?.what.contains("tcp/10.0.0.7:7447") == true)
        #expect(error?.hint == "write the router as tls/host:port")
    }

    @Test func `settings of TLS in the environment count, and those that cannot be read are an error`() throws {
        func link(_ lines: String, _ override: String) throws -> any UAVLink {
            let environment = ["ZENOH_CONFIG_OVERRIDE": override]
            return try VehicleConnector(
                profile: try profile(lines), credentials: Credentials(), environment: environment
            ).make(.ros)
        }
        let broken = "transport/link/tls/root_ca_certificate=/ca.pem"
        let error = #expect(throws: LinkError.self) { try link("router: tls/hexa1:7447", broken) }
        #expect(error?.code == .invalidInput)
        #expect(error?.what.hasPrefix("ZENOH_CONFIG_OVERRIDE: ") == true, "\(error as Any)")
        // A router over TCP has none.
        #expect(try link("router: tcp/hexa1:7447", broken).kind == .ros)
        // Nor has this computer's, whatever else of Zenoh the environment sets.
        var own = VehicleProfile(name: "own")
        own.ros.version = 2
        let environment = ["ZENOH_CONFIG_OVERRIDE": "transport={unicast:{lowlatency:false}}"]
        let connector = VehicleConnector(profile: own, credentials: Credentials(), environment: environment)
        #expect(try connector.make(.ros).kind == .ros)
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
