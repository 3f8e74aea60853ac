import IntegrationKit
import MRS
import Testing
import UAVLink

/// What becomes of a command whose set-up fails, in the shell that runs it on a vehicle.
@Suite struct SetupFailurePeerTests {
    private func run(setup: String) async throws -> (RemoteResult, LinkError?) {
        let lines = ROSCommandLines(names: try VehicleNames(vehicle: "uav1"), setup: setup)
        let command = lines.run("echo", ["it ran"])
        let process = try ChildProcess(["/bin/sh", "-c", command.line], environment: ["PATH": "/usr/bin:/bin"])
        let status = try await process.exit()
        let result = RemoteResult(
            standardOutput: Array(process.output.utf8), standardError: Array(process.errors.utf8),
            exitStatus: Int(status))
        return (result, lines.setupFailure(in: result))
    }

    @Test(arguments: [
        ("source /nowhere/setup.bash", "status 1", "/nowhere/setup.bash: No such file"),
        (". /nowhere/setup.bash", "status 1", "/nowhere/setup.bash: No such file"),
        ("echo 'no disk' >&2; exit 3", "status 3", "no disk"),
        ("exit 0", "status 0", "no reason given"),
        ("set -e; false; true", "status 1", "no reason given"),
        ("cd /nowhere\ntrue && no-such-program", "status 127", "no-such-program"),
        ("if", "status", "syntax error"),
    ])
    func `a set-up that fails is reported with its status and what it said, and the command is not run`(
        setup: String, status: String, reason: String
    ) async throws {
        let (result, failure) = try await run(setup: setup)
        let error = try #require(failure, "\(result)")
        #expect(error.code == .remoteFailed)
        #expect(error.what.contains("'setup'") && error.what.contains(status), "\(error)")
        #expect(error.what.contains(reason), "\(error)")
        #expect(error.hint.contains(setup.replacing("\n", with: " ")))
        #expect(result.standardOutput.isEmpty)
    }

    @Test(arguments: [
        "true", "false || true", "export A=1\n[ -n \"$A\" ]", "trap 'echo bye' EXIT", "echo a; echo b >&2",
    ])
    func `a set-up that ends well says nothing and is followed by the command`(setup: String) async throws {
        let (result, failure) = try await run(setup: setup)
        #expect(failure == nil)
        #expect(String(decoding: result.standardOutput, as: UTF8.self) == "it ran\n")
    }

    @Test func `a command's own status is none of the set-up's`() {
        let lines = try? ROSCommandLines(names: VehicleNames(vehicle: "uav1"), setup: "true")
        for (status, errors) in [
            (121, "anything"), (1, "uavlink: setup ended with 1"), (121, "uavlink: setup ended with x"),
        ] {
            let result = RemoteResult(standardOutput: [], standardError: Array(errors.utf8), exitStatus: status)
            #expect(lines?.setupFailure(in: result) == nil)
        }
    }
}
