#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import IntegrationKit
import MRS
import Testing

/// A program on the vehicle that ends with its channel: when its standard input does, as sshd closes it.
@Suite struct AbortableRunPeerTests {
    /// Runs it as sshd would, in a session of its own, with an input that ends when the test sends a line.
    private func run(setup: String, _ words: [String]) throws -> ChildProcess {
        let lines = ROSCommandLines(names: try VehicleNames(vehicle: "uav1"), setup: setup)
        let command = lines.abortableRun(words[0], Array(words.dropFirst()))
        #expect(command.input == .untilClosed)
        return try ChildProcess(
            ["/bin/sh", "-c", "{ read -r line; } | setsid -w /bin/sh -c \"$LINE\"; echo over"],
            environment: ["PATH": "/usr/bin:/bin", "LINE": command.line])
    }

    /// Whether the process whose number follows `mark` is gone.
    private func isGone(_ mark: String, in text: String) async throws -> Bool {
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(mark) }, "\(text)")
        let pid = try #require(Int32(line.dropFirst(mark.count)))
        return await eventually { kill(pid, 0) != 0 }
    }

    @Test(arguments: ["sleep 1000 & echo pid $! >&2; wait", "trap '' TERM; sleep 1000 & echo pid $! >&2; wait"])
    func `the set-up ends with the channel, and so does what ignores that`(_ setup: String) async throws {
        let process = try run(setup: setup, ["echo", "it ran"])
        let said = try await process.line(ofErrorsContaining: "pid ")
        process.send(line: "")
        try await process.line(containing: "over", within: .seconds(15))
        #expect(try await isGone("pid ", in: said))
        #expect(!process.output.contains("it ran"))
        await process.stop()
    }

    @Test func `the program ends with the channel`() async throws {
        let process = try run(setup: "echo pid $$ >&2", ["sleep", "1000"])
        let said = try await process.line(ofErrorsContaining: "pid ")
        process.send(line: "")
        try await process.line(containing: "over", within: .seconds(15))
        #expect(try await isGone("pid ", in: said))
        await process.stop()
    }

    /// `rostopic echo` writes a log wherever it is run.
    @Test func `the logs of rostopic are removed when it ends`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            "#!/bin/sh\necho >$ROS_LOG_DIR/log && echo logs $ROS_LOG_DIR >&2\nexec sleep 1000\n", to: "rostopic",
            mode: 0o700)
        let lines = ROSCommandLines(
            names: try VehicleNames(vehicle: "uav1"), setup: "PATH='\(folder.path)':$PATH ROS_LOG_DIR=/nonexistent")
        let process = try ChildProcess(
            ["/bin/sh", "-c", "{ read -r line; } | setsid -w /bin/sh -c \"$LINE\"; echo over"],
            environment: ["PATH": "/usr/bin:/bin", "LINE": lines.echo(.battery).line])
        let said = try await process.line(ofErrorsContaining: "logs ")
        let logs = try #require(said.split(separator: " ").last.map(String.init))
        #expect(access(logs, F_OK) == 0)
        process.send(line: "")
        try await process.line(containing: "over", within: .seconds(15))
        #expect(access(logs, F_OK) != 0)
        await process.stop()
    }

    @Test func `a program that ends by itself is not disturbed`() async throws {
        let process = try run(setup: "true", ["echo", "it ran"])
        try await process.line(containing: "it ran")
        process.send(line: "")
        try await process.exit()
        #expect(process.output == "it ran\nover\n", "\(process.errors)")
        await process.stop()
    }
}
