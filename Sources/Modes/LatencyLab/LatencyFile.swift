internal import LatencyMeasurement
internal import LatencyOutput
internal import ReportKit

/// The file formats of a result, selected by the file name extension.
package enum LatencyFile: String, CaseIterable, Hashable, Sendable {
    /// A page for browsers and for printing.
    case html
    /// JSON for scripts.
    case json
    /// Every sample.
    case csv
    /// For the tools of HdrHistogram.
    case hdr

    /// The format for a path's extension; `nil` for an unknown one.
    package init?(path: String) {
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        self.init(rawValue: name[name.index(after: dot)...].lowercased())
    }

    /// The list of all extensions, for messages.
    static let endings = allCases.map { "." + $0.rawValue }.joined(separator: ", ")

    /// The file's content; encoding takes tenths of a second, or seconds for a long run.
    func bytes(of result: LatencyResult) -> [UInt8] {
        switch self {
        case .html: return Array(result.html.utf8)
        case .json: return Array((result.json.text + "\n").utf8)
        case .hdr: return Array(result.hdr.utf8)
        case .csv:
            var bytes: [UInt8] = []
            LatencyCSV.write(result.report) { bytes += $0.utf8 }
            return bytes
        }
    }
}
