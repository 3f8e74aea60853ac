package import MRSMessages
internal import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension GeometryMsgs.Quaternion {
    /// The heading in ENU radians: where the body's x axis points in the horizontal plane. `nil` if the quaternion is
    /// invalid or the body's x axis is vertical.
    package var headingRadians: Double? {
        guard let forward = rotate(Vector3(x: 1, y: 0, z: 0)), forward.x != 0 || forward.y != 0 else { return nil }
        return atan2(forward.y, forward.x)
    }

    /// Rotates a body vector into world axes; `nil` if the quaternion is invalid.
    ///
    /// The quaternion is normalised in the process: v' = v + 2w (q x v) + 2 q x (q x v), each divided by the squared
    /// norm.
    func rotate(_ vector: Vector3) -> Vector3? {
        let squaredNorm = x * x + y * y + z * z + w * w
        guard squaredNorm.isFinite, squaredNorm > 1e-6 else { return nil }
        let axis = Vector3(x: x, y: y, z: z)
        let once = axis.cross(vector) * (2 / squaredNorm)
        let rotated = vector + once * w + axis.cross(once)
        return rotated.isFinite ? rotated : nil
    }
}
