/// What a file of points is.
public enum CloudFormat: String, Hashable, Sendable, CaseIterable {
    /// Point Cloud Data, of the Point Cloud Library.
    case pcd
    /// The Stanford polygon format; its faces are skipped.
    case ply
    /// A line a point.
    case xyz
}

/// What was read from a file.
public struct CloudReading: Sendable {
    /// What kind of file it was.
    public var format: CloudFormat
    /// How many points had no place (not a number, infinite, or beyond any place on earth) and were left out.
    public var droppedPoints: Int
    /// The others.
    public var cloud: PointCloud
}

/// Reads point clouds from the bytes of files.
public enum CloudReader {
    /// The points of a file, whatever its format: that is told by the bytes, not by the name.
    ///
    /// Single-precision coordinates are kept as they are. Those that a file has as text or in double precision count from an
    /// origin of whole metres when the first point is more than a kilometre away, so that UTM coordinates keep their
    /// millimetres. It computes for as long as the file is large (a million binary points take a few milliseconds): not for
    /// the main thread.
    ///
    /// - Parameter source: the file's name, for errors.
    /// - Throws: ``PointCloudError`` that names the file, the line or byte or field, what was found and what was expected.
    public static func read(
        _ bytes: [UInt8], source: String, limits: CloudLimits = CloudLimits(), progress: CloudProgress = .none
    ) throws(PointCloudError) -> CloudReading {
        try bytes.withUnsafeBufferPointer { buffer throws(PointCloudError) in
            try read(UnsafeRawBufferPointer(buffer), source: source, limits: limits, progress: progress)
        }
    }

    /// As ``read(_:source:limits:progress:)``, from memory that is somebody else's.
    public static func read(
        _ bytes: UnsafeRawBufferPointer, source: String, limits: CloudLimits = CloudLimits(),
        progress: CloudProgress = .none
    ) throws(PointCloudError) -> CloudReading {
        let source = CloudSource(source)
        guard bytes.count <= limits.fileBytes else {
            throw source.error(.tooLarge, "\(bytes.count) bytes; at most \(limits.fileBytes) are read")
        }
        return switch try CloudFormat.detect(bytes, source: source) {
        case .pcd: try PCDReader.read(bytes, source: source, limits: limits, progress: progress)
        case .ply: try PLYReader.read(bytes, source: source, limits: limits, progress: progress)
        case .xyz: try XYZReader.read(bytes, source: source, limits: limits, progress: progress)
        }
    }
}

extension CloudFormat {
    /// What the bytes begin like.
    static func detect(_ bytes: UnsafeRawBufferPointer, source: CloudSource) throws(PointCloudError) -> CloudFormat {
        guard !bytes.isEmpty else { throw source.error(.truncated, "is empty") }
        if bytes.starts(with: Array("ply\n".utf8)) || bytes.starts(with: Array("ply\r".utf8)) { return .ply }
        let head = bytes.prefix(CloudLimits.headerBytes)
        for line in head.split(separator: 0x0A) {
            let words = line.split(maxSplits: 1) { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            guard let word = words.first else { continue }
            if word.first == UInt8(ascii: "#") {
                if line.starts(with: Array("# .PCD".utf8)) { return .pcd }
                continue
            }
            let keywords = ["VERSION", "FIELDS", "COLUMNS"]
            return keywords.contains { word.elementsEqual($0.utf8) } ? .pcd : .xyz
        }
        throw source.error("has only comments in its first \(head.count) bytes; expected PCD, PLY or XYZ")
    }
}
