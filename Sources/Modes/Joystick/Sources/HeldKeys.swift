package import UAVLink

/// Keys held down, on a terminal that reports key releases.
///
/// Such a terminal also repeats the key pressed last. Once repetitions were seen, their absence means that keyboard input has
/// stopped (a stalled SSH session, a terminal that hangs). Then all keys count as released, since a release would not have
/// arrived either. Motion resumes only with a new press.
package struct HeldKeys: StickSource, Hashable {
    /// Timeout of key repetitions: keyboards repeat 10 to 40 times a second.
    package static let repeatTimeout: Duration = .milliseconds(700)

    private var held: [StickKey] = []
    /// The key that repeats, and the time of its last repetition.
    private var repeating: (key: String, at: MonotonicTime)?

    /// No keys held.
    package init() {}

    /// A key was pressed.
    package mutating func press(_ key: StickKey) {
        held.removeAll { $0.name == key.name }
        held.append(key)
        repeating = nil
    }

    /// A held key repeats; a key that no longer counts as held is ignored.
    package mutating func repeats(_ key: StickKey, at now: MonotonicTime) {
        releaseAllAfterTimeout(at: now)
        guard held.contains(where: { $0.name == key.name }) else { return }
        repeating = (key.name, now)
    }

    /// A key was released.
    package mutating func release(_ key: StickKey) {
        held.removeAll { $0.name == key.name }
        repeating = nil
    }

    /// Another key was pressed: the keyboard stops repeating the held one.
    package mutating func otherKey() { repeating = nil }

    /// Releases all keys.
    package mutating func releaseAll() {
        held = []
        repeating = nil
    }

    package var keys: [StickKey] { held }

    /// See ``StickSource/reading(at:)``.
    package func reading(at now: MonotonicTime) -> StickReading {
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
    package static func == (left: Self, right: Self) -> Bool {
        left.held == right.held && left.repeating?.key == right.repeating?.key
            && left.repeating?.at == right.repeating?.at
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(held) }
}
