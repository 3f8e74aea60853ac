internal import Foundation

/// The programs that talk to the stack.
extension FlightStack {
    /// The environment of the ground: no ROS in it.
    public var groundEnvironment: [String: String] {
        ["PATH": "/usr/bin:/bin", "HOME": folder.path, "USER": ssh.user, "LC_ALL": "C.UTF-8"]
    }

    /// Starts `uavlink` with the stack's profile, unless the arguments name another configuration.
    public func launch(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        let named = arguments.contains("--config") || arguments.contains("--host")
        let program = [try BuiltPrograms.path("uavlink")] + arguments.prefix(1)
        // The usual 15 s are for a user's machine.
        let isTimed = MachinePace.factor > 1 && Self.timed.contains(arguments.first ?? "")
        let timeout =
            isTimed && !arguments.contains("--timeout") ? ["--timeout", "\(Int(15 * MachinePace.factor))s"] : []
        return try ChildProcess(
            program + (named ? [] : ["--config", configuration]) + timeout + arguments.dropFirst(),
            environment: groundEnvironment.merging(environment) { _, new in new })
    }

    /// Commands that ask the vehicle and have no other deadline of their own.
    private static let timed: Set<String> = [
        "status", "takeoff", "land", "hover", "steer", "goto", "exec", "doctor", "map",
    ]

    /// Runs `uavlink` to its end.
    public func uavlink(
        _ arguments: String..., environment: [String: String] = [:], within timeout: Duration = .seconds(90)
    ) async throws -> Outcome {
        try await uavlink(arguments, environment: environment, within: timeout)
    }

    /// The same with arguments in a list.
    public func uavlink(
        _ arguments: [String], environment: [String: String] = [:], within timeout: Duration = .seconds(90)
    ) async throws -> Outcome {
        let begun = ContinuousClock.now
        let child = try launch(arguments, environment: environment)
        let status: Int32
        do { status = try await child.exit(within: timeout) } catch {
            await child.stop()
            throw error
        }
        return Outcome(child, status: status, since: begun)
    }

    /// The companion on the vehicle's side.
    private var companion: CompanionProcess {
        CompanionProcess(runtimeDirectory: runtimeDirectory, environment: rosEnvironment)
    }

    /// Runs `uavlink-companion` on the vehicle's side: `status`, `stop`, `bootstrap`.
    public func companion(_ subcommand: String) async throws -> Outcome { try await companion.run(subcommand) }

    /// What the companion has logged.
    public var companionLog: String { companion.log }

    /// The companion's process, `nil` when none runs.
    public func companionProcess() -> Int32? { companion.pid }

    /// Ends the companion, if one runs, and waits until it is gone.
    public func endCompanion() async { await companion.end() }
}
