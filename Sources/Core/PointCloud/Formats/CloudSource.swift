internal import UAVLink

/// The name of an input, for error messages with its position.
struct CloudSource {
    let name: String

    init(_ name: String) { self.name = name.isEmpty ? "point cloud" : name.sanitizedLine }

    func error(_ what: String) -> PointCloudError { error(.format, what) }

    func error(_ code: PointCloudError.Code, _ what: String) -> PointCloudError {
        PointCloudError(code, "\(name): \(what)")
    }

    func error(_ code: PointCloudError.Code = .format, line: Int, _ what: String) -> PointCloudError {
        PointCloudError(code, "\(name), line \(line): \(what)")
    }

    func error(_ code: PointCloudError.Code = .format, byte: Int, _ what: String) -> PointCloudError {
        PointCloudError(code, "\(name), byte \(byte): \(what)")
    }

    /// An excerpt of the file for an error message: sanitized and short.
    ///
    /// - Parameter most: how many bytes are shown.
    static func shown(_ bytes: some Sequence<UInt8>, most: Int = 40) -> String {
        let start = Array(bytes.prefix(most + 1))
        let text = String(decoding: start.prefix(most), as: UTF8.self).sanitizedLine
        return "'\(text)\(start.count > most ? "..." : "")'"
    }
}
