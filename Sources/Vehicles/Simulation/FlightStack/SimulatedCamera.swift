public import UAVLink

/// The pose at which a picture was taken.
public struct CameraSnapshot: Hashable, Sendable {
    /// Simulated seconds since the start.
    public var seconds: Double
    /// The vehicle's true position, metres in the control frame.
    public var position: Vector3
    /// The heading, ENU radians.
    public var headingRadians: Double
}

/// A camera that records only where pictures were taken.
struct SimulatedCamera: Hashable, Sendable {
    /// The number of pictures recorded; the oldest are dropped first.
    static let maximumKept = 10_000

    /// Pictures taken so far.
    private(set) var count = 0
    private(set) var kept: [CameraSnapshot] = []

    mutating func take(_ snapshot: CameraSnapshot) {
        count += 1
        if kept.count == Self.maximumKept { kept.removeFirst() }
        kept.append(snapshot)
    }
}

extension HexacopterSimulator {
    /// Where the newest pictures were taken, oldest first; at most 10 000.
    public var snapshots: [CameraSnapshot] { stack.camera.kept }

    mutating func takeSnapshot() -> ServiceAnswer {
        stack.camera.take(
            CameraSnapshot(seconds: seconds, position: body.position, headingRadians: body.attitude.headingRadians))
        return .yes("snapshot \(stack.camera.count) taken")
    }
}
