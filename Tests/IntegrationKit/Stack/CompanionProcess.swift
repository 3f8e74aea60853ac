internal import Foundation

/// The companion of one vehicle on this machine: its subcommands, its process and its log, by its runtime directory.
public struct CompanionProcess: Sendable {
    /// The vehicle's name.
    public let vehicle: String
    /// Where its control socket and log are.
    public let runtimeDirectory: String
    private let environment: [String: String]

    /// The companion of a vehicle, whether one runs or not.
    ///
    /// - Parameter environment: of ROS, for a companion that is started here.
    public init(vehicle: String = "uav1", runtimeDirectory: String, environment: [String: String]) {
        self.vehicle = vehicle
        self.runtimeDirectory = runtimeDirectory
        self.environment = environment
    }

    /// Starts one that runs until it is ended, and returns when it answers.
    ///
    /// What `bootstrap` starts by itself ends here with `bootstrap`: nothing outlives its guardian.
    public func start() async throws -> ChildProcess {
        let child = try ChildProcess(
            [
                BuiltPrograms.path("uavlink-companion"), "run", "--uav", vehicle, "--runtime-dir", runtimeDirectory,
                "--bind", "127.0.0.1", "--log-file", "\(runtimeDirectory)/\(vehicle).log",
            ], environment: environment)
        let answers = try await eventually {
            if child.exitStatus != nil { return true }
            return try await run("status").status == 0
        }
        guard answers, child.exitStatus == nil else { throw ProcessFailure("no companion: \(child.errors) \(log)") }
        return child
    }

    /// Runs a subcommand to its end: `status`, `stop`, `bootstrap`.
    public func run(_ subcommand: String) async throws -> FlightStack.Outcome {
        let begun = ContinuousClock.now
        let child = try ChildProcess(
            [
                BuiltPrograms.path("uavlink-companion"), subcommand, "--uav", vehicle, "--runtime-dir",
                runtimeDirectory,
            ], environment: environment)
        let status = try await child.exit(within: .seconds(30))
        return FlightStack.Outcome(child, status: status, since: begun)
    }

    /// What it has logged.
    public var log: String {
        (try? String(contentsOfFile: "\(runtimeDirectory)/\(vehicle).log", encoding: .utf8)) ?? ""
    }

    /// Its process, `nil` when none runs.
    public var pid: Int32? {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return folders.compactMap { Int32($0) }.first { pid in
            let words = (FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data())
                .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.first?.hasSuffix("/uavlink-companion") == true && words.contains("run")
                && words.contains(runtimeDirectory)
        }
    }

    /// Ends it, if one runs, and waits until it is gone.
    public func end() async {
        guard pid != nil else { return }
        _ = try? await run("stop")
        _ = await eventually { pid == nil }
    }
}
