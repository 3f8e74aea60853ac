/// How large files and targets may become before they have more than one job; hand-written Swift is counted.
enum Sizes {
    /// The most lines of a file.
    static let file = 300
    /// The most lines of a target.
    static let target = 6000

    /// Folders whose files a program of ours writes: how long those are is decided by what they are made from.
    static let generated = [
        "Sources/Vehicles/MRSMessages/Messages/", "Sources/Vehicles/MRSMessagesROS2/Messages/",
        "Sources/Middleware/ROS2Interfaces/Messages/",
    ]

    /// The lines of a source text; the last one need not end.
    static func lines(of source: String) -> Int {
        let ends = source.utf8.count { $0 == UInt8(ascii: "\n") }
        return source.isEmpty || source.utf8.last == UInt8(ascii: "\n") ? ends : ends + 1
    }

    static func isGenerated(_ path: String) -> Bool { generated.contains { path.hasPrefix($0) } }
}
