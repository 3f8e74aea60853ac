/// Where the interval of a series ends, and what it is of. A ratio is formed of two series that end alike, of no others.
package enum EndPoint: Hashable, Sendable {
    /// The vehicle's answer to a command, on the ground.
    case answer
    /// The answer to the call of a service that carries a setpoint, on the ground: a round trip.
    case serviceAnswer
    /// The setpoint, written to the sockets of the vehicle's subscribers.
    case written
    /// The setpoint, read by a subscriber in the companion: one hop of TCPROS and one wake-up after ``written``.
    case received
    /// A message with the pose, decoded on the ground; from its stamp, or from its receipt on board.
    case pose(isStamped: Bool)
    /// The diagnostics of the estimator as `rostopic echo` prints them: ten a second, in a link's first turn.
    case echo
    /// The first change of speed in the odometry, on the ground.
    case movement

    /// Of what was measured over a link.
    init(_ kind: SeriesKind, over link: String, of series: SeriesSummary) {
        let isShell = link == "ssh" || link == "ssh-shell"
        switch kind {
        case .command: self = .answer
        case .steering:
            self = isShell ? .serviceAnswer : series.endsAtSubscriber ? .received : .written
        case .telemetry: self = isShell ? .echo : .pose(isStamped: series.origin?.obstacle == nil)
        case .motion: self = .movement
        }
    }

    /// A clause: `the answer to a service call`.
    package var text: String {
        switch self {
        case .answer: "the vehicle's answer"
        case .serviceAnswer: "the answer to a service call on the ground (round trip)"
        case .written: "the message written to the subscribers' sockets"
        case .received: "its receipt by a subscriber in the companion"
        case .pose(isStamped: true): "a message with the pose, from its stamp"
        case .pose(isStamped: false): "a message with the pose, from its receipt on board"
        case .echo: "estimation_manager/diagnostics as rostopic echo prints it, at 10 Hz in the first turn"
        case .movement: "the first change of speed in the odometry"
        }
    }
}
