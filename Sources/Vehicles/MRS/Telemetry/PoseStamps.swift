internal import ROSMessages
internal import UAVLink

/// The header stamps of the last poses: which one a pose had is asked for a moment later, after its telemetry was passed on.
///
/// Stamps of simulated time say nothing about the age of a message, and are not given.
struct PoseStamps: Sendable {
    /// This machine's wall clock minus its monotonic clock, nanoseconds; converts stamps to instants.
    var wallMinusClock: Int64?
    /// Whether the graph runs on simulated time; `nil` if it is not known.
    var isTimeSimulated: Bool?

    private var offsets = StampOffsets()
    private var stamps: [(poseAt: MonotonicTime, stampedAt: MonotonicTime)] = []
    private var next = 0

    /// Poses remembered: at 100 Hz those of 160 ms.
    private static let capacity = 16
    /// The largest difference of a stamp from its receipt; a larger one is of another clock, and not remembered.
    private static let longestDelay: Duration = .seconds(10)

    init() { stamps.reserveCapacity(Self.capacity) }

    /// Remembers the stamp of the pose that was received at that time.
    mutating func note(_ stamp: ROSTime, ofPoseAt now: MonotonicTime) {
        guard let wallMinusClock, stamp != ROSTime() else { return }
        let wall = Int64(stamp.seconds) * 1_000_000_000 + Int64(stamp.nanoseconds)
        let stampedAt = MonotonicTime(nanoseconds: wall &- wallMinusClock)
        let delay = now - stampedAt
        offsets.note(delay, at: now)
        let plausible = (Duration.zero - Self.longestDelay)...Self.longestDelay
        if plausible.contains(delay) { remember(poseAt: now, stampedAt: stampedAt) }
    }

    private mutating func remember(poseAt: MonotonicTime, stampedAt: MonotonicTime) {
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

    /// The clock of the stamps, as far as it is known.
    var clock: StampClock? {
        if isTimeSimulated == true { return StampClock(.simulated, offset: offsets.offset) }
        guard let offset = offsets.offset else { return nil }
        if offset > StampClock.largestDifference || offset < .zero - StampClock.largestDifference {
            return StampClock(.differing, offset: offset)
        }
        // A simulated clock may happen to be close.
        return isTimeSimulated == false ? StampClock(.wall) : nil
    }

    /// The stamp of the pose that was received then; `nil` if it had none, is no longer remembered, or is of simulated time. One
    /// of another wall clock is given: on the ground it is the vehicle's, whose offset is known.
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? {
        guard isTimeSimulated != true else { return nil }
        return stamps.first { $0.poseAt == instant }?.stampedAt
    }
}

/// How far the stamps of messages are from their receipt: the part of it that all of them have in common, which no delay on the way
/// explains. No clock, no I/O.
struct StampOffsets: Hashable, Sendable {
    /// A queue on board that was stalled is emptied in less.
    private static let window: Duration = .seconds(2)
    private static let leastMessages = 5

    /// The receipt minus the stamp, of the last whole window: the shortest if all are positive, the one nearest to zero if all are
    /// negative, else zero. `nil` before the first window has ended.
    private(set) var offset: Duration?

    private var windowBegin: MonotonicTime?
    private var count = 0
    private var least: Duration = .zero
    private var most: Duration = .zero

    /// Takes the delay from a message's stamp to its receipt, negative if the stamp is later.
    mutating func note(_ delay: Duration, at now: MonotonicTime) {
        // A difference that is too large for its type is negative.
        guard let windowBegin, now >= windowBegin, now - windowBegin >= .zero else {
            self.windowBegin = now
            (count, least, most) = (1, delay, delay)
            return
        }
        count += 1
        least = min(least, delay)
        most = max(most, delay)
        guard now - windowBegin >= Self.window, count >= Self.leastMessages else { return }
        offset = least > .zero ? least : min(most, .zero)
        self.windowBegin = nil
    }
}
