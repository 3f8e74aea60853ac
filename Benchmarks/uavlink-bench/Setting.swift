/// Where the programs are, and how long to measure.
struct Setting: Sendable {
    /// The folder with the compiled peers.
    var peers: String
    /// The folder with the scripts of peers.
    var scripts: String
    /// The folder with `uavlink`, `uavlink-companion` and `uavlink-sim`.
    var programs: String
    /// The folder with a `uavlink-companion` that is linked dynamically, so that its allocations can be counted; nothing where
    /// it was not built.
    var preloadable: String?
    /// The folder with the Python classes of our messages.
    var messages: String
    /// A Python that has packages from PyPI besides the system's; nothing where they could not be had.
    var peerPython: String?
    var isQuick = false

    /// How often or how long in a full run, and in a quick one.
    func amount(_ full: Int, quick: Int) -> Int { isQuick ? quick : full }

    static let python = "/usr/bin/python3"

    /// The surroundings of peers that need none of their own.
    static let environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"]
}
