import CommandLineKit
import Geodesy
import PointCloud
import ProgramKit
import ROS1
import ROSMessages
import SimulatedVehicleNode
import Simulation
import Synchronization
import SystemKit
import Threads
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The command line of `uavlink-sim`.
enum SimulatorProgram {
    static let uav = Argument.option(
        "uav", ValueKind.text.called("UAV"), default: "uav1", defaultText: "uav1", help: "the vehicle's name in ROS")
    static let master = Argument.option(
        "master", ValueKind.text.called("URI"), help: "the ROS master instead of ROS_MASTER_URI")
    static let ros = Argument.option(
        "ros", .integer(in: 1...2), default: 1, defaultText: "1",
        help: "the version of ROS: 1 with a master, 2 (Jazzy) over Zenoh with a router")
    static let router = Argument.option(
        "router", ValueKind.text.called("LOCATOR"), default: "tcp/127.0.0.1:7447", defaultText: "tcp/127.0.0.1:7447",
        help: "the Zenoh router, with --ros 2")
    static let domain = Argument.option(
        "domain", .integer(in: 0...232), help: "the domain of ROS 2 instead of ROS_DOMAIN_ID")
    static let seed = Argument.option(
        "seed", .integer(in: 0 ... .max), default: 1, defaultText: "1", help: "seed of its randomness")
    static let world = Argument.option(
        "world", .path,
        help: "an MRS world file: origin, safety area, obstacles; control_manager/world_config names it")
    static let map = Argument.option(
        "map", .path, help: "a point cloud (PCD, PLY, XYZ) in metres from the world's origin, published on map/points")
    static let zone = Argument.option(
        "zone", .integer(in: 1...60), help: "the UTM zone of a world file whose origin is in UTM (north of the equator)"
    )
    static let startX = Argument.option(
        "start-x", .number(unit: "metres"), default: 0, defaultText: "0", help: "start position, east of the origin")
    static let startY = Argument.option(
        "start-y", .number(unit: "metres"), default: 0, defaultText: "0", help: "start position, north of the origin")
    static let heading = Argument.option(
        "heading", .degrees(), default: 0, defaultText: "0", help: "initial heading, 0 is east, counter-clockwise")
    static let wind = Argument.option(
        "wind", .number(in: 0...25, unit: "m/s"), default: 0, defaultText: "0", help: "mean wind, m/s")
    static let windTowards = Argument.option(
        "wind-towards", .degrees(), default: 0, defaultText: "0", help: "direction the wind blows to, 0 is east")
    static let gusts = Argument.option(
        "gusts", .number(in: 0...10, unit: "m/s"), default: 0, defaultText: "0",
        help: "standard deviation of gusts, m/s")
    static let constraints = Argument.option(
        "constraints", ValueKind.choice(Constraints.names), default: "medium", defaultText: "medium",
        help: "limits of motion")
    static let speed = Argument.option(
        "speed", .number(in: 0.01...100), default: 1, defaultText: "1",
        help: "simulated seconds per second; if not 1, time is published on /clock")
    static let simulatedTime = Argument.flag("use-sim-time", help: "publish time on /clock at speed 1, too")
    static let clockLag = Argument.option(
        "clock-lag", .duration(in: .zero ... .seconds(3600)),
        help: "publish time on /clock that begins this far behind the wall clock, instead of at zero")
    static let battery = Argument.option(
        "battery", .number(in: 0...100, unit: "percent"), default: 100, defaultText: "100",
        help: "initial battery charge, percent")
    static let readyDelay = Argument.option(
        "ready-delay", .duration(in: .zero ... .seconds(60)), default: .zero, defaultText: "0s",
        help: "how long services fail at first, as while the real flight stack starts")
    static let answerDelay = Argument.option(
        "answer-delay", .duration(in: .zero ... .seconds(60)), default: .zero, defaultText: "0s",
        help: "delay of every service's answer; the command itself takes effect at once")

    static let machine = Argument.option(
        "machine", ValueKind<Machine>.choice, default: .hexacopter, defaultText: "hexacopter",
        help: "what is simulated; tello: a DJI Tello on UDP ports, without ROS, for uavlink --link tello://ADDRESS; "
            + "ardrone: a Parrot AR.Drone 2, the same; "
            + "bluno: a robot on a pseudo terminal, for uavlink --link bluno://PATH")

    /// What can be simulated.
    enum Machine: String, CaseIterable, Sendable {
        case hexacopter, ardrone, tello, bluno
    }

    private static let ofHexacopter: [any ArgumentDeclaration] = [
        machine, uav, ros, master, router, domain, seed, world, map, zone, startX, startY, heading, wind, windTowards,
        gusts, constraints,
        speed, simulatedTime, clockLag, battery, readyDelay, answerDelay,
    ]

    static let program = Program(
        CommandSpec(
            "uavlink-sim",
            summary: "a simulated hexacopter with the ROS interface of the real flight stack, or another machine",
            discussion: """
                It is a ROS node: rosservice, rostopic and rosbag of any ROS installation work with it when they
                know the mrs_msgs types (scripts/generate-python-messages makes them). It runs until Ctrl-C.
                Two services of its own are the safety pilot's radio. NAME/uavlink_sim/radio (std_srvs/SetBool): true
                takes the vehicle in flight out of offboard mode and holds it; the flight stack then switches its output
                off, as the real one does, and false, which requests offboard mode again, is refused without output.
                NAME/uavlink_sim/radio_land (std_srvs/Trigger) lands it by radio and disarms it.

                With --ros 2 it is the same vehicle in ROS 2 Jazzy, whose nodes reach each other through a Zenoh router
                (rmw_zenohd, or any other): --router says where. There is one node for each manager of the flight stack.

                With --machine tello it is a DJI Tello instead, on UDP ports and without ROS; of the other options only --battery is
                its own, and those that name it. With --machine ardrone it is a Parrot AR.Drone 2; --address is
                its own too. With --machine bluno it is a robot with two driven wheels on a pseudo terminal,
                whose path it prints.
                """,
            arguments: ofHexacopter + ARDroneSimulation.arguments + TelloSimulation.arguments
                + BlunoSimulation.arguments + [MachineFaults.option, MachineRun.track],
            examples: [
                .init("uavlink-sim --uav uav1", "with the master of ROS_MASTER_URI"),
                .init("uavlink-sim --ros 2 --router tcp/127.0.0.1:7447", "in ROS 2, behind a Zenoh router"),
                .init("uavlink-sim --wind 5 --gusts 1 --seed 7", "in gusty wind, reproducible"),
                .init("uavlink-sim --machine ardrone", "an AR.Drone for uavlink --link ardrone://127.0.0.1"),
                .init("uavlink-sim --machine tello", "a Tello for uavlink --link tello://127.0.0.1"),
                .init("uavlink-sim --machine tello --track", "the same, and where it truly flies, as lines of JSON"),
                .init("uavlink-sim --machine tello --faults dark,lost-reply", "a faulty one"),
                .init("uavlink-sim --machine bluno", "a robot for uavlink --link bluno:///dev/pts/N, as it prints"),
            ],
            exitCodes: [
                .init(0, "ended by Ctrl-C, as other ROS nodes"), .init(2, "usage error or invalid input"),
                .init(70, "internal error"), .init(143, "ended by SIGTERM"),
            ], seeAlso: ["uavlink", "uavlink-companion"]),
        version: Version.text)

    /// Acts on a parsed command line and returns the program's exit code.
    static func end(_ outcome: ParseOutcome) async -> Int32 {
        switch outcome {
        case .print(let text):
            StandardStream.output.write(text)
            return 0
        case .fail(let error): return complain(error.description, code: UsageError.exitCode)
        case .run(let arguments):
            do {
                switch try arguments[machine] {
                case .hexacopter: return try await run(arguments)
                case .ardrone: return try await ARDroneSimulation.run(arguments)
                case .tello: return try await TelloSimulation.run(arguments)
                case .bluno: return try await BlunoSimulation.run(arguments)
                }
            } catch let error as ROSError {
                return complain(
                    error.description, code: [.invalidConfiguration, .invalidName].contains(error.code) ? 2 : 70)
            } catch {
                return complain("\(error)", code: 2)
            }
        }
    }

    private static func complain(_ line: String, code: Int32) -> Int32 {
        StandardStream.error.write("uavlink-sim: \(line.sanitizedLine)\n")
        return code
    }

    /// Runs until a signal ends it.
    ///
    /// - Returns: the exit code: 0 after Ctrl-C, which is how a ROS node is ended.
    private static func run(_ arguments: ParsedCommand) async throws -> Int32 {
        try MachineFaults.refuse(arguments, of: "the hexacopter")
        let simulator = try HexacopterSimulator(try configuration(arguments))
        var settings = SimulatedVehicleNode.Settings()
        settings.speed = try arguments[speed]
        settings.usesSimulatedTime = try arguments[simulatedTime]
        settings.clockLag = try arguments[clockLag]
        settings.answerDelay = try arguments[answerDelay]
        settings.log = { StandardStream.error.write("uavlink-sim: \($0.sanitizedLine)\n") }
        settings.worldPath = try arguments[world].map(FilePath.absolute)
        if let path = try arguments[map] { settings.map = try await cloud(path) }
        let run = try node(simulator, arguments, settings)
        let work = Task { try await run() }
        let signal = Atomic<Int32>(SIGINT)
        let signals = InterruptWatch { number in
            signal.store(number, ordering: .relaxed)
            work.cancel()
        }
        try await work.value
        withExtendedLifetime(signals) {}
        let number = signal.load(ordering: .relaxed)
        return number == SIGINT ? 0 : InterruptWatch.exitCode(ofSignal: number)
    }

    /// The vehicle in the wanted version of ROS.
    private static func node(
        _ simulator: HexacopterSimulator, _ arguments: ParsedCommand, _ settings: SimulatedVehicleNode.Settings
    ) throws -> @Sendable () async throws -> Void {
        guard try arguments[ros] == 1 else {
            let node = try SimulatedVehicleROS2Node(
                simulator, configuration: try ROS2Simulation.configuration(arguments), settings: settings)
            return { try await node.run() }
        }
        var environment = HostProcess.environment
        if let master = try arguments[master] { environment["ROS_MASTER_URI"] = master }
        var ros = try ROSConfiguration(name: "uavlink_sim", environment: environment)
        // In the vehicle's namespace, like its own nodes: that is how its lines on /rosout are attributed to the vehicle.
        ros.names = try NameResolver(name: "uavlink_sim", namespace: simulator.configuration.vehicle)
        let node = try SimulatedVehicleNode(simulator, configuration: ros, settings: settings)
        return { try await node.run() }
    }

    /// Larger than the largest message that a node accepts.
    private static let mapLimits = CloudLimits(points: 5_000_000, fileBytes: 1 << 28)

    private static func cloud(_ path: String) async throws -> PointCloud {
        let read = await DedicatedThread.run { () -> Result<CloudReading, PointCloudError> in
            do throws(PointCloudError) { return .success(try CloudFile.read(path, limits: mapLimits)) } catch {
                return .failure(error)
            }
        }
        guard let read else { throw ROSError(.systemFailure, "cannot create a thread", hint: "raise 'ulimit -u'") }
        let reading = try read.get()
        for note in reading.notes { StandardStream.error.write("uavlink-sim: warning: \(note.sanitizedLine)\n") }
        return reading.cloud
    }

    /// The largest world file accepted; real ones are far smaller.
    private static let largestWorldBytes = 1 << 20

    private static func configuration(_ arguments: ParsedCommand) throws -> SimulatorConfiguration {
        var configuration = SimulatorConfiguration()
        configuration.vehicle = try arguments[uav]
        configuration.seed = UInt64(try arguments[seed])
        configuration.startXMetres = try arguments[startX]
        configuration.startYMetres = try arguments[startY]
        configuration.startHeadingRadians = Heading.radians(degrees: try arguments[heading])
        let (speed, towards) = (try arguments[wind], Heading.radians(degrees: try arguments[windTowards]))
        configuration.windMetresPerSecond = Vector3(x: speed * cos(towards), y: speed * sin(towards), z: 0)
        configuration.batteryCharge = try arguments[battery] / 100
        configuration.readyAfterSeconds = try arguments[readyDelay].inSeconds
        configuration.gustsMetresPerSecond = try arguments[gusts]
        configuration.constraints = try arguments[constraints]
        guard let path = try arguments[world] else { return configuration }
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.read(path, limit: largestWorldBytes)
        } catch {
            throw UsageError("cannot read the world file \(path): \(error)", hint: "check its path and mode")
        }
        configuration.world = try WorldFileReader.read(bytes, source: path)
        switch configuration.world.origin {
        case .geographic(let place):
            configuration.zone = try UTMZone(containing: place)
        case .utm:
            guard let number = try arguments[zone] else {
                throw UsageError("the UTM origin in \(path) has no zone", hint: "give it with --zone")
            }
            configuration.zone = UTMZone(number: number, isNorth: true)
        }
        return configuration
    }
}
