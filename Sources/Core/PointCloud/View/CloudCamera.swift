#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import UAVLink

/// The view of a cloud. The projection is orthographic, so that distances can be measured.
public struct CloudCamera: Hashable, Sendable {
    /// The point at the centre of the grid, metres in the cloud's frame.
    public var centre: Vector3
    /// The scale: metres from one dot to the next.
    public var metresPerDot: Double {
        didSet { metresPerDot = Self.scale(metresPerDot) }
    }
    /// Rotation about the vertical axis, radians: 0 has x to the right; a positive angle rotates the image clockwise.
    public var turnRadians: Double
    /// Tilt, radians: pi/2 looks straight down, 0 looks horizontally.
    public var tiltRadians: Double {
        didSet { tiltRadians = min(max(tiltRadians, 0), .pi / 2) }
    }

    /// The range of scales: from a tenth of a millimetre to a hundred kilometres per dot.
    public static let scales = 1e-4...1e5

    /// A camera; scale and tilt are clamped to their ranges.
    public init(centre: Vector3, metresPerDot: Double, turnRadians: Double = 0, tiltRadians: Double = .pi / 2) {
        self.centre = centre
        self.metresPerDot = Self.scale(metresPerDot)
        self.turnRadians = turnRadians
        self.tiltRadians = min(max(tiltRadians, 0), .pi / 2)
    }

    /// A camera that fits a box into a grid, with a small margin.
    public init(seeing box: CloudBounds, on grid: DotGrid, turnRadians: Double = 0, tiltRadians: Double = .pi / 2) {
        self.init(centre: box.centre, metresPerDot: 1, turnRadians: turnRadians, tiltRadians: tiltRadians)
        let (right, up) = axes
        // The farthest corner along an axis follows from the absolute components.
        func reach(_ axis: Vector3) -> Double {
            (abs(axis.x) * box.size.x + abs(axis.y) * box.size.y + abs(axis.z) * box.size.z) / 2
        }
        let width = max(1, Double(grid.width)), height = max(1, Double(grid.height))
        metresPerDot = max(2 * reach(right) / width, 2 * reach(up) / height) * 1.05
    }

    /// The directions right and up on the grid, unit vectors.
    public var axes: (right: Vector3, up: Vector3) {
        let (turnCos, turnSin) = (cos(turnRadians), sin(turnRadians))
        let (tiltCos, tiltSin) = (cos(tiltRadians), sin(tiltRadians))
        return (
            Vector3(x: turnCos, y: turnSin, z: 0), Vector3(x: -turnSin * tiltSin, y: turnCos * tiltSin, z: tiltCos)
        )
    }

    /// Projects a point onto the grid, in dots from the upper left corner; the result may lie outside.
    public func dot(of place: Vector3, on grid: DotGrid) -> (x: Double, y: Double) {
        let (right, up) = axes
        let way = place - centre
        return (
            Double(grid.width) / 2 + way.dot(right) / metresPerDot, Double(grid.height) / 2 - way.dot(up) / metresPerDot
        )
    }

    /// The point at a height that is displayed at a dot; `nil` if the view is within three degrees of horizontal.
    public func place(x: Double, y: Double, on grid: DotGrid, heightMetres: Double) -> Vector3? {
        guard tiltRadians > 0.05 else { return nil }
        let (across, along) = way(x: x, y: y, on: grid)
        let height = heightMetres - centre.z
        return place(across: across, ahead: (along - height * cos(tiltRadians)) / sin(tiltRadians), height: height)
    }

    /// The point displayed at a dot at the same horizontal depth as another; `nil` if the view is within three degrees of
    /// straight down.
    public func place(x: Double, y: Double, on grid: DotGrid, asFarAs other: Vector3) -> Vector3? {
        guard tiltRadians < .pi / 2 - 0.05 else { return nil }
        let (across, along) = way(x: x, y: y, on: grid)
        let ahead = (other - centre).dot(Vector3(x: -sin(turnRadians), y: cos(turnRadians), z: 0))
        return place(
            across: across, ahead: ahead, height: (along - ahead * sin(tiltRadians)) / cos(tiltRadians))
    }

    /// Moves the image by a number of dots to the right and up.
    public mutating func pan(right: Double, up: Double) {
        let axes = axes
        centre = centre - axes.right * (right * metresPerDot) - axes.up * (up * metresPerDot)
    }

    /// Enlarges the image by a factor; the point displayed at the given dot stays there.
    public mutating func zoom(by factor: Double, x: Double, y: Double, on grid: DotGrid) {
        guard factor > 0, factor.isFinite else { return }
        let before = way(x: x, y: y, on: grid)
        metresPerDot /= factor
        let after = way(x: x, y: y, on: grid)
        let axes = axes
        centre = centre + axes.right * (before.across - after.across) + axes.up * (before.along - after.along)
    }

    private func way(x: Double, y: Double, on grid: DotGrid) -> (across: Double, along: Double) {
        ((x - Double(grid.width) / 2) * metresPerDot, (Double(grid.height) / 2 - y) * metresPerDot)
    }

    private func place(across: Double, ahead: Double, height: Double) -> Vector3 {
        let (turnCos, turnSin) = (cos(turnRadians), sin(turnRadians))
        return centre
            + Vector3(x: across * turnCos - ahead * turnSin, y: across * turnSin + ahead * turnCos, z: height)
    }

    private static func scale(_ metresPerDot: Double) -> Double {
        guard metresPerDot.isFinite else { return 1 }
        return min(max(metresPerDot, scales.lowerBound), scales.upperBound)
    }
}
