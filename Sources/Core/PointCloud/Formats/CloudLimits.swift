/// How much a file may ask of us.
public struct CloudLimits: Hashable, Sendable {
    /// At most so many points, at most 2^30; each takes 16 bytes in memory.
    public let points: Int
    /// At most so many bytes of a file.
    public let fileBytes: Int

    /// Limits; what is not said is far more than any map of a flight has: 50 million points (800 MB) and 4 GiB.
    public init(points: Int = 50_000_000, fileBytes: Int = 1 << 32) {
        self.points = min(points, 1 << 30)
        self.fileBytes = fileBytes
    }

    /// A coordinate beyond this, metres, is no place on earth in any grid; such a point is dropped like one that is not
    /// a number, since sensors mark what they did not see with the largest number they have.
    public static let largestCoordinateMetres = 1e9

    /// A header, in bytes.
    static let headerBytes = 1 << 16
    /// Fields of a point, or properties of an element.
    static let fields = 1024
    /// One line of a text, in bytes.
    static let lineBytes = 1 << 16
}
