import SystemIO
import Testing

/// With programs of the system.
@Suite struct ProgramOutputPeerTests {
    private func shell(
        _ script: String, environment: [String: String] = [:], within timeout: Duration = .seconds(30),
        limit: Int = 1 << 20
    ) -> ProgramOutput? {
        ProgramOutput.of("/bin/sh", ["-c", script], environment: environment, within: timeout, limit: limit)
    }

    @Test func `output and exit status are returned, errors are not`() throws {
        let failed = try #require(shell("echo one; echo two >&2; exit 3"))
        #expect(failed.text == "one\n" && failed.exitStatus == 3)
        let killed = try #require(shell("kill -9 $$"))
        #expect(killed.bytes.isEmpty && killed.exitStatus == nil)
    }

    @Test func `one that closes its output and goes on is killed when its time is up`() {
        #expect(shell("exec >&-; sleep 1000", within: .milliseconds(200)) == nil)
    }

    @Test func `it gets this environment only, and no input`() {
        #expect(shell("echo $A; cat", environment: ["A": "b c"])?.text == "b c\n")
        #expect(shell("echo x$HOME")?.text == "x\n")
    }

    @Test func `a program that prints too much is killed`() {
        #expect(shell("head -c 5000 /dev/zero", limit: 5000)?.bytes.count == 5000)
        #expect(shell("while :; do echo y; done", limit: 5000) == nil)
    }

    @Test func `a program that does not end in time is killed`() {
        #expect(shell("while :; do :; done", within: .zero) == nil)
    }

    @Test func `a program that is missing yields nothing`() {
        #expect(ProgramOutput.of("/nonexistent/program", [], environment: [:], within: .seconds(30)) == nil)
    }
}
