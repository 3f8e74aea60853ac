import Deployment
import Foundation
import Impairment
import IntegrationKit
import SSHTransport
import Synchronization
import Testing
import UAVLink
import VehicleAccess

extension SSHTests {
    @Suite(.timeLimit(.minutes(MachinePace.minutes(5)))) struct SlowUploadTests {
        @Test func `an upload over a slow link goes on, and is not taken for one that stalled`() async throws {
            try await DeployComputer.with { computer in
                // 5 s for the whole, 4 s for the largest window: 1.5 s without a confirmation end it.
                let slow = Impairment(bitsPerSecond: 4e6)
                let relay = try #require(ImpairedRelay(.tcp, to: computer.server.port, up: slow, down: slow))
                var profile = VehicleProfile(name: "slow")
                profile.host = "127.0.0.1"
                profile.port = Int(relay.port)
                profile.user = computer.server.user
                profile.identities = [computer.server.userKey]
                profile.knownHosts = computer.folder.file("known_hosts_of_the_relay")
                let connector = VehicleConnector(
                    profile: profile, credentials: Credentials(acceptsNewHostKey: true), environment: [:])
                let target = SSHDeploymentTarget(
                    connector, logIn: .patient(seconds: 20), stall: MachinePace.patience(.milliseconds(1500)))
                let bytes = [UInt8](repeating: 7, count: 5 << 19)
                let confirmed = Mutex<[Int]>([])
                let path = computer.home + "/program"
                do {
                    try await target.upload(bytes, to: path) { count in confirmed.withLock { $0.append(count) } }
                    #expect(FileManager.default.contents(atPath: path).map(Array.init) == bytes)
                    #expect(confirmed.withLock { $0.last } == bytes.count)
                } catch {
                    Issue.record(error)
                }
                await connector.close()
                relay.stop()
            }
        }
    }
}
