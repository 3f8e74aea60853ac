public import UAVLink

/// Where a picture was taken.
public struct CameraSnapshot: Hashable, Sendable {
    /// Simulated seconds since the start.
    public var seconds: Double
    /// Where the vehicle truly was, metres in the control frame.
    public var position: Vector3
    /// Where its nose pointed, ENU radians.
    public var headingRadians: Double
}

/// A camera that remembers where each picture was taken, and takes none.
struct SimulatedCamera: Hashable, Sendable {
    /// The most pictures that are remembered; the oldest are forgotten first.
    static let mostKept = 10_000

    /// Pictures so far.
    private(set) var count = 0
    private(set) var kept: [CameraSnapshot] = []

    mutating func take(_ snapshot: CameraSnapshot) {
        count += 1
        if kept.count == Self.mostKept { kept.removeFirst() }
        kept.append(snapshot)
    }
}

extension HexacopterSimulator {
    /// How many pictures were taken.
    public var snapshotCount: Int { stack.camera.count }

    /// Where the newest pictures were taken, oldest first; at most 10 000.
    public var snapshots: [CameraSnapshot] { stack.camera.kept }

    mutating func takeSnapshot() -> ServiceAnswer {
        stack.camera.take(
            CameraSnapshot(seconds: seconds, position: body.position, headingRadians: body.attitude.headingRadians))
        return .yes("snapshot \(stack.camera.count) taken")
    }
}
