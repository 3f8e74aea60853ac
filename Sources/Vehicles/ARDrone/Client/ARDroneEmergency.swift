package import UAVLink

/// The emergency bit, of which only the edge from 0 to 1 counts: it is set until the state shows what was aimed at, and released
/// before it is set again. A value with the time passed in.
///
/// ```
///   released ──90 ms──▶ set ──the state shows it──▶ over
///       ▲                │ 1 s of a state that does not show it
///       ╰────────────────╯
/// ```
/// While nothing is heard it stays set: a bit that is held changes nothing a second time.
package struct ARDroneEmergency: Sendable {
    /// Whether the motors are to be cut, or the emergency cleared.
    package enum Aim: Hashable, Sendable { case cut, clear }

    private enum Phase: Hashable {
        case released(until: MonotonicTime)
        case set(since: MonotonicTime)
    }

    /// What is aimed at.
    package let aim: Aim
    private var phase: Phase
    /// How often the bit was set.
    package private(set) var edges = 0
    /// Since when the state tells whether the aim is reached.
    package let tellsFrom: MonotonicTime

    /// Begins. To cut, the bit is released in the same instant in which it is set: the drone may have held it.
    package init(_ aim: Aim, now: MonotonicTime) {
        self.aim = aim
        phase = .released(until: aim == .cut ? now : now + ARDroneTimes.release)
        tellsFrom = now
    }

    /// To cut what was being cleared. The edge that clears may still be on its way, and another one right behind it would clear
    /// what the first did not reach. The motors are off either way, so what has become of it is waited for.
    package init(cutAfter clearing: Self, now: MonotonicTime) {
        aim = .cut
        phase = .released(until: now + ARDroneTimes.edge)
        tellsFrom = now + ARDroneTimes.edge - ARDroneTimes.release
        edges = clearing.edges
    }

    /// Whether the drone holds the bit, as far as was sent: to send it once more changes nothing.
    package var isHeld: Bool { if case .set = phase { true } else { false } }

    /// What is sent now, in order, each in a datagram of its own.
    ///
    /// - Parameter heardAt: when the newest state came, which does not show the aim; `nil` if none is fresh.
    package mutating func references(heardAt: MonotonicTime?, now: MonotonicTime) -> [ATReference] {
        switch phase {
        case .released(let until):
            guard until <= now else { return [.land] }
            phase = .set(since: now)
            edges += 1
            return [.land, .toggleEmergency]
        case .set(let since):
            if let heardAt, heardAt - since >= ARDroneTimes.edge {
                phase = .released(until: now + ARDroneTimes.release)
                return [.land]
            }
            return [.toggleEmergency]
        }
    }
}
