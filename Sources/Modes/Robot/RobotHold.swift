package import UAVLink

/// The direction that the keyboard holds.
///
/// On a terminal that reports releases a key is held until its release; once it has repeated, its silence counts as one, since a
/// terminal that hangs sends none. On any other a press holds for ``step``, and each repetition, which looks like a press, again.
package struct RobotHold: Hashable, Sendable {
    /// How long a press holds without key releases: a keyboard repeats 10 to 40 times a second, after half a second.
    package static let step: Duration = .milliseconds(300)
    /// The longest silence of a key that has repeated.
    package static let silence: Duration = .milliseconds(700)

    package var reportsReleases = false
    private var held: [RobotDirection] = []
    private var until: MonotonicTime?

    package init() {}

    package mutating func press(_ direction: RobotDirection, now: MonotonicTime) {
        held.removeAll { $0 == direction }
        if !reportsReleases { held = [] }
        held.append(direction)
        until = reportsReleases ? nil : now + Self.step
    }

    package mutating func repeats(_ direction: RobotDirection, now: MonotonicTime) {
        guard reportsReleases else { return press(direction, now: now) }
        // One that was stopped moves by a new press only.
        guard reading(now: now) != nil, held.contains(direction) else { return }
        until = now + Self.silence
    }

    package mutating func release(_ direction: RobotDirection) {
        // The first release shows that the terminal reports them.
        reportsReleases = true
        held.removeAll { $0 == direction }
        until = nil
    }

    package mutating func otherKey() { if reportsReleases { until = nil } }

    package mutating func letGo() { (held, until) = ([], nil) }

    /// The direction that is held now: of several, the one pressed last.
    package func reading(now: MonotonicTime) -> RobotDirection? {
        if let until, now >= until { return nil }
        return held.last
    }
}
