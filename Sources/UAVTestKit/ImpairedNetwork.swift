public import Impairment
internal import Statistics
public import UAVLink

/// A network in memory whose time is the test's: seeded, so that a bad day can be had again.
public struct ImpairedNetwork<End: Hashable & Sendable>: Sendable {
    private struct Packet {
        var at: MonotonicTime
        var order: UInt64
        var to: End
        var bytes: [UInt8]
    }

    private var packets: [Packet] = []
    private var path: ImpairedPath<SeededRandom>
    private var order: UInt64 = 0
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

    /// Sends; what becomes of it is the impairment's.
    public mutating func send(_ bytes: [UInt8], to end: End, now: MonotonicTime) {
        sent += 1
        let times = path.arrivals(ofDatagram: bytes.count, at: now)
        guard !isDark else { return }
        for at in times {
            order += 1
            packets.append(Packet(at: at, order: order, to: end, bytes: bytes))
        }
    }

    /// When the next packet arrives; nothing when none is under way.
    public var nextArrival: MonotonicTime? { packets.map(\.at).min() }

    /// Takes out what has arrived, in the order of arrival.
    public mutating func arrivals(at now: MonotonicTime) -> [(to: End, bytes: [UInt8])] {
        let due = packets.filter { $0.at <= now }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
        guard !due.isEmpty else { return [] }
        packets.removeAll { $0.at <= now }
        return due.map { ($0.to, $0.bytes) }
    }
}

extension Impairment {
    /// A bad day on a mobile network.
    public static let bad = Self(
        delay: .milliseconds(25), jitter: .milliseconds(30), loss: 0.2, duplication: 0.1, reordering: 0.05,
        reorderingDelay: .milliseconds(100))
}
