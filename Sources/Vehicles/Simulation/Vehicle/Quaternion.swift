#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import UAVLink

/// A rotation from body axes to world axes, as a unit quaternion (Hamilton's convention, scalar last on the wire).
public struct Quaternion: Hashable, Sendable {
    /// The imaginary part along x.
    public var x: Double
    /// The imaginary part along y.
    public var y: Double
    /// The imaginary part along z.
    public var z: Double
    /// The real part.
    public var w: Double

    /// Creates a quaternion from its components; the caller ensures that its norm is 1.
    public init(x: Double, y: Double, z: Double, w: Double) {
        self.x = x
        self.y = y
        self.z = z
        self.w = w
    }

    /// No rotation.
    public static let identity = Self(x: 0, y: 0, z: 0, w: 1)

    /// The rotation about the vertical from east to that heading.
    public init(headingRadians: Double) {
        self.init(x: 0, y: 0, z: sin(headingRadians / 2), w: cos(headingRadians / 2))
    }

    /// The rotation by a vector's length in radians about its direction.
    init(rotationVector v: Vector3) {
        let angle = v.length
        // Below this the first term of the sine's series is exact to double precision.
        let scale = angle > 1e-6 ? sin(angle / 2) / angle : 0.5
        self.init(x: v.x * scale, y: v.y * scale, z: v.z * scale, w: cos(angle / 2))
    }

    /// The rotation whose body axes are these three world vectors (Shepperd's method).
    init(bodyX a: Vector3, bodyY b: Vector3, bodyZ c: Vector3) {
        let trace = a.x + b.y + c.z
        if trace > 0 {
            let s = (trace + 1).squareRoot() * 2
            self.init(x: (b.z - c.y) / s, y: (c.x - a.z) / s, z: (a.y - b.x) / s, w: s / 4)
        } else if a.x > b.y, a.x > c.z {
            let s = (1 + a.x - b.y - c.z).squareRoot() * 2
            self.init(x: s / 4, y: (b.x + a.y) / s, z: (c.x + a.z) / s, w: (b.z - c.y) / s)
        } else if b.y > c.z {
            let s = (1 + b.y - a.x - c.z).squareRoot() * 2
            self.init(x: (b.x + a.y) / s, y: s / 4, z: (c.y + b.z) / s, w: (c.x - a.z) / s)
        } else {
            let s = (1 + c.z - a.x - b.y).squareRoot() * 2
            self.init(x: (c.x + a.z) / s, y: (c.y + b.z) / s, z: s / 4, w: (a.y - b.x) / s)
        }
    }

    /// The inverse rotation.
    public var conjugate: Self { Self(x: -x, y: -y, z: -z, w: w) }

    /// The same rotation with norm 1.
    var normalised: Self {
        let scale = 1 / (x * x + y * y + z * z + w * w).squareRoot()
        return Self(x: x * scale, y: y * scale, z: z * scale, w: w * scale)
    }

    /// The composition: first `right`, then `left`.
    public static func * (left: Self, right: Self) -> Self {
        Self(
            x: left.w * right.x + left.x * right.w + left.y * right.z - left.z * right.y,
            y: left.w * right.y - left.x * right.z + left.y * right.w + left.z * right.x,
            z: left.w * right.z + left.x * right.y - left.y * right.x + left.z * right.w,
            w: left.w * right.w - left.x * right.x - left.y * right.y - left.z * right.z)
    }

    /// Rotates a vector from body axes to world axes.
    public func rotate(_ v: Vector3) -> Vector3 {
        let u = Vector3(x: x, y: y, z: z)
        let t = u.cross(v) * 2
        return v + t * w + u.cross(t)
    }

    /// The body's z axis in world axes.
    var bodyZ: Vector3 {
        Vector3(x: 2 * (x * z + w * y), y: 2 * (y * z - w * x), z: 1 - 2 * (x * x + y * y))
    }

    /// Heading of the body's x axis, ENU radians.
    public var headingRadians: Double { atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)) }

    /// Angle between the body's z axis and the vertical, radians.
    public var tiltRadians: Double { acos(max(-1, min(1, 1 - 2 * (x * x + y * y)))) }
}
