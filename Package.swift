// swift-tools-version: 6.2
import PackageDescription

#if os(Linux)
    let onLinux = true
#else
    let onLinux = false
#endif

/// What every target of ours is built with: warnings are errors, and the strictest rules the toolchain knows.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// scripts/bench counts what the companion allocates, by a library that is loaded before all others; a program that is linked
/// statically loads none.
let preloadable = Context.environment["UAVLINK_PRELOADABLE"] == "1"

/// Rounding and the like are calls into libm on Linux, and only `import Glibc`, which the core does without, links it.
let mathematics: [LinkerSetting] = [.linkedLibrary("m", .when(platforms: [.linux]))]

/// The layers; the folder of a target is `Sources/<Layer>/<name>`, that of its tests `Tests/<Layer>/<name>Tests`.
/// `Tools/CheckArrows/Layers.swift` has their order.
enum Layer: String {
    case programs = "Programs"
    case frontEnd = "FrontEnd"
    case modes = "Modes"
    case flight = "Flight"
    case links = "Links"
    case vehicles = "Vehicles"
    case middleware = "Middleware"
    case core = "Core"
    case terminal = "Terminal"
    case support = "Support"
    case libraries = "Libraries"
    case tools = "Tools"
}

/// What runs on a vehicle must be small. Without the regular expressions of the standard library and what stands beside them, which
/// take a tenth of a program that is linked statically; for searching in texts there is `TextSearch`. In releases the
/// linker removes each function that nothing calls, also a public one, which Swift keeps otherwise: another eighth.
let lean: [SwiftSetting] = [
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
    .unsafeFlags(
        ["-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections"],
        .when(platforms: [.linux], configuration: .release)),
]

/// A library target; `uses` is the complete list of what it may import.
///
/// - Parameter computes: optimised in debug builds too: its loops go over many thousand elements, and are ten to thirty times
///   slower without, which is most of the time that unit tests take; or it is what companion and simulator spend their time in
///   while the tests with real servers run, which keep both processors busy.
/// - Parameter isGenerated: releases have no names of the fields of its types (`Mirror`), which nothing asks for.
func library(
    _ name: String, _ layer: Layer, uses: [String] = [], resources: [Resource] = [], exclude: [String] = [],
    computes: Bool = false, isGenerated: Bool = false
) -> Target {
    // All that the companion and the simulator consist of.
    let isLean = [.support, .core, .middleware, .vehicles, .links].contains(layer)
    var optimised: [SwiftSetting] = computes ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []
    if isGenerated {
        optimised.append(
            .unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"], .when(configuration: .release)))
    }
    return .target(
        name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/\(layer.rawValue)/\(name)",
        exclude: exclude, resources: resources, swiftSettings: strict + optimised + (isLean ? lean : []),
        linkerSettings: mathematics)
}

/// A library target of which only tests are made.
func testKit(_ name: String, uses: [String]) -> Target {
    .target(
        name: name, dependencies: uses.map { .byName(name: $0) }, path: "Tests/\(name)", swiftSettings: strict,
        linkerSettings: mathematics)
}

/// A mode: target `<name>Mode` in `Sources/Modes/<name>`.
func mode(_ name: String, uses: [String]) -> Target {
    .target(
        name: name + "Mode", dependencies: uses.map { .byName(name: $0) }, path: "Sources/Modes/\(name)",
        swiftSettings: strict, linkerSettings: mathematics)
}

/// A program: argument parsing and wiring only.
///
/// - Parameter isStatic: the release for Linux needs no library of the machine that it runs on, and no loader: it runs on any
///   Linux of its architecture (`preloadable`: as the others). Other releases hold Swift's runtime only: they run where no toolchain is, and start in three
///   quarters of the time.
func program(_ name: String, uses: [String], isStatic: Bool = false) -> Target {
    // What the loader has written is not written any more; functions with the same instructions are kept once.
    let protected = ["-Xlinker", "-z", "-Xlinker", "relro"]
    // What nothing needs is replaced (`left_out.c`). Frames of functions are found without an index: nothing is unwound but where
    // C++ throws.
    let unicode = ["ScalarName", "NameAlias", "Age", "Script", "ScriptExtensions"].map { "_swift_stdlib_get\($0)" }
    let backtrace = ["_swift_backtrace_isThunkFunction", "_swift_backtraceSettings"]
    let leftOut = (unicode + backtrace + ["atan", "tan"]).flatMap { ["-Xlinker", "--wrap=\($0)"] }
    let whole = ["-static-executable", "-Xlinker", "--icf=all", "-Xlinker", "--no-eh-frame-hdr"] + leftOut
    return .executableTarget(
        name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/Programs/\(name)",
        swiftSettings: strict,
        linkerSettings: [
            .unsafeFlags(
                (isStatic && !preloadable ? whole : ["-static-stdlib"]) + protected,
                .when(platforms: [.linux], configuration: .release)
            )
        ])
}

/// A program that only the build uses.
func tool(_ name: String, uses: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: uses.map { .byName(name: $0) }, path: "Tools/\(name)", swiftSettings: strict)
}

/// Tests of one library; of several when it stands in no layer.
func tests(
    _ name: String, _ layer: Layer? = nil, uses: [String], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: uses.map { .byName(name: $0) },
        path: layer.map { "Tests/\($0.rawValue)/\(name)" } ?? "Tests/\(name)", exclude: exclude,
        resources: resources, swiftSettings: strict)
}

/// Tests with real servers and programs, in `Tests/Integration/<name>`: a lane of `scripts/test`, which goes by the name's end.
func integrationTests(_ name: String, uses: [String]) -> Target {
    .testTarget(
        name: name, dependencies: uses.map { .byName(name: $0) }, path: "Tests/Integration/\(name)",
        swiftSettings: strict)
}

/// A libFuzzer target in `Tests/Fuzz/<name>`; built by `scripts/fuzz` only.
func fuzz(_ name: String, uses: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: (["FuzzKit"] + uses).map { .byName(name: $0) }, path: "Tests/Fuzz/\(name)",
        exclude: ["seeds"], swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
}

/// C code of ours.
func shim(_ name: String) -> Target {
    .target(
        name: name, path: "Sources/Libraries/\(name)", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])])
}

/// A C library of the system, found by pkg-config and installed by `scripts/setup`.
func systemLibrary(_ name: String, pkgConfig: String?, apt: String, brew: String?) -> Target {
    var providers: [SystemPackageProvider] = [.apt([apt])]
    if let brew { providers.append(.brew([brew])) }
    return .systemLibrary(
        name: name, path: "Sources/Libraries/\(name)", pkgConfig: pkgConfig, providers: providers)
}

let package = Package(
    name: "uavlink",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "uavlink", targets: ["uavlink"]),
        .executable(name: "uavlink-companion", targets: ["uavlink-companion"]),
        .executable(name: "uavlink-sim", targets: ["uavlink-sim"]),
    ],
    targets: [
        // The heart.
        library("UAVLink", .core, computes: true),
        library("Threads", .support, computes: true),
        // What the C library has and Swift does not import.
        shim("CSystemIO"),
        library("TextSearch", .support),
        library("SystemIO", .support, uses: ["TextSearch", "Threads", "CSystemIO"], computes: true),
        // Memory that is wiped when it is released.
        library("Secrets", .support),
        // Of files, keys and names.
        library("Digests", .support, uses: ["CSodium"]),

        // System libraries.
        systemLibrary("CLibSSH2", pkgConfig: "libssh2", apt: "libssh2-1-dev", brew: "libssh2"),
        systemLibrary("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev", brew: "libsodium"),
        // Only its header: GameController loads the library when it is first needed (see SDLLibrary.swift), and pkg-config would
        // link it to every program. Elsewhere than on Linux the header is found in no other way.
        systemLibrary("CSDL2", pkgConfig: onLinux ? nil : "sdl2", apt: "libsdl2-dev", brew: "sdl2"),
        systemLibrary("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
        systemLibrary("CVTerm", pkgConfig: "vterm", apt: "libvterm-dev", brew: "libvterm"),
        systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        systemLibrary("CLZ4", pkgConfig: "liblz4", apt: "liblz4-dev", brew: "lz4"),
        systemLibrary("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
        // Only its header as well: RouteFiles loads it (see ZipLibrary.swift).
        systemLibrary("CZip", pkgConfig: onLinux ? nil : "libzip", apt: "libzip-dev", brew: "libzip"),
        // Only its header, on Linux only: DBus loads it (see BusLibrary.swift).
        systemLibrary("CSystemd", pkgConfig: nil, apt: "libsystemd-dev", brew: nil),
        // adjtimex, which Swift's module of the C library lacks.
        systemLibrary("CKernelClock", pkgConfig: nil, apt: "libc6-dev", brew: nil),

        // Domain.
        library("ForeignFiles", .support, uses: ["TextSearch"]),
        library("YAML", .support, uses: ["CYAML"]),
        library("XML", .support, uses: ["CExpat"]),
        library("JSON", .support, computes: true),
        library("FlightVolume", .core, uses: ["UAVLink"], computes: true),
        library("Geodesy", .core, uses: ["UAVLink", "FlightVolume", "YAML", "TextSearch"]),
        library("Statistics", .support, uses: ["CZlib", "ReportKit"], computes: true),
        library(
            "Impairment", .links,
            uses: ["UAVLink", "ReportKit", "Statistics", "Threads", "SystemIO", "SystemKit"], computes: true),
        library("PointCloud", .core, uses: ["UAVLink", "SystemIO", "ForeignFiles", "Threads"], computes: true),
        library(
            "Trajectories", .flight, uses: ["UAVLink", "ReportKit", "Geodesy", "FlightVolume"], computes: true),
        library(
            "RouteFiles", .flight,
            uses: [
                "UAVLink", "ReportKit", "Geodesy", "Trajectories", "JSON", "YAML", "XML", "CZip", "SystemIO",
                "ForeignFiles",
            ],
            computes: true),
        library("Planning", .flight, uses: ["UAVLink", "PointCloud", "FlightVolume"], computes: true),
        library("XMLRPC", .middleware, uses: ["SystemIO", "XML", "ReportKit", "TextSearch"]),
        library("ROSMessages", .middleware, uses: ["ReportKit"], computes: true),
        library("ROSDefinitions", .middleware, uses: ["ROSMessages"]),
        // How chunks of bags and of MCAP files are compressed.
        library("BagCompression", .middleware, uses: ["CLZ4", "ROSMessages", "SystemIO"]),
        library("ROSBag", .middleware, uses: ["BagCompression", "ROSMessages"]),
        library(
            "ROS1", .middleware, uses: ["ROSMessages", "XMLRPC", "SystemIO", "Threads", "TextSearch"], computes: true),
        // ROS 2 without I/O: serialisation, types, names, tokens. Beside it the types that all its nodes have.
        library("ROS2", .middleware, uses: ["Digests", "ROSDefinitions", "ROSMessages"], computes: true),
        library(
            "ROS2Interfaces", .middleware, uses: ["ROS2", "ROSMessages"], exclude: ["Definitions"], computes: true,
            isGenerated: true),
        // The recordings of ROS 2.
        library("MCAP", .middleware, uses: ["BagCompression", "CZlib", "ROS2", "ROSMessages"]),
        // Recordings of either kind.
        library(
            "ROSRecordings", .middleware,
            uses: ["MCAP", "ROS2", "ROSBag", "ROSMessages", "SystemIO", "SystemKit", "YAML"]),
        library("Zenoh", .middleware, uses: ["ReportKit", "SystemIO", "Threads"], computes: true),
        // TLS for it, over OpenSSL, which it loads; only for programs on the ground.
        library("ZenohTLS", .middleware, uses: ["SystemIO", "SystemKit", "Zenoh"]),
        // Nodes of ROS 2 behind a Zenoh router.
        library(
            "ROS2Node", .middleware, uses: ["ROS2", "ROS2Interfaces", "ROSMessages", "Zenoh"], computes: true),
        // ROS's own programs on a vehicle, which are run over SSH.
        library("ROSPrograms", .middleware, uses: ["TextSearch"]),
        // JSON over a WebSocket to a rosbridge server: a peer of the latency laboratory.
        library(
            "ROSBridge", .middleware,
            uses: ["Digests", "JSON", "ROSDefinitions", "ROSMessages", "ReportKit", "SystemIO"], computes: true),
        // D-Bus over sd-bus, and Bluetooth LE through BlueZ over it.
        library("DBus", .middleware, uses: ["CSystemd", "SystemIO"]),
        library("BlueZ", .middleware, uses: ["DBus", "UAVLink"]),
        library("RefusalWords", .vehicles, uses: ["TextSearch"]),
        library(
            "MRSMessages", .vehicles, uses: ["ROSMessages"], exclude: ["Definitions"], computes: true,
            isGenerated: true),
        // The same messages in ROS 2.
        library(
            "MRSMessagesROS2", .vehicles, uses: ["MRSMessages", "ROS2", "ROSMessages"], computes: true,
            isGenerated: true),
        library(
            "MRS", .vehicles,
            uses: [
                "UAVLink", "ROSMessages", "ROSDefinitions", "ROS1", "ROSPrograms", "MRSMessages", "YAML", "Threads",
                "ReportKit", "Geodesy", "PointCloud", "SystemIO", "SystemKit", "TextSearch",
            ], computes: true),
        // The link to the same vehicle in ROS 2, behind a Zenoh router.
        library(
            "MRSROS2", .vehicles,
            uses: [
                "UAVLink", "MRS", "MRSMessages", "MRSMessagesROS2", "ROSDefinitions", "ROSMessages", "ROS1", "ROS2",
                "ROS2Interfaces", "ROS2Node", "SystemIO", "SystemKit", "Threads", "Zenoh",
            ], computes: true),
        library(
            "Simulation", .vehicles, uses: ["UAVLink", "Geodesy", "FlightVolume", "PointCloud", "Threads"],
            computes: true),
        // The address of a machine, shared by those that are reached by host.
        library("HostLookup", .vehicles, uses: ["UAVLink", "SystemIO", "Threads"]),
        // What the links of machines over datagrams have in common: calls, thread, life.
        library("MachineLink", .vehicles, uses: ["UAVLink", "SystemIO", "Threads"]),
        // Quadrotors with protocols of their own, and ones that are emulated for tests and practice.
        library("ARDrone", .vehicles, uses: ["HostLookup", "MachineLink", "UAVLink", "SystemIO", "Threads"]),
        library("ARDroneEmulator", .vehicles, uses: ["UAVLink", "SystemIO", "Threads"]),
        library(
            "Tello", .vehicles,
            uses: ["HostLookup", "MachineLink", "Secrets", "UAVLink", "SystemIO", "Threads"]),
        library("TelloEmulator", .vehicles, uses: ["UAVLink", "SystemIO", "Threads"]),
        // A robot behind a board with USB serial and Bluetooth LE that is driven by text, and one that is emulated.
        library("Bluno", .vehicles, uses: ["BlueZ", "DBus", "UAVLink", "SystemIO", "Threads"]),
        library("BlunoEmulator", .vehicles, uses: ["UAVLink", "SystemIO", "Threads"]),
        library(
            "SSHTransport", .links,
            uses: [
                "UAVLink", "MRS", "MRSMessages", "CLibSSH2", "Digests", "ReportKit", "Secrets", "Threads",
                "SystemIO",
            ]),
        library("ChannelProtocol", .links, uses: ["UAVLink", "CSodium", "Secrets"], computes: true),
        library(
            "SocketTransport", .links, uses: ["ChannelProtocol", "UAVLink", "Threads", "SystemIO"], computes: true),
        library(
            "SimulatedVehicleNode", .vehicles,
            uses: [
                "UAVLink", "MRS", "MRSMessages", "MRSMessagesROS2", "ROSMessages", "ROS1", "ROS2", "ROS2Interfaces",
                "ROS2Node", "XMLRPC", "Simulation", "Geodesy", "PointCloud", "Zenoh",
            ], computes: true),
        library(
            "CompanionControl", .links,
            uses: ["UAVLink", "Secrets", "SystemKit", "Threads", "SystemIO", "CChildProcess"]),
        library("Authority", .links, uses: ["UAVLink"], computes: true),
        library(
            "Companion", .links,
            uses: [
                "ChannelProtocol", "UAVLink", "Authority", "SocketTransport", "CompanionControl", "ReportKit",
                "Secrets",
                "SystemKit", "Threads", "SystemIO",
            ], computes: true),
        library(
            "VehicleAccess", .links,
            uses: [
                "ARDrone",
                "ChannelProtocol", "UAVLink", "MRS", "ROS1", "SSHTransport", "SocketTransport", "Simulation", "Tello",
                "Bluno", "JSON", "MRSMessages", "MRSROS2", "ROS2Node", "ROSBridge", "ROSMessages",
                "CompanionControl", "Impairment", "ReportKit", "Secrets", "SystemKit", "TextSearch", "Threads", "YAML",
                "SystemIO", "Zenoh", "ZenohTLS",
            ]),

        // A companion in front of a machine with its own protocol.
        library(
            "MachineBridge", .links,
            uses: ["Companion", "CompanionControl", "SocketTransport", "UAVLink", "VehicleAccess"]),

        // The companion, put onto a vehicle.
        library(
            "Deployment", .links,
            uses: [
                "Digests", "UAVLink", "VehicleAccess", "SSHTransport", "MRS", "ReportKit", "SystemKit", "Threads",
                "YAML",
            ]),

        // Sticks and buttons.
        library("GameController", .terminal, uses: ["CSDL2", "Threads", "SystemIO"]),
        // A terminal for programs whose bytes are not trusted.
        library("TerminalEmulation", .terminal, uses: ["CVTerm"]),

        // What is done with a vehicle, without screens.
        library(
            "FlightControl", .flight,
            uses: ["UAVLink", "RefusalWords", "VehicleAccess", "ReportKit", "SystemKit", "Threads"]),
        library(
            "FlightRecorder", .flight,
            uses: [
                "ChannelProtocol", "UAVLink", "MRS", "MRSMessages", "MRSMessagesROS2", "ReportKit", "Threads",
                "ROSMessages", "ROSRecordings", "SocketTransport",
                "FlightControl", "Statistics", "SystemIO",
            ]),
        library(
            "Doctor", .flight, uses: ["UAVLink", "MRS", "VehicleAccess", "ReportKit"]),
        library(
            "RouteFlight", .flight,
            uses: [
                "UAVLink", "MRS", "MRSMessages", "MRSMessagesROS2", "ReportKit", "Threads", "Geodesy", "PointCloud",
                "ROSMessages", "ROSRecordings", "Trajectories", "RouteFiles", "Planning", "FlightControl",
                "FlightVolume", "Figures", "SystemIO",
                "SystemKit", "VehicleAccess",
            ]),
        // Flight plans of a Tello: read, checked, moved without flying, flown.
        library(
            "FlightPlans", .flight,
            uses: ["Geodesy", "RouteFiles", "RouteFlight", "Tello", "Trajectories", "UAVLink"]),
        // Estimators of the latency laboratory: values in, figures out.
        library("LatencyStatistics", .flight, uses: ["ReportKit", "Statistics"], computes: true),
        // What of this computer may change the figures.
        library("GroundComputer", .flight, uses: ["CKernelClock", "ReportKit", "SystemKit", "UAVLink"]),
        library(
            "LatencyMeasurement", .flight,
            uses: [
                "ChannelProtocol", "GroundComputer", "LatencyStatistics", "UAVLink", "MRS", "SSHTransport",
                "VehicleAccess", "ReportKit", "Threads", "SocketTransport", "Statistics", "SystemKit", "Impairment",
                "FlightControl", "FlightRecorder",
            ]),
        // As table, CSV, JSON, histogram and page.
        library(
            "LatencyOutput", .flight,
            uses: [
                "LatencyMeasurement", "LatencyStatistics", "UAVLink", "ReportKit", "Statistics", "Figures",
                "FlightControl",
            ]),

        // Modes, and what they share.
        library(
            "ModeKit", .modes, uses: ["FlightControl", "UAVLink", "ReportKit", "SystemKit", "TextScreen", "Threads"]),
        library(
            "RouteKit", .modes,
            uses: [
                "UAVLink", "ReportKit", "TextScreen", "FlightControl", "FlightVolume", "RouteFlight", "Trajectories",
                "ModeKit",
            ]),
        mode(
            "Login",
            uses: [
                "UAVLink", "VehicleAccess", "Deployment", "FlightControl", "ModeKit", "TextScreen", "FlightRecorder",
                "SSHTransport", "ReportKit", "Threads", "SystemKit",
            ]),
        // A machine that is driven by text.
        mode(
            "Robot",
            uses: [
                "UAVLink", "ReportKit", "FlightControl", "GameController", "ModeKit", "RouteFlight", "TextScreen",
                "VehicleAccess",
            ]),
        mode(
            "FlightPlan",
            uses: [
                "UAVLink", "ReportKit", "FlightControl", "FlightPlans", "ModeKit", "RouteFiles", "RouteFlight",
                "TextScreen", "VehicleAccess",
            ]),
        mode("Menu", uses: ["UAVLink", "FlightControl", "ModeKit", "TextScreen"]),
        mode("Joystick", uses: ["UAVLink", "ReportKit", "FlightControl", "ModeKit", "TextScreen", "GameController"]),
        mode(
            "Telemetry",
            uses: ["UAVLink", "MRS", "ReportKit", "VehicleAccess", "FlightControl", "ModeKit", "TextScreen"]),
        mode(
            "MapTrajectory",
            uses: [
                "UAVLink", "ReportKit", "VehicleAccess", "FlightControl", "ModeKit", "TextScreen", "RouteKit",
                "RouteFlight", "Trajectories", "RouteFiles", "Geodesy", "FlightVolume",
            ]),
        mode(
            "Indoor",
            uses: [
                "UAVLink", "ReportKit", "FlightControl", "FlightVolume", "ModeKit", "TextScreen", "RouteKit",
                "RouteFlight",
                "Trajectories", "Planning", "PointCloud", "Geodesy", "Threads", "SystemIO", "SystemKit",
            ]),
        shim("CChildProcess"),
        mode(
            "RemoteTerminal",
            uses: [
                "UAVLink", "MRS", "ReportKit", "VehicleAccess", "FlightControl", "ModeKit", "TextScreen",
                "TerminalEmulation", "CChildProcess", "Threads", "SSHTransport", "SystemKit", "SystemIO",
            ]),
        mode(
            "LatencyLab",
            uses: [
                "UAVLink", "ReportKit", "VehicleAccess", "FlightControl", "ModeKit", "TextScreen", "LatencyMeasurement",
                "LatencyOutput", "LatencyStatistics",
                "FlightRecorder", "Impairment", "Statistics", "SystemKit", "Threads", "RouteFlight",
            ]),

        // The text front end. The C part gives the terminal back when the program crashes.
        shim("CTerminalRescue"),
        library(
            "TextScreen", .terminal, uses: ["Threads", "ReportKit", "CTerminalRescue", "SystemIO"], computes: true),
        library(
            "Workspace", .frontEnd,
            uses: [
                "UAVLink", "ReportKit", "Threads", "TextScreen", "GameController", "FlightControl", "FlightRecorder",
                "VehicleAccess", "RouteFlight", "ModeKit", "LoginMode", "MenuMode", "JoystickMode", "TelemetryMode",
                "MapTrajectoryMode", "IndoorMode", "RouteKit",
                "RemoteTerminalMode", "LatencyLabMode", "RobotMode", "FlightPlanMode",
            ]),

        // Programs.
        library("CommandLineKit", .support, uses: ["ReportKit"]),
        library("ReportKit", .support),
        // Charts as SVG and PNG; loads cairo when a picture is written (see CairoLibrary.swift).
        library("Figures", .support, uses: ["ReportKit", "SystemIO"]),
        library("ProgramKit", .support, uses: ["SystemIO", "Threads"]),
        library("SystemKit", .support, uses: ["SystemIO"]),
        program(
            "uavlink",
            uses: [
                "PointCloud", "Planning", "Trajectories", "RouteFiles", "Geodesy", "Figures", "Impairment",
                "CommandLineKit", "ReportKit", "ProgramKit", "UAVLink", "FlightControl", "FlightRecorder", "Doctor",
                "RouteFlight", "LatencyMeasurement", "LatencyOutput", "Workspace", "RouteKit", "LoginMode",
                "TelemetryMode",
                "IndoorMode",
                "RemoteTerminalMode", "LatencyLabMode", "VehicleAccess", "Deployment", "SSHTransport", "Companion",
                "CompanionControl", "SocketTransport", "Simulation", "MRS", "Threads", "TextScreen",
                "GameController", "TerminalEmulation", "CTerminalRescue", "SystemKit", "SystemIO",
                "FlightPlans", "MachineBridge", "ROSRecordings", "Secrets", "Tello",
            ]),
        program(
            "uavlink-companion",
            uses: [
                "ChannelProtocol", "CommandLineKit", "ReportKit", "ProgramKit", "UAVLink", "Companion",
                "CompanionControl",
                "SocketTransport",
                "MRS", "MRSROS2", "ROS1", "ROS2Node", "Secrets", "Simulation", "SystemIO", "SystemKit",
            ], isStatic: true),
        program(
            "uavlink-sim",
            uses: [
                "ARDroneEmulator",
                "CommandLineKit", "ProgramKit", "ReportKit", "UAVLink", "Geodesy", "PointCloud", "ROSMessages", "ROS1",
                "ROS2Node",
                "Simulation", "SimulatedVehicleNode", "SystemIO", "SystemKit", "TelloEmulator", "Threads",
                "BlunoEmulator", "Zenoh",
            ], isStatic: true),

        // Writes Sources/Vehicles/MRSMessages/Messages; see scripts/generate-messages.
        tool("GenerateMessages", uses: ["ROS2", "ROSDefinitions"]),

        // Draws the pictures in docs; see scripts/pictures.
        tool("PictureTerminal", uses: ["TerminalEmulation"]),

        // Writes what the programs are made of; see scripts/package.
        tool("BillOfMaterials", uses: ["ReportKit"]),

        // Compares imports with the order of the layers, and sizes with their limits; see scripts/check-arrows.
        tool("CheckArrows", uses: []),

        // Measures what the project promises; see scripts/bench. The kit has what needs no other process: schedules, runs, figures.
        .target(
            name: "BenchmarkKit", dependencies: ["LatencyStatistics", "ReportKit", "Statistics"],
            path: "Benchmarks/BenchmarkKit", swiftSettings: strict, linkerSettings: mathematics),
        .executableTarget(
            name: "uavlink-bench",
            dependencies: [
                "ARDrone", "ARDroneEmulator", "BenchmarkKit", "ChannelProtocol", "FlightControl", "IntegrationKit",
                "MRS", "MRSMessages", "MRSMessagesROS2", "Planning", "PointCloud", "ROS2", "ROS2Node", "ReportKit",
                "SSHTransport", "SocketTransport", "Statistics", "Threads", "UAVLink",
            ],
            path: "Benchmarks/uavlink-bench", swiftSettings: strict),

        // Tests.
        testKit("UAVTestKit", uses: ["UAVLink", "Impairment", "Statistics", "Threads"]),
        testKit("IntegrationKit", uses: ["UAVLink"]),
        testKit("FlightTestKit", uses: ["IntegrationKit", "PointCloud", "Trajectories", "UAVLink", "VehicleAccess"]),
        testKit("LatencyTestKit", uses: ["LatencyMeasurement"]),
        testKit("ModeTestKit", uses: ["FlightControl", "ModeKit", "RouteFlight", "UAVTestKit", "VehicleAccess"]),
        integrationTests(
            "LinkIntegrationTests",
            uses: [
                "ChannelProtocol", "Deployment", "FlightTestKit", "Impairment", "IntegrationKit", "MRS",
                "RemoteTerminalMode", "SSHTransport", "SocketTransport", "TerminalEmulation", "UAVLink",
                "VehicleAccess",
            ]),
        integrationTests(
            "VehicleIntegrationTests",
            uses: [
                "CompanionControl", "FlightControl", "FlightTestKit", "GameController", "IntegrationKit",
                "JoystickMode", "LoginMode", "ModeKit", "MRS", "MRSMessages", "PointCloud", "ROS1", "ROSBag",
                "ROSMessages", "SSHTransport", "SimulatedVehicleNode", "Simulation", "UAVLink", "VehicleAccess",
                "XMLRPC",
            ]),
        integrationTests(
            "FlightIntegrationTests",
            uses: [
                "ChannelProtocol", "CompanionControl", "FlightControl", "FlightTestKit", "FlightVolume", "Geodesy",
                "Impairment", "IntegrationKit", "MRSMessages", "MRSMessagesROS2", "Planning", "PointCloud", "ROS2",
                "ROS2Node",
                "ROSBag", "ROSMessages", "RouteFlight", "SocketTransport", "Trajectories", "UAVLink", "VehicleAccess",
                "Zenoh",
            ]),
        integrationTests(
            "ObservationIntegrationTests",
            uses: [
                "ChannelProtocol", "FlightRecorder", "FlightTestKit", "Impairment", "IntegrationKit",
                "LatencyMeasurement", "LatencyStatistics", "MRS", "MRSMessages", "ROSMessages", "SocketTransport",
                "TerminalEmulation",
                "Threads", "UAVLink", "VehicleAccess",
            ]),
        integrationTests(
            "DeployedIntegrationTests",
            uses: ["FlightTestKit", "Impairment", "IntegrationKit", "UAVLink"]),
        tests("TextScreenTests", .terminal, uses: ["TextScreen"]),
        tests(
            "WorkspaceTests", .frontEnd,
            uses: [
                "FlightControl", "FlightRecorder", "GameController", "IntegrationKit", "JoystickMode", "LoginMode",
                "MenuMode", "ModeKit", "TextScreen", "Threads", "UAVLink", "UAVTestKit", "VehicleAccess", "Workspace",
            ]),
        tests("TerminalEmulationTests", .terminal, uses: ["TerminalEmulation"]),
        tests(
            "GoldenTests", .frontEnd,
            uses: [
                "PointCloud", "Workspace", "TextScreen", "TerminalEmulation", "FlightControl", "LatencyMeasurement",
                "LatencyOutput",
                "ModeKit", "RouteKit", "LoginMode", "MenuMode", "JoystickMode", "TelemetryMode", "MapTrajectoryMode",
                "IndoorMode", "RemoteTerminalMode", "RobotMode", "LatencyLabMode", "UAVLink", "VehicleAccess",
                "RouteFiles", "RouteFlight", "FlightPlanMode", "FlightPlans", "Tello",
            ], exclude: ["Screens"]),
        tests("BillOfMaterialsTests", .tools, uses: ["BillOfMaterials"]),
        tests("CheckArrowsTests", .tools, uses: ["CheckArrows"]),
        tests(
            "ContractTests",
            uses: [
                "ARDrone", "ARDroneEmulator",
                "ChannelProtocol", "Companion", "CompanionControl", "Geodesy", "IntegrationKit", "SocketTransport",
                "SystemIO", "Tello", "TelloEmulator", "UAVLink", "UAVTestKit", "Simulation", "VehicleAccess",
                "Bluno", "BlunoEmulator", "DBus", "MachineBridge", "MRSROS2", "ROS2Node",
            ]),
        // Only there to be linked, under the thread sanitizer.
        .target(name: "CSanitizedMutex", path: "Tests/CSanitizedMutex"),
        tests("UAVLinkTests", .core, uses: ["UAVLink", "UAVTestKit", "Statistics", "Threads", "CSanitizedMutex"]),
        tests("YAMLTests", .support, uses: ["YAML"]),
        tests("TextSearchTests", .support, uses: ["TextSearch"]),
        tests("XMLTests", .support, uses: ["XML"]),
        tests("JSONTests", .support, uses: ["JSON"]),
        tests("ForeignFilesTests", .support, uses: ["ForeignFiles"]),
        tests("FlightVolumeTests", .core, uses: ["FlightVolume", "UAVLink"]),
        tests("GeodesyTests", .core, uses: ["Geodesy", "FlightVolume", "UAVLink", "IntegrationKit", "SystemIO"]),
        tests("StatisticsTests", .support, uses: ["Statistics", "IntegrationKit"]),
        tests(
            "ImpairmentTests", .links,
            uses: ["Impairment", "IntegrationKit", "Statistics", "SystemIO", "SystemKit", "UAVLink"]),
        tests("PointCloudTests", .core, uses: ["PointCloud", "UAVLink", "IntegrationKit", "SystemIO"]),
        tests(
            "TrajectoriesTests", .flight, uses: ["Trajectories", "Geodesy", "FlightVolume", "UAVLink", "Statistics"]),
        tests(
            "RouteFilesTests", .flight, uses: ["RouteFiles", "Trajectories", "Geodesy", "UAVLink"]),
        tests("PlanningTests", .flight, uses: ["Planning", "PointCloud", "FlightVolume", "UAVLink"]),
        tests("SystemIOTests", .support, uses: ["IntegrationKit", "SystemIO", "Threads"]),
        tests("ProgramKitTests", .support, uses: ["ProgramKit", "SystemIO", "Threads"]),
        tests("XMLRPCTests", .middleware, uses: ["XMLRPC", "XML"]),
        tests("ROSMessagesTests", .middleware, uses: ["ROSMessages"]),
        tests("ROSDefinitionsTests", .middleware, uses: ["ROSDefinitions", "ROSMessages"]),
        tests("ROSBagTests", .middleware, uses: ["ROSBag", "ROSMessages", "ROSDefinitions", "IntegrationKit"]),
        tests("BagCompressionTests", .middleware, uses: ["BagCompression", "ROSMessages"]),
        tests("MCAPTests", .middleware, uses: ["IntegrationKit", "MCAP", "ROS2", "ROS2Interfaces", "ROSMessages"]),
        tests(
            "ROSRecordingsTests", .middleware,
            uses: ["IntegrationKit", "MCAP", "ROS2", "ROS2Interfaces", "ROSMessages", "ROSRecordings"]),
        tests(
            "ROS1Tests", .middleware,
            uses: ["IntegrationKit", "ROS1", "ROSMessages", "Threads", "XMLRPC", "SystemIO"]),
        tests("ROS2Tests", .middleware, uses: ["ROS2", "ROS2Interfaces", "ROSDefinitions", "ROSMessages"]),
        tests(
            "MRSMessagesROS2Tests", .vehicles,
            uses: [
                "IntegrationKit", "MRSMessages", "MRSMessagesROS2", "ROS2", "ROS2Interfaces", "ROSDefinitions",
                "ROSMessages",
            ]),
        tests(
            "ROS2NodeTests", .middleware,
            uses: ["IntegrationKit", "ROS2", "ROS2Interfaces", "ROS2Node", "ROSMessages", "Zenoh"]),
        tests("ROSProgramsTests", .middleware, uses: ["ROSPrograms"]),
        tests(
            "ROSBridgeTests", .middleware,
            uses: [
                "IntegrationKit", "JSON", "MRSMessages", "ROSBridge", "ROSMessages", "ReportKit", "SystemIO",
            ]),
        tests(
            "ZenohTests", .middleware,
            uses: ["CAllocationCounter", "IntegrationKit", "SystemIO", "Threads", "Zenoh"]),
        tests("ZenohTLSTests", .middleware, uses: ["IntegrationKit", "Zenoh", "ZenohTLS"]),
        tests("MRSMessagesTests", .vehicles, uses: ["MRSMessages", "ROSMessages", "ROSDefinitions", "IntegrationKit"]),
        tests(
            "MRSTests", .vehicles,
            uses: [
                "MRS", "MRSMessages", "UAVLink", "ROSDefinitions", "ROSMessages", "ROSBag", "IntegrationKit",
                "UAVTestKit",
            ]),
        tests(
            "ARDroneTests", .vehicles,
            uses: ["ARDrone", "ARDroneEmulator", "HostLookup", "IntegrationKit", "MachineLink", "SystemIO", "UAVLink"]),
        tests(
            "TelloTests", .vehicles,
            uses: ["IntegrationKit", "MachineLink", "Secrets", "SystemIO", "Tello", "TelloEmulator", "UAVLink"]),
        tests("BlueZTests", .middleware, uses: ["BlueZ", "DBus", "UAVLink"]),
        tests("BlunoTests", .vehicles, uses: ["Bluno", "BlunoEmulator", "DBus", "IntegrationKit", "UAVLink"]),
        tests(
            "SimulationTests", .vehicles,
            uses: [
                "Simulation", "PointCloud", "Trajectories", "UAVLink", "Geodesy", "UAVTestKit", "IntegrationKit",
            ]),
        tests(
            "SimulatedVehicleNodeTests", .vehicles,
            uses: ["IntegrationKit", "ROS2Node", "SimulatedVehicleNode", "Simulation", "Zenoh"]),
        tests(
            "MRSROS2Tests", .vehicles,
            uses: [
                "FlightTestKit", "IntegrationKit", "MRS", "MRSMessages", "MRSMessagesROS2", "MRSROS2", "ROS2",
                "ROS2Node",
                "ROSMessages", "ROS2Interfaces", "SimulatedVehicleNode", "Simulation", "UAVLink", "UAVTestKit", "Zenoh",
            ]),
        tests("DigestsTests", .support, uses: ["Digests", "ReportKit"]),
        tests(
            "SSHTransportTests", .links,
            uses: [
                "IntegrationKit", "MRS", "SSHTransport", "ReportKit", "Secrets", "SystemIO", "Threads", "UAVLink",
                "UAVTestKit",
            ]),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .target(name: "CBenchmarkPace", path: "Tests/CBenchmarkPace"),
        tests(
            "BenchmarkKitTests", uses: ["BenchmarkKit", "CBenchmarkPace", "IntegrationKit", "ReportKit", "Statistics"]),
        testKit("ChannelTestKit", uses: ["ChannelProtocol", "UAVLink"]),
        tests(
            "ChannelProtocolTests", .links,
            uses: [
                "ChannelProtocol", "ChannelTestKit", "SocketTransport", "Impairment", "IntegrationKit", "Secrets",
                "Statistics", "UAVLink", "UAVTestKit",
            ]),
        tests(
            "SocketTransportTests", .links,
            uses: [
                "ChannelProtocol", "ChannelTestKit", "SocketTransport", "UAVLink", "UAVTestKit", "IntegrationKit",
                "CAllocationCounter", "Threads", "Impairment", "SystemIO",
            ]),
        tests("CommandLineKitTests", .support, uses: ["CommandLineKit", "IntegrationKit"]),
        // Two grounds, a companion and a vehicle under faults at random, in one process and virtual time: docs/safety.md.
        .target(
            name: "SafetySimulation",
            dependencies: [
                "Authority", "ChannelProtocol", "Companion", "Impairment", "SocketTransport", "UAVLink", "UAVTestKit",
            ],
            path: "Tests/SafetySimulation", swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),
        tests("SafetySimulationTests", uses: ["SafetySimulation"]),
        tests("AuthorityTests", .links, uses: ["Authority", "UAVLink"]),
        tests(
            "CompanionControlTests", .links,
            uses: ["CompanionControl", "UAVLink", "IntegrationKit", "Secrets", "SystemIO", "UAVTestKit"]),
        tests(
            "CompanionTests", .links,
            uses: [
                "ChannelProtocol", "Companion", "CompanionControl", "Authority", "Secrets", "SocketTransport",
                "UAVLink", "UAVTestKit", "IntegrationKit",
            ]),
        tests(
            "MachineBridgeTests", .links,
            uses: [
                "Companion", "CompanionControl", "IntegrationKit", "MachineBridge", "UAVLink", "UAVTestKit",
                "VehicleAccess",
            ]),
        tests(
            "VehicleAccessTests", .links,
            uses: [
                "CompanionControl", "Impairment", "VehicleAccess", "SSHTransport", "MRS", "Secrets", "UAVLink",
                "IntegrationKit", "UAVTestKit",
            ]),
        tests(
            "DeploymentTests", .links,
            uses: ["Deployment", "IntegrationKit", "MRS", "UAVLink", "UAVTestKit", "VehicleAccess"]),
        tests(
            "FlightControlTests", .flight,
            uses: ["FlightControl", "ReportKit", "UAVLink", "UAVTestKit", "VehicleAccess"]),
        tests(
            "FlightRecorderTests", .flight,
            uses: [
                "ChannelProtocol", "FlightRecorder", "IntegrationKit", "ROSMessages", "ROSBag", "ROSRecordings",
                "ReportKit", "RouteFlight",
                "Statistics", "MRSMessages", "UAVLink", "UAVTestKit",
            ]),
        tests(
            "RouteFlightTests", .flight,
            uses: [
                "Figures", "FlightControl", "FlightVolume", "Geodesy", "IntegrationKit", "Planning", "PointCloud",
                "ROSMessages",
                "ReportKit", "RouteFiles", "RouteFlight", "Statistics", "Trajectories", "MRSMessages", "UAVLink",
                "UAVTestKit", "VehicleAccess",
            ]),
        tests("GroundComputerTests", .flight, uses: ["GroundComputer"]),
        tests("LatencyStatisticsTests", .flight, uses: ["LatencyStatistics", "Statistics"]),
        tests(
            "LatencyMeasurementTests", .flight,
            uses: [
                "ChannelProtocol", "Figures", "FlightControl", "FlightRecorder", "Impairment", "IntegrationKit",
                "LatencyMeasurement", "LatencyOutput", "LatencyStatistics", "LatencyTestKit", "ReportKit", "Statistics",
                "UAVLink",
                "UAVTestKit", "VehicleAccess",
            ]),
        tests(
            "FlightPlansTests", .flight,
            uses: [
                "FlightPlans", "Geodesy", "IntegrationKit", "SystemIO", "Tello", "TelloEmulator", "Trajectories",
                "UAVLink",
                "UAVTestKit",
            ]),
        tests("DoctorTests", .flight, uses: ["Doctor", "MRS", "UAVLink", "VehicleAccess"]),
        tests("ModeKitTests", .modes, uses: ["ModeKit", "TextScreen"]),
        tests(
            "RouteKitTests", .modes,
            uses: ["FlightVolume", "ModeKit", "RouteFlight", "RouteKit", "TextScreen", "Trajectories", "UAVLink"]),
        tests(
            "LoginModeTests", .modes,
            uses: [
                "FlightControl", "LoginMode", "ModeKit", "ModeTestKit", "SSHTransport", "UAVLink", "UAVTestKit",
                "VehicleAccess",
            ]),
        tests(
            "MenuModeTests", .modes,
            uses: [
                "FlightControl", "MenuMode", "ModeKit", "ModeTestKit", "TextScreen", "UAVLink", "UAVTestKit",
                "VehicleAccess",
            ]),
        tests(
            "RobotModeTests", .modes,
            uses: [
                "FlightControl", "GameController", "ModeKit", "ModeTestKit", "RobotMode", "TextScreen", "UAVLink",
                "UAVTestKit", "VehicleAccess",
            ]),
        tests(
            "FlightPlanModeTests", .modes,
            uses: [
                "FlightControl", "FlightPlanMode", "FlightPlans", "ModeKit", "ModeTestKit", "Tello", "TextScreen",
                "UAVLink", "UAVTestKit", "VehicleAccess",
            ]),
        tests(
            "JoystickModeTests", .modes,
            uses: [
                "FlightControl", "GameController", "JoystickMode", "ModeKit", "ModeTestKit", "UAVLink", "UAVTestKit",
                "VehicleAccess",
            ]),
        tests(
            "TelemetryModeTests", .modes,
            uses: [
                "FlightControl", "MRS", "ModeKit", "ModeTestKit", "ReportKit", "TelemetryMode", "UAVLink", "UAVTestKit",
                "VehicleAccess",
            ]),
        tests(
            "MapTrajectoryModeTests", .modes,
            uses: [
                "FlightControl", "Geodesy", "IndoorMode", "IntegrationKit", "MapTrajectoryMode", "ModeKit",
                "ModeTestKit", "RouteFlight", "RouteKit", "Trajectories", "UAVLink", "UAVTestKit", "VehicleAccess",
            ]),
        tests(
            "IndoorModeTests", .modes,
            uses: [
                "FlightControl", "IndoorMode", "IntegrationKit", "ModeKit", "ModeTestKit", "Planning", "PointCloud",
                "ReportKit", "RouteFlight", "RouteKit", "Trajectories", "UAVLink", "UAVTestKit", "VehicleAccess",
            ]),
        tests(
            "RemoteTerminalModeTests", .modes,
            uses: [
                "FlightControl", "ModeKit", "ModeTestKit", "RemoteTerminalMode", "TerminalEmulation", "UAVLink",
                "UAVTestKit",
            ]),
        tests(
            "LatencyLabModeTests", .modes,
            uses: [
                "FlightControl", "Impairment", "LatencyLabMode", "LatencyMeasurement", "LatencyOutput",
                "LatencyStatistics", "LatencyTestKit", "ModeKit",
                "ModeTestKit", "Statistics", "UAVLink", "UAVTestKit", "VehicleAccess",
            ]),
        tests("GameControllerTests", .terminal, uses: ["GameController", "IntegrationKit"]),
        tests("FiguresTests", .support, uses: ["Figures"]),
        tests("ReportKitTests", .support, uses: ["ReportKit"]),
        tests("SystemKitTests", .support, uses: ["SystemKit", "IntegrationKit"]),
    ],
    swiftLanguageModes: [.v6]
)

if Context.environment["UAVLINK_SIMULATE"] != nil {
    // scripts/simulate: the release build needs -enable-testing.
    package.targets += [
        .executableTarget(
            name: "simulate", dependencies: ["SafetySimulation", "Threads"], path: "Tests/Simulate",
            swiftSettings: strict)
    ]
}

if Context.environment["UAVLINK_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .target(
            name: "FuzzKit", dependencies: ["CFuzzer"], path: "Tests/Fuzz/FuzzKit", swiftSettings: strict),
        .target(
            name: "RouteFuzzKit", dependencies: ["RouteFiles", "Trajectories"], path: "Tests/Fuzz/RouteFuzzKit",
            swiftSettings: strict),
        .target(
            name: "ChannelFuzzKit", dependencies: ["ChannelProtocol", "SocketTransport", "UAVLink"],
            path: "Tests/Fuzz/ChannelFuzzKit", swiftSettings: strict),
        // One line a decoder of bytes from outside.
        fuzz("FuzzYAML", uses: ["YAML"]),
        fuzz("FuzzChannel", uses: ["ChannelFuzzKit"]),
        fuzz("FuzzHandshake", uses: ["ChannelFuzzKit"]),
        fuzz("FuzzControl", uses: ["CompanionControl", "Secrets"]),
        fuzz("FuzzEndMarker", uses: ["MRS"]),
        fuzz("FuzzROSMessage", uses: ["ROSMessages", "ROSDefinitions", "MRSMessages"]),
        fuzz("FuzzCDR", uses: ["MRSMessagesROS2", "ROS2", "ROS2Interfaces"]),
        fuzz("FuzzROS2Words", uses: ["ROS2"]),
        fuzz("FuzzDefinition", uses: ["ROSDefinitions"]),
        fuzz("FuzzRosservice", uses: ["MRS", "UAVLink"]),
        fuzz("FuzzKnownHosts", uses: ["SSHTransport"]),
        fuzz("FuzzSFTP", uses: ["SSHTransport"]),
        fuzz("FuzzKeyFile", uses: ["SSHTransport"]),
        fuzz("FuzzXMLRPC", uses: ["XMLRPC"]),
        fuzz("FuzzTCPROSHeader", uses: ["ROSMessages"]),
        fuzz("FuzzTCPROSFraming", uses: ["ROS1", "ROSMessages"]),
        fuzz("FuzzZenoh", uses: ["Zenoh"]),
        fuzz("FuzzROSBridge", uses: ["ROSBridge"]),
        fuzz("FuzzBag", uses: ["ROSBag", "ROSMessages"]),
        fuzz("FuzzMCAP", uses: ["MCAP", "ROS2", "ROSMessages"]),
        fuzz("FuzzNames", uses: ["ROS1"]),
        fuzz("FuzzConfiguration", uses: ["UAVLink", "VehicleAccess"]),
        fuzz("FuzzInspection", uses: ["MRS", "UAVLink", "VehicleAccess"]),
        fuzz("FuzzDeployment", uses: ["Deployment"]),
        fuzz("FuzzWorldFile", uses: ["Geodesy"]),
        fuzz("FuzzMGRS", uses: ["Geodesy"]),
        fuzz("FuzzGeoJSON", uses: ["RouteFiles", "RouteFuzzKit"]),
        fuzz("FuzzKML", uses: ["RouteFiles", "RouteFuzzKit"]),
        fuzz("FuzzKMZ", uses: ["RouteFiles", "RouteFuzzKit"]),
        fuzz("FuzzGPX", uses: ["RouteFiles", "RouteFuzzKit"]),
        fuzz("FuzzCSV", uses: ["RouteFiles", "RouteFuzzKit"]),
        fuzz("FuzzPlan", uses: ["RouteFiles", "RouteFuzzKit"]),
        fuzz("FuzzOSM", uses: ["RouteFiles", "Geodesy"]),
        fuzz("FuzzCommandLine", uses: ["CommandLineKit"]),
        fuzz("FuzzFlight", uses: ["Simulation", "UAVLink"]),
        fuzz("FuzzARDrone", uses: ["ARDrone", "UAVLink"]),
        fuzz("FuzzTello", uses: ["Tello", "UAVLink"]),
        fuzz("FuzzBluno", uses: ["Bluno", "BlunoEmulator", "UAVLink"]),
        fuzz("FuzzDBus", uses: ["DBus"]),
        fuzz("FuzzBlueZ", uses: ["BlueZ", "DBus", "UAVLink"]),
        fuzz("FuzzTelloPlan", uses: ["FlightPlans", "Tello", "UAVLink"]),
        fuzz("FuzzTerminalEmulation", uses: ["TerminalEmulation"]),
        fuzz("FuzzTerminalInput", uses: ["TextScreen"]),
        fuzz("FuzzPCD", uses: ["PointCloud", "UAVLink"]),
        fuzz("FuzzPLY", uses: ["PointCloud", "UAVLink"]),
        fuzz("FuzzXYZ", uses: ["PointCloud", "UAVLink"]),
        fuzz("FuzzPointCloud2", uses: ["PointCloud"]),
        fuzz("FuzzImpairment", uses: ["Impairment"]),
        fuzz(
            "FuzzFlightLog",
            uses: ["FlightRecorder", "ROSMessages", "ROSBag", "ROSRecordings", "MRSMessages", "ReportKit"]),
    ]
}
