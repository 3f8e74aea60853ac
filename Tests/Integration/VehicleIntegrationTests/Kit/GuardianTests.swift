import FoundationEssentials
import IntegrationKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What stands between the tests and the programs that they start.
@Suite(.timeLimit(.minutes(MachinePace.minutes(2)))) struct GuardianTests {
    /// As `timeout` and Ctrl-C do, which signal the tests with all that they started.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `one that is signalled with the tests still ends what it started`(number: Int32) async throws {
        let child = try ChildProcess(["/bin/sh", "-c", "echo begun; exec sleep 600"])
        try await child.line(containing: "begun")
        let pid = try #require(child.pid)
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let guardian = try #require(Int32(stat.split(separator: ") ").last?.split(separator: " ")[1] ?? ""))
        #expect(guardian != getpid())
        // What it started may be seen before it ignores the signal.
        #expect(await eventually { ignores(guardian, number) })
        kill(guardian, number)
        await child.stop()
        #expect(await eventually { kill(pid, 0) != 0 })
    }

    private func ignores(_ process: Int32, _ number: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask >> UInt64(number - 1) & 1 == 1
    }
}
