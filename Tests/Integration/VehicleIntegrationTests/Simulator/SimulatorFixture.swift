import IntegrationKit
import ROS1
import SimulatedVehicleNode
import Simulation
import Synchronization

/// A simulated vehicle in this process, under a real master, with the Python classes of its messages.
struct SimulatorFixture {
    let master: ROSMasterProcess
    let environment: [String: String]
    let lines: Collected<String>

    /// Runs a program of an untouched ROS to its end.
    func tool(_ command: String..., within timeout: Duration = .seconds(40)) async throws -> String {
        let child = try ChildProcess(
            ["/usr/bin/" + (command.first ?? "")] + command.dropFirst(), environment: environment)
        let status = try await child.exit(within: timeout)
        guard status == 0 else { throw ProcessFailure("\(command): \(child.output) \(child.errors)") }
        return child.output
    }

    /// Starts a Python program.
    func python(_ program: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(["/usr/bin/python3", "-c", program] + arguments, environment: environment)
    }

    /// Runs `body` with a vehicle that is ready, and ends everything whatever `body` does.
    ///
    /// - Parameter clockLag: how far simulated time is behind the wall clock; `nil` for the wall clock itself.
    static func run(
        speed: Double = 1, clockLag: Duration? = nil, _ change: (inout SimulatorConfiguration) -> Void = { _ in },
        _ body: (SimulatorFixture) async throws -> Void
    ) async throws {
        try await withROSMaster { master in
            var environment = master.environment
            let classes = master.folder.path + "/python"
            let generator = try ChildProcess(
                ["/usr/bin/python3", BuiltPrograms.repository + "/scripts/generate-python-messages", classes],
                environment: environment)
            guard try await generator.exit() == 0 else { throw ProcessFailure(generator.errors) }
            environment["PYTHONPATH"] = classes
            environment["ROS_PACKAGE_PATH"] = classes + ":/usr/share"

            var configuration = SimulatorConfiguration()
            change(&configuration)
            var ros = try ROSConfiguration(name: "uavlink_sim", environment: environment)
            ros.names = try NameResolver(name: "uavlink_sim", namespace: configuration.vehicle)
            let lines = Collected<String>()
            var settings = SimulatedVehicleNode.Settings()
            settings.speed = speed
            settings.clockLag = clockLag
            settings.log = { lines.append($0) }
            let node = try SimulatedVehicleNode(
                try HexacopterSimulator(configuration), configuration: ros, settings: settings)
            let living = Task { try await node.run() }
            let isReady = await eventually(within: .seconds(20)) { lines.all.contains { $0.contains("is ready") } }
            do {
                guard isReady else { throw ProcessFailure("the simulated vehicle is not ready: \(lines.all)") }
                try await body(SimulatorFixture(master: master, environment: environment, lines: lines))
            } catch {
                living.cancel()
                _ = await living.result
                throw error
            }
            living.cancel()
            try await living.value
        }
    }
}
