/// Three numbers along x, y and z; the name of the property that holds it gives the unit.
public struct Vector3: Hashable, Sendable {
    /// East, or forward in a body frame.
    public var x: Double
    /// North, or left in a body frame.
    public var y: Double
    /// Up.
    public var z: Double

    /// A vector.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// All zero.
    public static let zero = Self(x: 0, y: 0, z: 0)

    /// Whether all three numbers are finite.
    public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

    /// The Euclidean length, in the unit of the components.
    public var length: Double { (x * x + y * y + z * z).squareRoot() }

    /// The sum, component by component.
    public static func + (left: Self, right: Self) -> Self {
        Self(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    /// The difference, component by component.
    public static func - (left: Self, right: Self) -> Self {
        Self(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    /// The vector scaled by a factor.
    public static func * (left: Self, factor: Double) -> Self {
        Self(x: left.x * factor, y: left.y * factor, z: left.z * factor)
    }

    /// The dot product.
    public func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

    /// The cross product, right-handed.
    public func cross(_ other: Self) -> Self {
        Self(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }
}

/// Headings: ENU radians, 0 = east, counter-clockwise, wrapped to (-pi, pi].
public enum Heading {
    /// The same heading wrapped to (-pi, pi]; a value that is not finite is returned unchanged.
    public static func wrapped(_ radians: Double) -> Double {
        guard radians.isFinite else { return radians }
        let turned = radians.remainder(dividingBy: 2 * .pi)
        return turned <= -.pi ? turned + 2 * .pi : turned
    }

    /// Converts degrees to radians.
    public static func radians(degrees: Double) -> Double { degrees * .pi / 180 }

    /// Converts radians to degrees.
    public static func degrees(radians: Double) -> Double { radians * 180 / .pi }
}

/// The name of a coordinate frame on the vehicle: `world_origin`, `local_origin`, `latlon_origin`, `utm_origin`, `fcu`,
/// `fcu_untilted`, or any other that its transformer knows.
public struct FrameName: Hashable, Sendable, CustomStringConvertible {
    /// The name; empty means the vehicle's current control frame.
    public let name: String

    /// A frame by name. The name is not checked here: ``Command/validate()`` does it.
    public init(_ name: String) { self.name = name }

    /// The vehicle's current control frame.
    public static let current = Self("")
    /// ENU metres from the origin set in the vehicle's world file.
    public static let worldOrigin = Self("world_origin")
    /// ENU metres from where the vehicle started.
    public static let localOrigin = Self("local_origin")
    /// x latitude and y longitude in degrees (WGS84), z metres above mean sea level.
    public static let latitudeLongitude = Self("latlon_origin")
    /// x easting, y northing, z metres above mean sea level.
    public static let utm = Self("utm_origin")
    /// The body frame without its tilt: x forward, y left, z up.
    public static let bodyUntilted = Self("fcu_untilted")

    /// The name, or "current" for the empty one.
    public var description: String { name.isEmpty ? "current" : name }

    /// The longest valid name, bytes.
    public static let longestName = 128

    /// Whether the name is a valid ROS frame name: letters, digits, `_` and `/`, at most 128 bytes, or empty.
    public var isValid: Bool {
        name.utf8.count <= Self.longestName
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F || byte == 0x2F
            }
    }
}
