internal import Foundation

/// Times in the companion's log.
package enum CompanionLogTime {
    /// Seconds since 1970 at the beginning of a line.
    package static func seconds(_ line: some StringProtocol) -> Double? {
        let text = String(line.prefix { $0 != " " })
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? Date(text.hasSuffix("Z") ? text : text + "Z", strategy: format))?.timeIntervalSince1970
    }
}
