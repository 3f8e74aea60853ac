internal import UAVLink

/// The `seq` that a publisher gives its messages, which numbers them in order, where it does not tell: a rosbridge server's. It is learnt
/// from a message that the companion has seen, and what follows is counted.
struct PublishedNumbers: Sendable {
    /// That of the last message; `nil` while it is not known.
    private(set) var newest: UInt32?
    /// Why it is not known; `nil` if it is.
    private(set) var obstacle: String? = "no setpoint of the rosbridge server was seen on the vehicle's topic"

    private static let attempts = 3
    /// The companion sends its records a few times a second.
    private static let (look, looks): (Duration, Int) = (.milliseconds(300), 7)
    /// More messages than this behind the newest are of another publisher, whose numbers are its own.
    private static let near: UInt32 = 100

    /// Publishes a neutral setpoint, whose number the companion then sees.
    mutating func learn(
        _ setting: ProbeSetting, _ publish: (VelocitySetpoint) throws(LinkError) -> Bool
    ) async {
        guard await setting.reference.track != nil else { return }
        await setting.reference.watch(true)
        try? await Task.sleep(for: ObservedSetpoints.subscriptionLead)
        for _ in 0..<Self.attempts where newest == nil && !Task.isCancelled {
            _ = await setting.reference.takeSeen()
            guard await setting.reference.mayGoOn(),
                (try? publish(
                    VelocitySetpoint(velocityMetresPerSecond: .zero, frame: .body, intendedAt: setting.clock.now)))
                    == true
            else { break }
            var seen: [UInt32: MonotonicTime] = [:]
            for _ in 0..<Self.looks where seen.isEmpty && !Task.isCancelled {
                try? await Task.sleep(for: Self.look)
                seen = await setting.reference.takeSeen()
            }
            learn(from: Array(seen.keys))
        }
        await setting.reference.watch(false)
    }

    /// What was seen after one message was published: that one, unless others steer as well.
    mutating func learn(from seen: [UInt32]) {
        guard seen.count < 2 else {
            obstacle = "another node publishes setpoints: those of the rosbridge server cannot be told from them"
            return
        }
        guard let number = seen.first else { return }
        (newest, obstacle) = (number, nil)
    }

    /// The number of the next message; `nil` while it is not known.
    mutating func next() -> UInt32? {
        newest = newest.map { $0 &+ 1 }
        return newest
    }

    /// Notices in what was seen in a turn that the publisher has more messages than were sent to it.
    mutating func check(_ seen: [UInt32: MonotonicTime]) {
        guard let newest, seen.keys.contains(where: { $0 &- newest &- 1 < Self.near }) else { return }
        self.newest = nil
        obstacle = "another client of the rosbridge server publishes setpoints: which of them arrived cannot be told"
    }
}
