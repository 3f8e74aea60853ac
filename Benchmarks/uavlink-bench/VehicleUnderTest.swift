import IntegrationKit
import SocketTransport
import UAVLink

/// A ROS master, a vehicle on it and a companion in front of it, each a process of its own.
struct VehicleUnderTest: Sendable {
    let master: ROSMasterProcess
    private let setting: Setting
    private let environment: [String: String]

    /// Starts everything; the crew ends it.
    ///
    /// - Parameter counting: a file in which the companion's allocations are counted.
    init(_ setting: Setting, _ crew: Crew, counting: Bool = false) async throws {
        self.setting = setting
        master = try ROSMasterProcess()
        let master = master
        await crew.atEnd { await master.stop() }
        try await master.start()
        environment = master.environment.merging(["XDG_RUNTIME_DIR": master.folder.path]) { $1 }
        let vehicle = try await crew.process(
            [setting.programs + "/uavlink-bench", "stand-in"], environment: environment)
        try await vehicle.line(containing: "ready")
        let companion = try await crew.process(
            setting.counted(counting ? countFile("companion") : nil, [setting.programs + "/uavlink-companion", "run"]),
            environment: environment)
        let isReached = try await eventually(within: .seconds(30)) {
            if let status = companion.exitStatus {
                throw ProcessFailure("the companion ended with \(status): \(companion.errors)")
            }
            return companion.errors.contains("is reached over ros")
        }
        guard isReached else { throw ProcessFailure("the companion does not reach the vehicle: \(companion.errors)") }
    }

    /// Where a process of ours keeps the counts of its allocations.
    func countFile(_ name: String) -> String { "\(master.folder.path)/\(name).count" }

    /// A ticket for one session, as `uavlink` gets it over SSH.
    func ticket() async throws -> String {
        let program = try ChildProcess(
            [setting.programs + "/uavlink-companion", "bootstrap"], environment: environment)
        guard try await program.exit() == 0 else { throw ProcessFailure("no ticket: \(program.errors)") }
        return program.output
    }
}

extension Setting {
    /// The command with its allocations counted in a file, or as it is.
    func counted(_ file: String?, _ command: [String]) -> [String] {
        guard let file else { return command }
        return ["/usr/bin/env", "LD_PRELOAD=\(peers)/count_allocations.so", "UAVLINK_COUNT_FILE=\(file)"] + command
    }
}
