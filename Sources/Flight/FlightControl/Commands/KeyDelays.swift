/// How long keys took from the read of their bytes at the terminal until the setpoint that they change was computed: the newest of them.
package struct KeyDelays: Hashable, Sendable {
    /// So many are kept: a minute of steering with three changes a second.
    package static let kept = 192

    /// How many keys there were in all.
    package private(set) var count = 0
    private var newest: [Duration] = []

    /// Of no keys yet.
    package init() {}

    /// Keys have changed setpoints.
    package mutating func add(_ delays: [Duration]) {
        for delay in delays {
            if newest.count < Self.kept { newest.append(delay) } else { newest[count % Self.kept] = delay }
            count += 1
        }
    }

    /// The middle one of those that are kept; `nil` without any.
    package var median: Duration? { newest.isEmpty ? nil : newest.sorted()[(newest.count - 1) / 2] }

    /// The longest of those that are kept; `nil` without any.
    package var longest: Duration? { newest.max() }
}
