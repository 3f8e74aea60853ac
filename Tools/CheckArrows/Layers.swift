/// The layers, top to bottom: a target may depend on targets of its own layer and of those below.
///
/// A target's layer is the folder of `Sources` that contains it; docs/architecture.md shows the layers as a diagram.
/// Within a layer the package manager ensures that no two targets depend on each other.
enum Layers {
    static let order = [
        "Programs", "FrontEnd", "Modes", "Flight", "Links", "Vehicles", "Middleware", "Core", "Terminal", "Support",
        "Libraries",
    ]

    /// System modules that a target may import; a target not listed here may import ``standard``.
    static let systemModules: [String: Set<String>] = [
        // Only for a thread that waits for the clock.
        "UAVLink": ["Synchronization", "Glibc", "Musl", "Darwin"],
        "CommandLineKit": [],
        "ReportKit": [],
        "YAML": [],
    ]

    /// The system modules that any target of `Sources` may import.
    static let standard: Set<String> = ["Synchronization", "Glibc", "Musl", "Darwin", "Dispatch"]

    /// For tests and tools only: loading it and its ICU data is most of a program's start, and of its size when linked statically.
    /// For what it was used for, see `SystemKit`.
    static let foundation: Set<String> = ["FoundationEssentials", "Foundation"]

    /// Functions of the system for which one target of `Sources` has types, and which no other calls.
    static let systemCalls = (
        target: "SystemIO",
        functions: [
            "poll", "ppoll", "pselect", "pipe", "pipe2", "eventfd", "socket", "dlopen", "dlsym", "strerror",
            "strerror_r", "getaddrinfo", "gethostbyname",
        ] as Set<String>
    )

    /// The modules that tests may import in addition.
    static let forTests: Set<String> = ["Testing", "FoundationNetworking", "_Concurrency"]

    /// Targets that are linked for their effect, and never imported.
    static let linkedOnly: Set<String> = ["CSanitizedMutex"]
}
