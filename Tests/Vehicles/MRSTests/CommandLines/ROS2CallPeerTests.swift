import Foundation
import IntegrationKit
import MRS
import Testing
import UAVLink

/// The script around `ros2 service call`, in the shells of this machine, with a program of ours in place of ROS 2's.
@Suite struct ROS2CallPeerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs it as sshd would, in a session of its own, with an input that ends when the test sends a line.
    private func run(_ program: String) throws -> ChildProcess {
        let log = "[ -z \"$ROS_LOG_DIR\" ] || echo >$ROS_LOG_DIR/log"
        try folder.write("#!/bin/sh\necho pid $$ >&2\n\(log)\n\(program)\n", to: "ros2", mode: 0o700)
        let environment = ROSEnvironment(profileSetup: "PATH='\(folder.path)':$PATH", ros: .two(domain: nil))
        let lines = ROSCommandLines(names: try VehicleNames(vehicle: "uav1"), environment: environment)
        let temporary = folder.path + "/tmp"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        return try ChildProcess(
            ["/bin/sh", "-c", "{ read -r line; } | { setsid -w /bin/sh -c \"$LINE\"; echo over $?; }"],
            environment: [
                "PATH": "/usr/bin:/bin", "TMPDIR": temporary,
                "LINE": lines.abortableCall(try ServiceCall(.hover)).line,
            ])
    }

    /// What the ground gets of it, once it has ended.
    private func result(_ process: ChildProcess) -> RemoteResult {
        let parts = process.output.split(separator: "over ", omittingEmptySubsequences: false)
        return RemoteResult(
            standardOutput: Array(parts[0].utf8), standardError: Array(process.errors.utf8),
            exitStatus: parts.last.flatMap { Int($0.split(whereSeparator: \.isWhitespace).first ?? "") })
    }

    private func pid(_ process: ChildProcess) async throws -> Int32 {
        let line = try await process.line(ofErrorsContaining: "pid ")
        return try #require(line.split(separator: "\n").first.flatMap { Int32($0.dropFirst(4)) })
    }

    /// Whether neither logs nor what was printed were left behind.
    private func isClean() async -> Bool {
        await eventually {
            (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/tmp"))?.isEmpty == true
        }
    }

    private static let asking = "echo 'requester: making request: std_srvs.srv.Trigger_Request()'; echo"
    private static let answering = "echo response:; echo \"std_srvs.srv.Trigger_Response(success=True, message='ok')\""

    @Test func `an answer comes as it was printed, and no file is left`() async throws {
        let process = try run("\(Self.asking)\n\(Self.answering)")
        try await process.line(containing: "over 0")
        #expect(try ServiceCall(.hover).reply(to: result(process)) == CommandReply(accepted: true, message: "ok"))
        process.send(line: "")
        try await process.exit()
        #expect(await isClean())
        await process.stop()
    }

    @Test func `a service that does not come is not waited for, and nothing was sent to it`() async throws {
        let process = try run("echo 'waiting for service to become available...'; exec sleep 1000")
        let pid = try await pid(process)
        try await process.line(containing: "over 137", within: .seconds(30))
        let error = #expect(throws: LinkError.self) { try ServiceCall(.hover).reply(to: result(process)) }
        #expect(error?.code == .serviceMissing)
        #expect(await eventually { kill(pid, 0) != 0 })
        process.send(line: "")
        #expect(await isClean())
        await process.stop()
    }

    @Test func `a service that comes late is called, and one that takes long is not given up`() async throws {
        let process = try run(
            "echo 'waiting for service to become available...'; sleep 1\n\(Self.asking)\nsleep 7\n\(Self.answering)")
        try await process.line(containing: "over 0", within: .seconds(60))
        #expect(try ServiceCall(.hover).reply(to: result(process)).accepted)
        await process.stop()
    }

    @Test func `without a place for what it prints a command is sent all the same, and its answer is not known`()
        async throws
    {
        try folder.write("#!/bin/sh\nexit 1\n", to: "mktemp", mode: 0o700)
        let process = try run("\(Self.asking)\necho sent >&2\n\(Self.answering)")
        try await process.line(containing: "over 0")
        // Both outputs are read side by side.
        try await process.line(ofErrorsContaining: "sent")
        #expect(throws: LinkError.self) { try ServiceCall(.hover).reply(to: result(process)) }
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
        await process.stop()
    }

    @Test func `the program ends with the channel, and it is then unknown whether the vehicle acted`() async throws {
        let process = try run("\(Self.asking)\nexec sleep 1000")
        let pid = try await pid(process)
        process.send(line: "")
        try await process.line(containing: "over 137", within: .seconds(15))
        #expect(await eventually { kill(pid, 0) != 0 })
        let error = #expect(throws: LinkError.self) { try ServiceCall(.hover).reply(to: result(process)) }
        #expect(error?.code == .timedOut)
        #expect(await isClean())
        await process.stop()
    }
}
