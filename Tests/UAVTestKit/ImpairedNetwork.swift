public import Impairment
internal import Statistics
public import UAVLink

/// A network in memory whose time is the test's: seeded, so that a bad day can be had again.
public struct ImpairedNetwork<End: Hashable & Sendable>: Sendable {
    @usableFromInline var packets = TimeQueue<(to: End, bytes: [UInt8])>()
    private var path: ImpairedPath<SeededRandom>
    /// What is done to what is sent from now on.
    public var impairment: Impairment {
        get { path.impairment }
        set { path.impairment = newValue }
    }
    /// While true everything sent is lost.
    public var isDark = false
    /// How many were sent, lost ones too.
    public private(set) var sent = 0

    /// A network that does the same for the same seed.
    public init(seed: UInt64, _ impairment: Impairment = .none) {
        path = ImpairedPath(impairment, start: MonotonicTime(nanoseconds: 0), random: SeededRandom(seed: seed))
    }

    /// How many are under way.
    @inlinable public var underWay: Int { packets.count }

    /// Sends; what becomes of it is the impairment's.
    @inlinable
    public mutating func send(_ bytes: [UInt8], to end: End, now: MonotonicTime) {
        for at in arrivals(of: bytes.count, sentAt: now) { packets.add((end, bytes), at: at) }
    }

    /// When the copies of a packet sent now arrive.
    @usableFromInline
    mutating func arrivals(of size: Int, sentAt now: MonotonicTime) -> [MonotonicTime] {
        sent += 1
        let times = path.arrivals(ofDatagram: size, at: now)
        return isDark ? [] : times
    }

    /// When the next packet arrives; nothing when none is under way.
    @inlinable public var nextArrival: MonotonicTime? { packets.next }

    /// Takes out what has arrived, in the order of arrival.
    @inlinable
    public mutating func arrivals(at now: MonotonicTime) -> [(to: End, bytes: [UInt8])] {
        var due: [(to: End, bytes: [UInt8])] = []
        while let packet = packets.takeDue(at: now) { due.append(packet) }
        return due
    }
}

extension Impairment {
    /// A bad day on a mobile network.
    public static let bad = Self(
        delay: .milliseconds(25), jitter: .milliseconds(30), loss: 0.2, duplication: 0.1, reordering: 0.05,
        reorderingDelay: .milliseconds(100))
}
