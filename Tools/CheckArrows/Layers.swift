/// The layers, top to bottom: a target depends on targets of its own layer and of those below.
///
/// A target's layer is the folder of `Sources` in which it stands; docs/architecture.md shows the same as a picture. Within a
/// layer the package manager sees that no two targets need each other.
enum Layers {
    static let order = [
        "Programs", "FrontEnd", "Modes", "Flight", "Links", "Vehicles", "Middleware", "Core", "Terminal", "Support",
        "Libraries",
    ]

    /// System modules that a target may import; whoever is not named here may import ``standard``.
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

    /// Targets that are linked for what they do, and never imported.
    static let linkedOnly: Set<String> = ["CSanitizedMutex"]
}
