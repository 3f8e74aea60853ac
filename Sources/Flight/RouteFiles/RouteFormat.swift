/// A format of route files.
package enum RouteFormat: String, Sendable, CaseIterable {
    /// GeoJSON (RFC 7946).
    case geoJSON = "geojson"
    /// KML 2.2.
    case kml
    /// KML in a zip archive.
    case kmz
    /// GPX 1.0 or 1.1.
    case gpx
    /// CSV: `x,y,z,heading` or named columns.
    case csv
    /// QGroundControl plan.
    case plan
    /// Four numbers in each line, as the flight stack's trajectory loader reads them.
    case mrs = "txt"

    /// The extension of the file name.
    package var fileExtension: String { rawValue }

    /// The ends of file names that are read, with their dots, for messages.
    package static let readNames =
        (allCases.map { "." + $0.fileExtension } + [".json", ".waypoints", ".mission"]).joined(separator: ", ")

    /// The name for display.
    package var title: String {
        switch self {
        case .geoJSON: "GeoJSON"
        case .kml: "KML"
        case .kmz: "KMZ"
        case .gpx: "GPX"
        case .csv: "CSV"
        case .plan: "QGroundControl plan"
        case .mrs: "MRS trajectory"
        }
    }

    /// The format by a file name's extension, if it is known.
    package static func named(_ name: String) -> RouteFormat? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let end = name[name.index(after: dot)...].lowercased()
        return end == "json" ? .geoJSON : RouteFormat(rawValue: end)
    }

    /// The format by the content, or else by the name.
    ///
    /// Content takes precedence: a plan that was saved as `.json` is a plan.
    package static func of(_ bytes: [UInt8], name: String) -> RouteFormat? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let head = start.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return .kmz }
        if MissionText.begins(head) { return .plan }
        if head.first == UInt8(ascii: "{") {
            // By its name, too: of one that is incomplete it must not be said that it is no GeoJSON.
            if name.lowercased().hasSuffix(".mission") { return .plan }
            let text = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
            return (["fileType"] + OldMission.keys).contains { text.contains("\"\($0)\"") } ? .plan : .geoJSON
        }
        if head.first == UInt8(ascii: "<") {
            let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
            if text.contains("<gpx") { return .gpx }
            if text.contains("<kml") || text.contains(":kml") { return .kml }
            // A part of KML alone, if it is the first element.
            let root = text.split(separator: "<").first { $0.first?.isLetter ?? false }.map {
                $0.prefix { $0.isLetter }
            }
            if let root, ["Document", "Folder", "Placemark"].contains(root) { return .kml }
        }
        return named(name)
    }
}
