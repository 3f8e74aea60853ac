public import UAVLink

/// Keys held down, on a terminal that reports key releases.
///
/// Such a terminal also repeats the key pressed last. Once repetitions were seen, their absence means that keyboard input has
/// stopped (a stalled SSH session, a terminal that hangs). Then all keys count as released, since a release would not have
/// arrived either. Motion resumes only with a new press.
public struct HeldKeys: StickSource, Hashable {
    /// Timeout of key repetitions: keyboards repeat 10 to 40 times a second.
    public static let repeatTimeout: Duration = .milliseconds(700)

    private var held: [StickKey] = []
    /// The key that repeats, and the time of its last repetition.
    private var repeating: (key: String, at: MonotonicTime)?

    /// No keys held.
    public init() {}

    /// A key was pressed.
    public mutating func press(_ key: StickKey) {
        held.removeAll { $0.name == key.name }
        held.append(key)
        repeating = nil
    }

    /// A held key repeats; a key that no longer counts as held is ignored.
    public mutating func repeats(_ key: StickKey, at now: MonotonicTime) {
        releaseAllAfterTimeout(at: now)
        guard held.contains(where: { $0.name == key.name }) else { return }
        repeating = (key.name, now)
    }

    /// A key was released.
    public mutating func release(_ key: StickKey) {
        held.removeAll { $0.name == key.name }
        repeating = nil
    }

    /// Another key was pressed: the keyboard stops repeating the held one.
    public mutating func otherKey() { repeating = nil }

    /// Releases all keys.
    public mutating func releaseAll() {
        held = []
        repeating = nil
    }

    /// The held keys.
    public var keys: [StickKey] { held }

    /// See ``StickSource/reading(at:)``.
    public func reading(at now: MonotonicTime) -> StickReading {
        guard !isSilent(at: now) else { return .deflection(.neutral) }
        return .deflection(held.reduce(.neutral) { $0 + $1.move.deflection })
    }

    private func isSilent(at now: MonotonicTime) -> Bool {
        guard let repeating else { return false }
        return now - repeating.at > Self.repeatTimeout
    }

    private mutating func releaseAllAfterTimeout(at now: MonotonicTime) {
        if isSilent(at: now) { releaseAll() }
    }

    /// Whether both have the same keys held and the same last repetition.
    public static func == (left: Self, right: Self) -> Bool {
        left.held == right.held && left.repeating?.key == right.repeating?.key
            && left.repeating?.at == right.repeating?.at
    }

    /// Hashes the held keys.
    public func hash(into hasher: inout Hasher) { hasher.combine(held) }
}
