import Doctor
import MRS
import Synchronization
import Testing
import UAVLink
import VehicleAccess

/// What is examined where the vehicle's computer has no SSH server.
@Suite struct DoctorLoopbackTests {
    /// A port on which nothing listens.
    private static let closedPort = 1

    private func findings(over link: LinkKind, host: String? = "127.0.0.1") async throws -> [Finding] {
        var profile = VehicleProfile(name: "hexa1")
        (profile.host, profile.port) = (host, Self.closedPort)
        profile.link = .only(link)
        profile.rosMaster = "http://127.0.0.1:\(Self.closedPort)"
        let connector = VehicleConnector(profile: profile, credentials: Credentials(), environment: [:])
        let doctor = DoctorInteractor(connector: connector, environment: [:], timeout: .seconds(5))
        let findings = try await doctor.examine { _ in }
        await connector.close()
        return findings
    }

    @Test func `over ROS the missing server is no fault, and the link is examined`() async throws {
        let findings = try await findings(over: .ros)
        let reach = try #require(findings.first)
        #expect(reach.check == "reachability" && reach.verdict == .skipped, "\(findings)")
        #expect(reach.message.hasSuffix("the checks over SSH were not made"), "\(findings)")
        #expect(findings.contains { $0.check == "companion" && $0.verdict == .skipped })
        // The master of the profile is asked, which does not run here.
        let master = try #require(findings.first { $0.check == "from the ground: ROS master" })
        #expect(master.verdict == .bad && master.message.contains("127.0.0.1:1"), "\(findings)")
        #expect(findings.contains { $0.check == "link ros" && $0.verdict == .bad }, "\(findings)")
        #expect(!findings.contains { $0.check == "link udp" }, "\(findings)")
    }

    @Test func `over a link to the companion nothing works without it`() async throws {
        let findings = try await findings(over: .udp)
        let reach = try #require(findings.first)
        #expect(reach.check == "reachability" && reach.verdict == .bad, "\(findings)")
        #expect(findings.contains { $0.check == "link" && $0.verdict == .skipped }, "\(findings)")
        #expect(!findings.contains { $0.check == "link ros" }, "\(findings)")
    }

    @Test func `over ROS without a host the companion on this machine is not asked for`() async throws {
        let findings = try await findings(over: .ros, host: nil)
        #expect(findings.first?.message == "over ROS, no SSH needed", "\(findings)")
        #expect(findings.contains { $0.check == "link ros" } && !findings.contains { $0.check == "link udp" })
    }

    @Test(arguments: [LinkKind.sim, .udp])
    func `a check that was interrupted is no finding`(link: LinkKind) async throws {
        var profile = VehicleProfile(name: "hexa1")
        profile.link = .only(link)
        let connector = VehicleConnector(profile: profile, credentials: Credentials(), environment: [:])
        let doctor = DoctorInteractor(connector: connector, environment: [:], timeout: .seconds(5))
        let found = Mutex<[Finding]>([])
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await doctor.examine { finding in found.withLock { $0.append(finding) } }
        }
        await #expect(throws: CancellationError.self) { try await work.value }
        // That no SSH is needed was known before.
        #expect(found.withLock { $0 }.map(\.check) == ["vehicle"])
        await connector.close()
    }

    @Test func `a log-in that was interrupted ends the examination`() async throws {
        var profile = VehicleProfile(name: "hexa1")
        (profile.host, profile.port, profile.link) = ("127.0.0.1", Self.closedPort, .only(.ros))
        let connector = VehicleConnector(profile: profile, credentials: Credentials(), environment: [:])
        let doctor = DoctorInteractor(connector: connector, environment: [:], timeout: .seconds(5))
        let found = Mutex<[Finding]>([])
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await doctor.examine { finding in found.withLock { $0.append(finding) } }
        }
        await #expect(throws: (any Error).self) { try await work.value }
        #expect(found.withLock { $0 } == [])
        await connector.close()
    }
}
