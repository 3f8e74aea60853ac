import SSHTransport
import Testing
import UAVTestKit

@testable import VehicleAccess

/// The time of the user's answers, which is no time of a log-in.
@Suite struct PromptTimesTests {
    /// A user who takes 2 s for a secret and 3 s for a host key.
    private struct SlowUser: UserPrompt {
        let clock: FakeClock

        var givesSecrets: Bool { true }
        func secret(for what: String, echoes: Bool) async -> SSHSecret? {
            clock.advance(by: .seconds(2))
            return SSHSecret("secret")
        }
        func tell(_ line: String) async {}
        func trusts(_ question: HostKeyQuestion) async -> Bool {
            clock.advance(by: .seconds(3))
            return true
        }
    }

    @Test func `only the time until an answer counts`() async throws {
        let clock = FakeClock()
        var credentials = Credentials(userPrompt: SlowUser(clock: clock))
        credentials.times = PromptTimes(clock: clock)
        let profile = VehicleProfile(name: "hexa1")
        let ways = try credentials.authentication(for: profile, at: SSHEndpoint(host: "hexa1", user: "mrs"))
        #expect(credentials.timeAtPrompts == .zero)
        for case .askedPassword(let source) in ways { _ = await source(.password) }
        #expect(credentials.timeAtPrompts == .seconds(2))
        clock.advance(by: .seconds(60))
        guard case .ask(let isTrusted) = credentials.hostKeys(for: profile).unknown else {
            Issue.record("the user is not asked")
            return
        }
        #expect(await isTrusted(HostKeyQuestion(host: "hexa1", keyType: "ssh-ed25519", fingerprint: "SHA256:a")))
        #expect(credentials.timeAtPrompts == .seconds(5))
    }
}
