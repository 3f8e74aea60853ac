/// The limits for reading a file.
public struct CloudLimits: Hashable, Sendable {
    /// The maximum number of points, at most 2^30; each takes 16 bytes in memory.
    public let points: Int
    /// The maximum size of a file, bytes.
    public let fileBytes: Int

    /// Limits; the defaults are far more than any map of a flight has: 50 million points (800 MB) and 4 GiB.
    public init(points: Int = 50_000_000, fileBytes: Int = 1 << 32) {
        self.points = min(points, 1 << 30)
        self.fileBytes = fileBytes
    }

    /// The largest coordinate, metres: beyond that of any place on earth in any grid. Points beyond it are dropped like
    /// NaN, since sensors mark missing measurements with their largest number.
    public static let largestCoordinateMetres = 1e9

    /// The maximum size of a header, bytes.
    static let headerBytes = 1 << 16
    /// The maximum number of fields of a point, or properties of an element.
    static let fields = 1024
    /// The maximum length of a line of text, bytes.
    static let lineBytes = 1 << 16
}
