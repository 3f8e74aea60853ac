import CompanionControl
import Foundation
import Testing
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Programs that end at once, in the place of a companion; what the launcher says of them.
@Suite struct LauncherLoopbackTests {
    /// The error of starting a shell command as the companion; `log`: what is in the log before.
    private func failure(of command: String, log: String = "") throws -> String {
        let directory = FileManager.default.temporaryDirectory.path + "/ul-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let runtime = try RuntimeDirectory(directory, environment: [:])
        if !log.isEmpty { try log.write(toFile: runtime.logPath(vehicle: "uav1"), atomically: true, encoding: .utf8) }
        let program = CompanionLauncher.Program(path: "/bin/sh", arguments: ["-c", command])
        let launcher = CompanionLauncher(runtime: runtime, vehicle: "uav1")
        do {
            _ = try launcher.ask(.ticket, starting: { [program] }, within: .seconds(30))
            return "an answer"
        } catch { return "\(error)" }
    }

    /// A shell or a start-up file passes on more than three; held, they keep the SSH session open that started the companion.
    @Test func `a companion has no descriptors of the program that started it`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let said = try failure(of: "if [ -e /proc/$$/fd/\(ends[1]) ]; then echo held; else echo let go; fi")
        #expect(said.contains("let go") && !said.contains("held"), "\(said)")
    }

    @Test func `a companion that a signal ended is said to be, and no line of an earlier one`() throws {
        let said = try failure(of: "kill -ILL $$", log: "an earlier one ended\n")
        #expect(said.contains("the companion ended at once by signal 4 ("), "\(said)")
        #expect(said.contains("it logged nothing") && !said.contains("earlier"), "\(said)")
    }

    @Test func `the last line that a companion logged before it ended is told`() throws {
        let said = try failure(of: "echo one; echo two; exit 3", log: "an earlier one ended\n")
        #expect(said.contains("the companion ended at once: two"), "\(said)")
    }
}
