import IntegrationKit
import SSHTransport
import Testing
import UAVLink

@Suite(.enabled(if: SSHServer.isAvailable)) struct SSHCommandTests {
    @Test func `both outputs and the exit status come apart`() async throws {
        try await withSession { _, session in
            let result = try await session.run("echo out; echo err >&2; exit 7", within: .seconds(10))
            #expect(result.outputText == "out\n")
            #expect(result.errorText == "err\n")
            #expect(result.exitStatus == 7)
            #expect(result.exitSignal == nil)
        }
    }

    @Test func `a signal that ended the command is named`() async throws {
        try await withSession { _, session in
            let result = try await session.run("kill -SEGV $$", within: .seconds(10))
            #expect(result.exitSignal == "SEGV")
            #expect(result.exitStatus == nil)
        }
    }
}
