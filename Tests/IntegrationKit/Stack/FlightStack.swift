internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The whole stack on this machine: roscore, a vehicle (`uavlink-sim`, or the real flight stack), an `sshd`, and a profile that reaches them; the companion is
/// started by the bootstrap, as on a vehicle.
///
/// Everything is on free loopback ports and in temporary folders, and ends with ``stop()`` or, by the guardian of each
/// process, with the test process.
public final class FlightStack: Sendable {
    /// What a program that has ended left.
    public struct Outcome: Sendable {
        /// Its exit status; 128 and the signal's number when a signal ended it.
        public var status: Int32
        /// What it wrote to standard output.
        public var output: String
        /// What it wrote to standard error.
        public var errors: String
        /// From its start to its end, the guardian's start included.
        public var duration: Duration

        /// What a program that has ended left.
        public init(_ child: ChildProcess, status: Int32, since begun: ContinuousClock.Instant) {
            self.status = status
            output = child.output
            errors = child.errors
            duration = ContinuousClock.now - begun
        }
    }

    /// Why it cannot run on this machine; `nil` when it can.
    public static let missing: String? = {
        let programs = ["/usr/bin/roscore", "/usr/bin/rosservice", "/usr/bin/rostopic", "/usr/sbin/sshd"]
        for program in programs where !FileManager.default.isExecutableFile(atPath: program) {
            return "\(program) is not installed"
        }
        for module in ["rospy", "genpy"]
        where !FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\(module)") {
            return "\(module) is not installed"
        }
        return BuiltPrograms.folder == nil ? "the programs are not built" : nil
    }()

    /// The ROS master.
    public let master: ROSMasterProcess
    /// The vehicle's SSH server; the current user logs in.
    public let ssh: SSHServer
    /// What lies here goes with the stack.
    public let folder: TemporaryFolder
    /// The configuration file; its one profile is called `stack`.
    public var configuration: String { folder.path + "/config.yaml" }
    /// Where the companion's control socket and log are.
    public var runtimeDirectory: String { folder.path + "/run" }
    private let processes = Processes()

    /// Which vehicle flies.
    public enum Vehicle: Sendable {
        /// `uavlink-sim`.
        case simulator
        /// The real flight stack: ``MRSVehicle``.
        case real
        /// The same, watched by a ``SafetyPilot``.
        case realWithRadio
    }

    /// The real vehicle, when it is to fly.
    private let real: MRSVehicle?

    private actor Processes {
        var simulator: ChildProcess?
        var witness: FlightWitness?
        func take(simulator: ChildProcess?) { self.simulator = simulator }
        func take(witness: FlightWitness?) { self.witness = witness }
    }

    /// Chooses ports and folders; ``start()`` starts it.
    ///
    /// - Parameter sshOptions: lines of `sshd_config` in place of the usual ones.
    public init(
        _ vehicle: Vehicle = .simulator, master kind: ROSMasterProcess.Kind = .roscore, sshOptions: [String] = []
    ) async throws {
        real = vehicle == .simulator ? nil : try MRSVehicle(hasRadio: vehicle == .realWithRadio)
        master = try ROSMasterProcess(kind)
        ssh = try await SSHServer(options: sshOptions)
        folder = try TemporaryFolder()
    }

    /// What a ROS program needs in its environment to see the vehicle and to know its types.
    public var rosEnvironment: [String: String] {
        if let real { return master.environment.merging(real.variables) { _, new in new } }
        let types = folder.path + "/python"
        return master.environment.merging(["PYTHONPATH": types, "ROS_PACKAGE_PATH": types]) { _, new in new }
    }

    // MARK: Life

    /// Starts everything but the companion, and returns when the vehicle's services stand.
    public func start() async throws {
        try FileManager.default.createDirectory(
            atPath: runtimeDirectory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if real == nil {
            let python = try ChildProcess(
                [BuiltPrograms.repository + "/scripts/generate-python-messages", folder.path + "/python"])
            guard try await python.exit(within: .seconds(120)) == 0 else { throw ProcessFailure(python.errors) }
        }
        try writeProfile()
        if real == nil { try folder.write(Self.standardWorld, to: "world.yaml") }
        try await master.start()
        try await ssh.start()
        try await startSimulator()
    }

    /// Ends everything, the companion too.
    public func stop() async {
        await endCompanion()
        await processes.witness?.stop()
        await processes.take(witness: nil)
        await stopSimulator()
        await ssh.stop()
        await master.stop()
    }

    /// The lines that the profile runs before each command on the vehicle.
    public var setup: String { ". \(folder.path)/setup.bash" }

    private func writeProfile() throws {
        let variables = rosEnvironment.merging(["UAVLINK_RUNTIME_DIR": runtimeDirectory]) { _, new in new }
        let exports = variables.filter { $0.key != "HOME" }.sorted { $0.key < $1.key }
            .map { "export \($0.key)='\($0.value)'\n" }
        try folder.write(exports.joined(), to: "setup.bash")
        try folder.write(try profile(), to: "config.yaml")
    }

    /// The text of a configuration file that reaches this stack, with some lines of the profile replaced.
    public func profile(_ changes: [String: String] = [:]) throws -> String {
        let usual = [
            "host": "127.0.0.1", "port": "\(ssh.port)", "user": ssh.user, "uav": "uav1", "setup": setup,
            "companion": try BuiltPrograms.path("uavlink-companion"), "identity": ssh.userKey,
            "known-hosts": ssh.knownHosts, "ros-master": master.uri,
        ]
        let lines = usual.merging(changes) { _, new in new }.sorted { $0.key < $1.key }
            .map { "    \($0.key): \($0.value)\n" }
        return "default: stack\nvehicles:\n  stack:\n" + lines.joined()
    }

    /// Writes such a file beside the usual one and returns its path.
    public func configuration(_ changes: [String: String]) throws -> String {
        try folder.write(profile(changes), to: "config-\(UInt32.random(in: 0 ... .max)).yaml")
    }

    // MARK: The vehicle

    /// The world file that the vehicle names, unless the simulator was started with another one.
    public var worldFile: String { real?.worldFile ?? folder.file("world.yaml") }

    /// Starts the vehicle under the master.
    ///
    /// - Parameter options: more of the simulator's command line.
    public func startSimulator(options: [String] = []) async throws {
        if let real { return try await real.start(environment: rosEnvironment) }
        let world = options.contains("--world") ? [] : ["--world", worldFile]
        let simulator = try ChildProcess(
            [BuiltPrograms.path("uavlink-sim"), "--uav", "uav1"] + world + options, environment: rosEnvironment)
        await processes.take(simulator: simulator)
        let isReady = try await eventually(within: .seconds(60)) {
            if let status = simulator.exitStatus {
                throw ProcessFailure("uavlink-sim ended with \(status): \(simulator.errors)")
            }
            return simulator.errors.contains("ready")
        }
        guard isReady else { throw ProcessFailure("uavlink-sim is not ready: \(simulator.errors)") }
    }

    /// Has the real vehicle start with another world file from now on; nothing for the simulator.
    public func setWorld(_ text: String) async { await real?.setWorld(text) }

    /// Starts the vehicle, in place of one that runs, with another world in its world file. The companion is ended, too.
    public func startSimulator(inWorld text: String) async throws {
        await endCompanion()
        await stopSimulator()
        await dismissWitness()
        if let real { await real.setWorld(text) } else { try folder.write(text, to: "world.yaml") }
        try await startSimulator()
    }

    /// Ends the vehicle.
    public func stopSimulator() async {
        await real?.stop()
        await processes.simulator?.stop()
        await processes.take(simulator: nil)
    }

    /// Stops the simulated vehicle's process in its tracks, or lets it go on: its sockets stay open, and nothing answers.
    public func freezeSimulator(_ freeze: Bool) async {
        guard let simulator = await processes.simulator, let pid = simulator.pid else { return }
        simulator.signal(freeze ? SIGSTOP : SIGCONT)
        // A signal takes a moment until the last thread has seen it.
        if freeze { _ = await eventually { ProcessHoldings.isStopped(pid) } }
    }

    /// The pilot with the radio of a vehicle that has one.
    public func safetyPilot() async throws -> SafetyPilot {
        guard let pilot = await real?.pilot else { throw ProcessFailure("nobody watches this vehicle with a radio") }
        return pilot
    }

    /// The simulated vehicle's process.
    public var simulatorProcess: Int32? { get async { await processes.simulator?.pid } }

    /// What the simulated vehicle has logged.
    public var simulatorLog: String { get async { await processes.simulator?.errors ?? "" } }

    /// What the vehicle's programs have said lately: for the message of a test that failed.
    public var vehicleLog: String { get async { if let real { real.logs() } else { await simulatorLog } } }

    /// What the real flight stack has warned of; nothing for the simulated vehicle.
    public var vehicleWarnings: String { real?.warnings() ?? "" }

    /// How long the threads of the real vehicle have waited for a processor so far; of none for the simulated one.
    public var vehicleWaits: VehicleWaits { real?.waits() ?? VehicleWaits(of: []) }

    /// The rospy node that watches the vehicle, started when it is first asked for.
    public func witness() async throws -> FlightWitness {
        if let present = await processes.witness { return present }
        let witness = try FlightWitness(environment: rosEnvironment)
        await processes.take(witness: witness)
        try await witness.ready()
        try await witness.sees("the vehicle", within: .seconds(30)) {
            $0.odometry > 0 && $0.tracker != nil && $0.armed != nil
        }
        return witness
    }

    /// Ends the witness: rospy does not come back to a master that was restarted.
    public func dismissWitness() async {
        await processes.witness?.stop()
        await processes.take(witness: nil)
    }

    /// Puts the vehicle back on the ground when a test left it elsewhere.
    public func ground() async throws {
        await freezeSimulator(false)
        // It may have failed to start for the test before.
        if await real?.isRunning ?? true {
            let account = try await witness().account()
            if account.standsOnGround && !account.hadEmergency { return }
        }
        await stopSimulator()
        // What it has seen is over, too.
        await dismissWitness()
        try await startSimulator()
        try await witness().sees("the vehicle on the ground") { $0.standsOnGround && $0.speed < 0.1 }
    }
}

extension FlightStack {
    /// The world that the simulator has without a world file.
    public static let standardWorld = """
        world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}
        safety_area:
          enabled: true
          horizontal: {frame_name: world_origin, points: [-100, -100, 100, -100, 100, 100, -100, 100]}
          vertical: {frame_name: world_origin, min_z: 0.5, max_z: 30.0}

        """
}

/// Runs `body` with a stack of its own and ends the stack whatever `body` does.
public func withFlightStack<Result: Sendable>(
    _ vehicle: FlightStack.Vehicle = .simulator, master kind: ROSMasterProcess.Kind = .roscore,
    sshOptions: [String] = [], _ body: (FlightStack) async throws -> Result
) async throws -> Result {
    let stack = try await FlightStack(vehicle, master: kind, sshOptions: sshOptions)
    do {
        try await stack.start()
        let result = try await body(stack)
        await stack.stop()
        return result
    } catch {
        await stack.stop()
        throw error
    }
}
