/// Which target stands on which floor, the lowest first: a target may depend on lower floors only.
///
/// docs/architecture.md shows the same as a picture. A new target gets its place here, or the check fails.
enum Layers {
    static let floors: [[String]] = [
        // Knows nothing of the others.
        [
            "UAVLink", "Threads", "CommandLineKit", "ReportKit", "ProgramKit", "CTerminalRescue", "CChildProcess",
        ],
        // A screen, a keyboard, charts, game controllers and terminals that know no vehicle.
        ["TextScreen", "Figures", "GameController", "TerminalEmulation"],
        // Formats and protocols that know no vehicle.
        ["ROS1", "YAML", "Statistics"],
        // One concern each.
        ["Geodesy", "PointCloud", "Impairment", "Authority"],
        ["Trajectories"],
        ["Planning", "RouteFiles", "UAVCore", "Simulation", "SocketTransport"],
        // Built on the way the vehicle speaks.
        ["SSHTransport", "SimulatedVehicleNode"],
        ["CompanionControl"],
        ["Companion", "VehicleAccess"],
        // What a person sees and does.
        ["Modules"],
        ["TextFrontEnd"],
    ]

    /// Modules of the system that each target may import; whoever is not named here may import `standard`.
    static let ownModules: [String: Set<String>] = [
        // The C library for one thing: a thread that waits for the clock.
        "UAVLink": ["Synchronization", "Glibc", "Musl", "Darwin"],
        "CommandLineKit": [],
        "ReportKit": [],
        "YAML": [],
    ]

    /// What any target of `Sources` may import.
    static let standard: Set<String> = [
        "Synchronization", "Glibc", "Musl", "Darwin", "Dispatch", "FoundationEssentials", "Foundation",
    ]

    /// What tests and tools may import besides.
    static let forTests: Set<String> = ["Testing", "Foundation", "FoundationNetworking", "_Concurrency"]

    static func floor(of target: String) -> Int? {
        floors.firstIndex { $0.contains(target) }
    }
}
