public import UAVLink

/// Keys that are down, on a terminal that tells when a key comes up.
///
/// Such a terminal also repeats the key that went down last. Once that has been seen, its absence says that nothing arrives
/// from the keyboard any more (a stalled SSH session, a terminal that hangs): then all keys count as let go of, since the
/// message that one came up would not have arrived either. Only a new press brings motion.
public struct HeldKeys: StickSource, Hashable {
    /// How long repetitions may stay away: keyboards repeat 10 to 40 times a second.
    public static let longestSilence: Duration = .milliseconds(700)

    private var held: [StickKey] = []
    /// The key that repeats, and when it last did.
    private var repeating: (key: String, at: MonotonicTime)?

    /// None.
    public init() {}

    /// A key went down.
    public mutating func press(_ key: StickKey) {
        held.removeAll { $0.name == key.name }
        held.append(key)
        repeating = nil
    }

    /// A key that is down repeats; one that does not count as down any more is not taken up again.
    public mutating func repeats(_ key: StickKey, at now: MonotonicTime) {
        dropWhenSilent(at: now)
        guard held.contains(where: { $0.name == key.name }) else { return }
        repeating = (key.name, now)
    }

    /// A key came up.
    public mutating func release(_ key: StickKey) {
        held.removeAll { $0.name == key.name }
        repeating = nil
    }

    /// Another key went down: keyboards stop repeating the one that is held.
    public mutating func otherKey() { repeating = nil }

    /// All keys came up.
    public mutating func releaseAll() {
        held = []
        repeating = nil
    }

    /// The keys that are down.
    public var keys: [StickKey] { held }

    /// See ``StickSource/reading(at:)``.
    public func reading(at now: MonotonicTime) -> StickReading {
        guard !isSilent(at: now) else { return .deflection(.neutral) }
        return .deflection(held.reduce(.neutral) { $0 + $1.move.deflection })
    }

    private func isSilent(at now: MonotonicTime) -> Bool {
        guard let repeating else { return false }
        return now - repeating.at > Self.longestSilence
    }

    private mutating func dropWhenSilent(at now: MonotonicTime) {
        if isSilent(at: now) { releaseAll() }
    }

    /// Whether both have the same keys down.
    public static func == (left: Self, right: Self) -> Bool {
        left.held == right.held && left.repeating?.key == right.repeating?.key
            && left.repeating?.at == right.repeating?.at
    }

    /// By the keys that are down.
    public func hash(into hasher: inout Hasher) { hasher.combine(held) }
}
