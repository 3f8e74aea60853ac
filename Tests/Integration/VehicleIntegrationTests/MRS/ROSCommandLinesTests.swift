import Foundation
import IntegrationKit
import MRS
import Testing
import UAVLink

/// Our command lines run by real shells against real `rosservice` and `rostopic`, and what they print read back.
@Suite(
    .enabled(if: RospyVehicle.isPossible, "rospy is not installed: command lines are not run"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(2))))
struct ROSCommandLinesTests {
    @Test func `every command reaches its service with its values`() async throws {
        try await withRospyVehicle { vehicle in
            let process = try await vehicle.start()
            let shells = ShellQuotingTests.shells
            // Several at once: each costs a Python start-up.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, sample) in CommandSamples.all.enumerated() {
                    if index >= 3 { try await group.next() }
                    group.addTask {
                        let call = try ServiceCall(sample.0)
                        let result = try await run(lines().call(call), on: vehicle, shell: shells[index % shells.count])
                        let reply = try call.reply(to: result)
                        if case .enableOutput = sample.0 {
                            #expect(!reply.accepted)
                            #expect(reply.message.contains("service handler returned None"))
                        }
                        if case .takeoff = sample.0 {
                            #expect(!reply.accepted)
                            #expect(reply.message == "can not takeoff, UAV not armed!\n\u{1B}[31m\"quoted\" ü")
                        }
                        if case .land = sample.0 { #expect(reply.message.contains("without a reason")) }
                        if case .uploadTrajectory = sample.0 { #expect(reply.trajectoryModified) }
                        try await process.line(containing: sample.1)
                    }
                }
                try await group.waitForAll()
            }
            await process.stop()
        }
    }

    @Test func `a large trajectory goes over standard input`() async throws {
        try await withRospyVehicle { vehicle in
            let process = try await vehicle.start()
            let call = try ServiceCall(.uploadTrajectory(CommandSamples.trajectory(points: 3000)))
            let command = try lines(setup: "cat").call(call)
            #expect(command.line.utf8.count < 1000)
            let reply = try call.reply(to: try await run(command, on: vehicle))
            #expect(reply.accepted)
            #expect(reply.message == "trajectory loaded")
            let line = try await process.line(containing: "'x': 299.9")
            #expect(line.components(separatedBy: "position").count == 3001)
            await process.stop()
        }
    }

    @Test func `each failure of rosservice has an error of its own`() async throws {
        try await withRospyVehicle { vehicle in
            let call = try ServiceCall(.altitude(metres: 3))
            let missing = try await run(lines().call(call), on: vehicle)
            await expect(.serviceMissing) { try call.reply(to: missing) }
            let process = try await vehicle.start()
            let untyped = try await run(lines(setup: "unset PYTHONPATH").call(call), on: vehicle)
            await expect(.typeMismatch) { try call.reply(to: untyped) }
            let nowhere = try await run(
                lines(setup: "export ROS_MASTER_URI=http://127.0.0.1:\(try freePort())").call(call), on: vehicle)
            await expect(.rosMasterUnreachable) { try call.reply(to: nowhere) }
            let absent = try await run(
                lines(setup: "source /nowhere/setup.bash; PATH=/nowhere").call(call), on: vehicle)
            await expect(.remoteFailed) { try call.reply(to: absent) }
            process.signal(9)
            await process.stop()
            let dead = try await run(lines().call(call), on: vehicle)
            await expect(.serviceMissing) { try call.reply(to: dead) }
        }
    }

    @Test func `a set-up may write, read and comment without disturbing the call`() async throws {
        try await withRospyVehicle { vehicle in
            let process = try await vehicle.start()
            let call = try ServiceCall(.heading(radians: 1))
            let setup = "echo 'success: False'; read x; cat; export A='b' # don't mind \"me\" \\"
            let reply = try call.reply(to: try await run(lines(setup: setup).call(call), on: vehicle))
            #expect(reply.accepted)
            await process.stop()
        }
    }

    @Test func `printed topics become telemetry`() async throws {
        try await withRospyVehicle { vehicle in
            let process = try await vehicle.start()
            var assembler = TelemetryAssembler(vehicle: "uav1")
            let now = MonotonicTime(nanoseconds: 1)
            for topic in VehicleTopic.printable + [.gnss] {
                var stream = try EchoStream(topic)
                let echo = try start(lines().echo(topic), on: vehicle, shell: "/bin/sh")
                try await echo.line(containing: "---")
                echo.send(line: "end")
                try await echo.exit(within: .seconds(10))
                // In the worst split.
                var messages: [[UInt8]] = []
                for byte in echo.output.utf8 { messages += try stream.take([byte]) }
                let message = try #require(messages.first, "\(topic): \(echo.errors)")
                try assembler.take(topic, serialised: message, at: now)
            }
            let telemetry = assembler.telemetry
            #expect(telemetry.pose?.value.positionMetres == Vector3(x: 1.5, y: -2.5, z: 3.5))
            #expect(telemetry.velocityMetresPerSecond?.value == Vector3(x: 0, y: 2, z: 0))
            #expect(telemetry.heightAboveGroundMetres?.value == 3.5)
            #expect(telemetry.battery?.value == Battery(voltageVolts: 15.5, currentAmperes: 10))
            #expect(telemetry.gnss?.value.horizontalAccuracyMetres == 2)
            #expect(telemetry.flight?.value.state == .flying)
            await process.stop()
        }
    }

    @Test(arguments: Set(ShellQuotingTests.shells).intersection(["/bin/sh", "/usr/bin/fish"]))
    func `an echo goes on until its standard input is closed, even on a silent topic`(_ shell: String) async throws {
        try await withRospyVehicle { vehicle in
            let silent = try start(lines().echo(.battery), on: vehicle, shell: shell)
            #expect(await eventually { silent.errors.contains("does not appear to be published") })
            silent.send(line: "end")
            try await silent.exit(within: .seconds(10))

            let process = try await vehicle.start()
            let heard = try start(lines(setup: "echo up").echo(.battery), on: vehicle, shell: shell)
            try await heard.line(containing: "voltage: 15.5", skipping: 2)
            heard.send(line: "end")
            try await heard.exit(within: .seconds(10))
            await process.stop()
        }
    }

    @Test func `an echo that does not follow the signal is killed`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            "#!/bin/sh\ntrap '' TERM\necho ready\nwhile :; do sleep 0.1; done\n", to: "rostopic", mode: 0o700)
        try await withRospyVehicle { vehicle in
            let stubborn = try start(
                lines(setup: "PATH='\(folder.path)':$PATH").echo(.battery), on: vehicle, shell: "/bin/sh")
            try await stubborn.line(containing: "ready")
            stubborn.send(line: "end")
            try await stubborn.exit(within: .seconds(30))
        }
    }

    // MARK: Running

    private func lines(setup: String = "") throws -> ROSCommandLines {
        ROSCommandLines(names: try VehicleNames(vehicle: "uav1"), setup: setup)
    }

    /// Runs a command as sshd does: by the log-in shell, its standard input ended after what is to be sent.
    private func run(
        _ command: RemoteCommand, on vehicle: RospyVehicle, shell: String = "/bin/sh"
    ) async throws -> RemoteResult {
        guard case .bytes(let input) = command.input else { throw ProcessFailure("it never ends") }
        let folder = try TemporaryFolder()
        let file = try folder.write(String(decoding: input, as: UTF8.self), to: "input")
        let child = try ChildProcess(
            ["/bin/sh", "-c", "exec <\"$1\" && exec \"$2\" -c \"$3\"", "sh", file, shell, command.line],
            environment: vehicle.environment)
        let status = try await child.exit(within: .seconds(60))
        return RemoteResult(
            standardOutput: Array(child.output.utf8), standardError: Array(child.errors.utf8), exitStatus: Int(status))
    }

    /// Starts a command whose standard input ends when a line is sent to it.
    private func start(_ command: RemoteCommand, on vehicle: RospyVehicle, shell: String) throws -> ChildProcess {
        try ChildProcess(
            ["/bin/sh", "-c", "head -n 1 | \"$1\" -c \"$2\"", "sh", shell, command.line],
            environment: vehicle.environment)
    }
}
