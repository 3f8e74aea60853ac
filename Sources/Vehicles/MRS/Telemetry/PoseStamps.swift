internal import UAVLink

/// The header stamps of the last poses: which one a pose had is asked for a moment later, after its telemetry was passed on.
struct PoseStamps: Sendable {
    private var stamps: [(poseAt: MonotonicTime, stampedAt: MonotonicTime)] = []
    private var next = 0

    /// Poses remembered: at 100 Hz those of 160 ms.
    private static let capacity = 16

    init() { stamps.reserveCapacity(Self.capacity) }

    /// Remembers the stamp of the pose that was received then.
    mutating func note(poseAt: MonotonicTime, stampedAt: MonotonicTime) {
        // Several messages may be read at one instant: telemetry has the pose of the last of them.
        if let known = stamps.firstIndex(where: { $0.poseAt == poseAt }) {
            stamps[known].stampedAt = stampedAt
            return
        }
        if stamps.count < Self.capacity {
            stamps.append((poseAt, stampedAt))
        } else {
            stamps[next] = (poseAt, stampedAt)
        }
        next = (next + 1) % Self.capacity
    }

    /// The stamp of the pose that was received then, if it had one and is remembered.
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? {
        stamps.first { $0.poseAt == instant }?.stampedAt
    }
}
