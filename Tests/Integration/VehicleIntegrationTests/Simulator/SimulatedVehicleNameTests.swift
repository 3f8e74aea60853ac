import IntegrationKit
import Testing

/// `--vehicle sim` flies the vehicle of `uavlink sim`, and no other, whatever is configured.
@Suite("The vehicle named sim", .serialized, .timeLimit(.minutes(MachinePace.minutes(2))))
struct SimulatedVehicleNameTests {
    private func environment(_ folder: TemporaryFolder) throws -> [String: String] {
        // The default is a vehicle that is not to be armed.
        try folder.write("default: hexa1\nvehicles: {hexa1: {host: 192.0.2.1, user: mrs}}\n", to: "config.yaml")
        return ["UAVLINK_RUNTIME_DIR": folder.path + "/run", "HOME": folder.path, "PATH": "/usr/bin:/bin"]
    }

    @Test func `the hint of uavlink sim flies the simulated vehicle, and the answer names it`() async throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let program = try BuiltPrograms.path("uavlink")
        let configuration = ["--config", folder.path + "/config.yaml"]
        let simulator = try ChildProcess([program, "sim"] + configuration, environment: environment)
        let hint = try await simulator.line(ofErrorsContaining: "in another terminal: ")
        let words = try #require(hint.split(separator: "terminal: uavlink ").last).split(separator: " ").map(
            String.init)
        #expect(words == ["--vehicle", "sim", "takeoff", "--arm", "--wait"])
        let takeOff = try ChildProcess([program] + words + configuration, environment: environment)
        #expect(try await takeOff.exit() == 0, "\(takeOff.errors)")
        #expect(takeOff.output.hasPrefix("uav1 (simulated): "), "\(takeOff.output)")
        let hover = try ChildProcess(
            [program, "--vehicle", "sim", "hover", "--json"] + configuration, environment: environment)
        #expect(try await hover.exit() == 0, "\(hover.errors)")
        #expect(hover.output.contains("\"target\": \"uav1 (simulated)\""), "\(hover.output)")
        // What is found without a name is called what it says it is.
        try folder.write("{}\n", to: "empty.yaml")
        let status = try ChildProcess(
            [program, "status", "--json", "--config", folder.path + "/empty.yaml"], environment: environment)
        #expect(try await status.exit() == 0, "\(status.errors)")
        #expect(status.output.contains("\"target\": \"uav1 on this machine (simulated)\""), "\(status.output)")
        simulator.signal(15)
        _ = try await simulator.exit()
    }

    @Test func `the simulator is about no configured vehicle, and refuses options that it would ignore`() async throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let program = try BuiltPrograms.path("uavlink")
        let configuration = ["--config", folder.path + "/config.yaml"]
        for option in [["--host", "192.0.2.1"], ["--user", "mrs"], ["--link", "ssh"], ["--record", folder.path]] {
            let refused = try ChildProcess([program, "sim"] + option, environment: environment)
            #expect(try await refused.exit() == 2, "\(option)")
            #expect(refused.errors.contains("\(option[0]) means nothing to 'uavlink sim'"), "\(refused.errors)")
        }
        let simulator = try ChildProcess([program, "sim"] + configuration, environment: environment)
        _ = try await simulator.line(ofErrorsContaining: "is ready")
        let second = try ChildProcess([program, "sim"] + configuration, environment: environment)
        #expect(try await second.exit() != 0)
        #expect(!second.errors.contains("hexa1"), "\(second.errors)")
        simulator.signal(15)
        _ = try await simulator.exit()
    }

    @Test func `over the link sim nothing reaches the host of the configured vehicle`() async throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let start = [try BuiltPrograms.path("uavlink"), "--link", "sim", "--config", folder.path + "/config.yaml"]
        let exec = try ChildProcess(start + ["exec", "--", "true"], environment: environment)
        #expect(try await exec.exit() == 2, "\(exec.output)")
        #expect(exec.errors.contains("the simulated vehicle has no computer to run commands on"), "\(exec.errors)")
        let doctor = try ChildProcess(start + ["doctor"], environment: environment)
        #expect(try await doctor.exit() == 0, "\(doctor.output) \(doctor.errors)")
        #expect(doctor.output.hasPrefix("uav1 (simulated)\n"), "\(doctor.output)")
        #expect(doctor.output.contains("simulated inside this program"), "\(doctor.output)")
        #expect(!doctor.output.contains("SSH"), "\(doctor.output)")
        let mission = try ChildProcess(start + ["mission", "--links", "udp"], environment: environment)
        #expect(try await mission.exit() == 2, "\(mission.output)")
        #expect(mission.errors.contains("the udp link does not lead to the vehicle of --link sim"), "\(mission.errors)")
        // Nor is what the one in this program did told of that vehicle.
        let missions = [start[0], "--config", folder.path + "/config.yaml", "mission", "--links"]
        let mixed = try ChildProcess(missions + ["sim,udp"], environment: environment)
        #expect(try await mixed.exit() == 2, "\(mixed.output)")
        #expect(mixed.errors.contains("the sim link leads to another vehicle than the others"), "\(mixed.errors)")
        let none = try ChildProcess(missions + [""], environment: environment)
        #expect(try await none.exit() == 2 && none.errors.contains("found ''"), "\(none.errors)")
        let other = try ChildProcess(missions + ["sim"], environment: environment)
        _ = try await other.line(ofErrorsContaining: "uav1 (simulated): flying over sim")
        other.signal(2)
        _ = try await other.exit()
        #expect(!other.errors.contains("hexa1") && !other.output.contains("hexa1"), "\(other.errors) \(other.output)")
        let inside = try ChildProcess(start + ["mission", "--json"], environment: environment)
        #expect(try await inside.exit(within: .seconds(90)) == 0, "\(inside.output) \(inside.errors)")
        #expect(inside.output.contains("\"link\": \"sim\""), "\(inside.output)")
    }

    @Test func `the ROS master of another vehicle is not measured under that name`() async throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let program = try BuiltPrograms.path("uavlink")
        let simulator = try ChildProcess([program, "sim"], environment: environment)
        _ = try await simulator.line(ofErrorsContaining: "is ready")
        let latency = try ChildProcess(
            [program, "--vehicle", "sim", "latency", "--links", "ros", "--for", "1s"], environment: environment)
        #expect(try await latency.exit() == 2, "\(latency.output)")
        #expect(latency.errors.contains("the simulated vehicle has no ROS"), "\(latency.errors)")
        simulator.signal(15)
        _ = try await simulator.exit()
    }

    @Test func `a companion of a real vehicle on this machine is not flown under that name`() async throws {
        try await withROSMaster { master in
            let folder = try TemporaryFolder()
            let environment = try environment(folder)
            let companion = try ChildProcess(
                [BuiltPrograms.path("uavlink-companion"), "run"],
                environment: master.environment.merging(environment) { $1 })
            _ = try await companion.line(ofErrorsContaining: "for uav1: udp")
            let takeOff = try ChildProcess(
                [
                    BuiltPrograms.path("uavlink"), "--vehicle", "sim", "takeoff", "--arm", "--config",
                    folder.path + "/config.yaml",
                ], environment: environment)
            #expect(try await takeOff.exit() == 3, "\(takeOff.output)")
            #expect(takeOff.errors.contains("is not that of a simulated vehicle"), "\(takeOff.errors)")
            companion.signal(15)
            #expect(try await companion.exit() == 0, "\(companion.errors)")
        }
    }
}
