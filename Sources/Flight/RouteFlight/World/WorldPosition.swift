package import Geodesy
package import UAVLink

/// Converts poses of a vehicle to `world_origin`.
package struct WorldPosition: Sendable {
    /// Where frames lie; `nil`: only frames with the origin of `world_origin` are known.
    package var session: WorldSession?

    /// Creates a converter with known frames.
    package init(session: WorldSession? = nil) { self.session = session }

    /// Position in metres in `world_origin`; `nil` if it is unknown where the pose's frame lies.
    package func position(of pose: Pose) -> Vector3? {
        let name = pose.frame.name.split(separator: "/").last.map(String.init) ?? ""
        if Self.beginsAtWorldOrigin(name) { return pose.positionMetres }
        guard let session else { return nil }
        return try? session.world(pose.positionMetres, frame: FrameName(name))
    }

    /// Frames of satellite-based estimators have the axes and origin of `world_origin`; a pose without a frame name is taken
    /// to be in one of them.
    private static func beginsAtWorldOrigin(_ name: String) -> Bool {
        switch name {
        case "", FrameName.worldOrigin.name, "fixed_origin", "stable_origin": true
        default: name.hasSuffix("_origin") && (name.hasPrefix("gps") || name.hasPrefix("rtk"))
        }
    }
}
