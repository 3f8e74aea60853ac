internal import LatencyMeasurement
internal import ReportKit

/// The files that what came out can be written to; the name's ending says which.
public enum LatencyFile: String, CaseIterable, Hashable, Sendable {
    /// A page for a browser and for print.
    case html
    /// For scripts.
    case json
    /// Every single value.
    case csv
    /// For HdrHistogram's tools.
    case hdr

    /// By the ending of a path; `nil` for another one.
    public init?(path: String) {
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        self.init(rawValue: name[name.index(after: dot)...].lowercased())
    }

    /// The endings that there are.
    static let endings = allCases.map { "." + $0.rawValue }.joined(separator: ", ")

    /// The file's content; takes some tenths of a second, or seconds for a long run.
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
