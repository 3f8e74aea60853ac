import IntegrationKit
import ChannelProtocol

/// A ROS master, a vehicle on it and `uavlink-companion` in front of it, each a process of its own.
struct VehicleUnderTest: Sendable {
    static let name = "uav1"

    /// Which vehicle.
    enum Kind: Sendable {
        /// `uavlink-sim`.
        case simulator
        /// The flight stack of MRS that may lie beside the project, with its own simulator.
        case flightStack
    }

    let master: ROSMasterProcess
    /// What programs of ours need to find the master and the companion.
    let environment: [String: String]
    let companion: ChildProcess
    /// The process whose node answers commands; `nil` in the flight stack, which has many.
    let service: ChildProcess?
    /// What a program in Python needs besides the master to know the vehicle's messages.
    private let types: [String: String]
    private let setting: Setting
    /// The companion's file: the one whose allocations can be counted, if they are.
    private let companionProgram: String

    /// Starts everything; the crew ends it.
    ///
    /// - Parameters:
    ///   - processor: the one that the companion keeps to.
    ///   - counting: under which name the companion's allocations are counted.
    ///   - beforeVehicle: called when the companion takes subscribers, and the vehicle is not there yet.
    init(
        _ setting: Setting, _ crew: Crew, _ kind: Kind = .simulator, processor: String? = nil, counting: String? = nil,
        beforeVehicle: (ROSMasterProcess) async throws -> Void = { _ in }
    ) async throws {
        self.setting = setting
        if counting != nil {
            guard let folder = setting.preloadable else {
                throw ProcessFailure("scripts/bench has built no companion whose allocations can be counted")
            }
            companionProgram = folder + "/uavlink-companion"
        } else {
            companionProgram = setting.programs + "/uavlink-companion"
        }
        master = try ROSMasterProcess(.roscore)
        let master = master
        await crew.atEnd { await master.stop() }
        try await master.start()
        environment = master.environment.merging(["XDG_RUNTIME_DIR": master.folder.path]) { $1 }
        let companion = try await crew.process(
            setting.counted(
                counting.map { Self.countFile($0, in: master) },
                Setting.keeping(to: processor, [companionProgram, "run"])),
            environment: environment)
        self.companion = companion
        try await beforeVehicle(master)
        switch kind {
        case .simulator:
            types = ["PYTHONPATH": setting.messages]
            service = try await crew.process([setting.programs + "/uavlink-sim"], environment: environment)
        case .flightStack:
            let stack = try MRSVehicle(hasRadio: false)
            await crew.atEnd { await stack.stop() }
            (types, service) = (stack.variables, nil)
            try await stack.start(environment: environment.merging(types) { $1 })
        }
        let isReached = try await eventually(within: .seconds(60)) {
            if let status = companion.exitStatus {
                throw ProcessFailure("the companion ended with \(status): \(companion.errors)")
            }
            return companion.errors.contains("connected to \(Self.name) over ros")
        }
        guard isReached else { throw ProcessFailure("the companion does not reach the vehicle: \(companion.errors)") }
    }

    /// Takes off, and returns when the vehicle is in the air.
    func takeOff() async throws { _ = try await uavlink(["takeoff", "--arm", "--wait", "--timeout", "60s"]) }

    /// A ticket for one session, as `uavlink` gets it over SSH.
    func ticket() async throws -> ChannelTicket {
        try ChannelTicket.find(in: try await run(companionProgram, ["bootstrap"]))
    }

    /// Ends the companion; the next bootstrap starts another.
    func stopCompanion() async throws { _ = try await run(companionProgram, ["stop"]) }

    /// Runs `uavlink` with the companion on this machine.
    func uavlink(_ arguments: [String], within limit: Duration = .seconds(90)) async throws -> String {
        try await run(setting.programs + "/uavlink", arguments, within: limit)
    }

    /// The environment of a program in Python that calls the vehicle.
    var python: [String: String] { master.environment.merging(types) { $1 } }

    /// Where a process of ours keeps the counts of its allocations.
    func countFile(_ name: String) -> String { Self.countFile(name, in: master) }

    private static func countFile(_ name: String, in master: ROSMasterProcess) -> String {
        "\(master.folder.path)/\(name).count"
    }

    /// Where a topic or a service is offered over TCPROS: host and port.
    static func address(
        of kind: String, _ name: String, _ setting: Setting, _ crew: Crew, environment: [String: String]
    ) async throws -> [String] {
        let lookUp = try await crew.process(
            [Setting.python, setting.scripts + "/tcpros_address.py", kind, name], environment: environment)
        guard try await lookUp.exit() == 0 else { throw ProcessFailure(lookUp.errors) }
        let address = lookUp.output.split(whereSeparator: \.isWhitespace).map(String.init)
        guard address.count == 2 else { throw ProcessFailure("no address of \(name): \(lookUp.output)") }
        return address
    }

    private func run(_ program: String, _ arguments: [String], within limit: Duration = .seconds(90)) async throws
        -> String
    {
        let process = try ChildProcess([program] + arguments, environment: environment)
        let status = try await process.exit(within: limit)
        guard status == 0 else {
            throw ProcessFailure(
                "\(program) \(arguments.joined(separator: " ")) ended with \(status): \(process.errors)")
        }
        return process.output
    }
}

extension Setting {
    /// The command on one processor, or as it is.
    static func keeping(to processor: String?, _ command: [String]) -> [String] {
        guard let processor else { return command }
        return ["/usr/bin/taskset", "-c", processor] + command
    }

    /// The command with its allocations counted in a file, or as it is.
    func counted(_ file: String?, _ command: [String]) -> [String] {
        guard let file else { return command }
        return ["/usr/bin/env", "LD_PRELOAD=\(peers)/count_allocations.so", "UAVLINK_COUNT_FILE=\(file)"] + command
    }
}
