internal import Foundation
internal import UAVLink

/// What a companion says of what it does: one line each, with the time, control characters made harmless.
public struct CompanionLog: Sendable {
    private let write: @Sendable (String) -> Void

    /// A log that ends up wherever `write` puts its lines; the default is standard error, as systemd and people expect.
    public init(write: @escaping @Sendable (String) -> Void = { CompanionLog.toStandardError($0) }) {
        self.write = write
    }

    /// Says one line, whatever is in it.
    public func say(_ line: String) { write(line.harmlessLine) }

    /// Writes one line with the time of day, UTC, to standard error.
    public static func toStandardError(_ line: String) {
        let time = Date.now.ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true))
        try? FileHandle.standardError.write(contentsOf: Data("\(time) \(line)\n".utf8))
    }
}
