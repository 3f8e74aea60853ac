public import Geodesy
public import UAVLink

/// Brings what a vehicle tells of its place into `world_origin`.
public struct WorldPosition: Sendable {
    /// Where frames lie; absent: only frames that begin at `world_origin` are known.
    public var session: WorldSession?

    /// With what is known of frames.
    public init(session: WorldSession? = nil) { self.session = session }

    /// Metres in `world_origin`; `nil` when it is not known where the pose's frame lies.
    public func position(of pose: Pose) -> Vector3? {
        let name = pose.frame.name.split(separator: "/").last.map(String.init) ?? ""
        if Self.beginsAtWorldOrigin(name) { return pose.positionMetres }
        guard let session else { return nil }
        return try? session.world(pose.positionMetres, frame: FrameName(name))
    }

    /// The frames of estimators that use satellites have `world_origin`'s axes and zero; the current frame is one of them
    /// where the vehicle names none.
    private static func beginsAtWorldOrigin(_ name: String) -> Bool {
        switch name {
        case "", FrameName.worldOrigin.name, "fixed_origin", "stable_origin": true
        default: name.hasSuffix("_origin") && (name.hasPrefix("gps") || name.hasPrefix("rtk"))
        }
    }
}
