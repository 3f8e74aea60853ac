/// The format of a point cloud file.
public enum CloudFormat: String, Hashable, Sendable, CaseIterable {
    /// Point Cloud Data, the format of the Point Cloud Library.
    case pcd
    /// The Stanford polygon format; its faces are skipped.
    case ply
    /// The text of Leica's scanners.
    case ptx
    /// Text with one point per line.
    case xyz
}

/// The result of reading a file.
public struct CloudReading: Sendable {
    /// The file's format.
    public var format: CloudFormat
    /// The number of points dropped since a coordinate was NaN, infinite or too large (``CloudLimits``).
    public var droppedPoints: Int
    /// The remaining points.
    public var cloud: PointCloud
    /// What was assumed: lines for display, without control characters.
    public var notes: [String] = []
}

/// Parses point cloud files.
public enum CloudReader {
    /// The points of a file; the format is detected from the bytes, not from the name.
    ///
    /// Single-precision coordinates are kept unchanged. Coordinates in text or double precision are stored relative to an
    /// origin in whole metres if the first point is more than a kilometre away, so that UTM coordinates keep millimetre
    /// precision. The time is proportional to the size (a million binary points take a few milliseconds): not for the main
    /// thread.
    ///
    /// - Parameter source: the file's name, for errors.
    /// - Throws: ``PointCloudError`` that names the file, the line, byte or field, what was found and what was expected.
    public static func read(
        _ bytes: [UInt8], source: String, limits: CloudLimits = CloudLimits(), progress: CloudProgress = .none
    ) throws(PointCloudError) -> CloudReading {
        try bytes.withUnsafeBufferPointer { buffer throws(PointCloudError) in
            try read(UnsafeRawBufferPointer(buffer), source: source, limits: limits, progress: progress)
        }
    }

    /// Like ``read(_:source:limits:progress:)``, from memory owned by the caller.
    public static func read(
        _ bytes: UnsafeRawBufferPointer, source: String, limits: CloudLimits = CloudLimits(),
        progress: CloudProgress = .none
    ) throws(PointCloudError) -> CloudReading {
        let source = CloudSource(source)
        guard bytes.count <= limits.fileBytes else {
            throw source.error(.tooLarge, "\(bytes.count) bytes; the limit is \(limits.fileBytes)")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3)) : bytes
        return switch try CloudFormat.detect(bytes, source: source) {
        case .pcd: try PCDReader.read(bytes, source: source, limits: limits, progress: progress)
        case .ply: try PLYReader.read(bytes, source: source, limits: limits, progress: progress)
        case .ptx: try PTXReader.read(bytes, source: source, limits: limits, progress: progress)
        case .xyz: try XYZReader.read(bytes, source: source, limits: limits, progress: progress)
        }
    }
}

extension CloudFormat {
    /// Detects the format from the first bytes.
    static func detect(_ bytes: UnsafeRawBufferPointer, source: CloudSource) throws(PointCloudError) -> CloudFormat {
        guard !bytes.isEmpty else { throw source.error(.truncated, "is empty") }
        if let foreign = ForeignCloud(bytes) { throw source.error(.unsupported, foreign.advice) }
        if bytes.starts(with: Array("ply\n".utf8)) || bytes.starts(with: Array("ply\r".utf8)) { return .ply }
        if PTXReader.begins(bytes) { return .ptx }
        var lines = HeaderLines(bytes)
        while let line = lines.next() {
            guard let word = HeaderLines.words(line).first else { continue }
            if word.first == UInt8(ascii: "#") {
                if String(decoding: line.prefix(6), as: UTF8.self).uppercased() == "# .PCD" { return .pcd }
                continue
            }
            let keywords = ["VERSION", "FIELDS", "COLUMNS"]
            if keywords.contains(String(decoding: word.prefix(8), as: UTF8.self).uppercased()) { return .pcd }
            if let unknown = ForeignCloud.unknown(bytes, source) { throw source.error(.unsupported, unknown) }
            return .xyz
        }
        if let unknown = ForeignCloud.unknown(bytes, source) { throw source.error(.unsupported, unknown) }
        throw source.error("has only comments in its first \(lines.byteCount) bytes; expected PCD, PLY or XYZ")
    }
}
