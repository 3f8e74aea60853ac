/// The one sentence that the whole program is built around: what a person, a mode or a script can say to a vehicle,
/// whatever carries it.
///
/// A conforming type is one way to reach one vehicle: SSH commands, the socket channel over UDP or TCP, ROS itself,
/// or a simulator in this process. All of them pass the same contract tests.
///
/// Rules that every link keeps:
/// - no call waits longer than the time it was given, and every waiting call can be cancelled;
/// - a value that is not finite never leaves the program (``Command/validate()``, ``VelocitySetpoint/validate()``);
/// - a command is executed at most once, and never after its caller was told that it failed to be sent;
/// - steering is newest-wins: a setpoint that could not be sent is forgotten, never queued;
/// - when a link comes back after a loss, motion does not come back with it.
public protocol UAVLink: AnyObject, Sendable {
    /// What carries this link.
    var kind: LinkKind { get }

    /// Opens the link and returns when the vehicle's side has answered.
    ///
    /// - Parameter timeout: how long it may take in all.
    /// - Throws: ``LinkError`` that names what failed: reach, host key, log-in, companion, ROS.
    func connect(within timeout: Duration) async throws(LinkError)

    /// Asks the vehicle to do something and returns its own answer.
    ///
    /// A refusal is an answer, not an error: see ``CommandReply/accepted``. The answer means that the vehicle accepted
    /// the command, not that its effect has come: a take-off is accepted seconds before the vehicle is in the air.
    ///
    /// - Throws: ``LinkError`` when no answer could be had. With ``LinkError/Code/timedOut`` it is not known whether
    ///   the vehicle received the command; with every other code it did not act on it.
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply

    /// Sends a velocity setpoint at once and returns at once: newest wins, never queued, no answer.
    ///
    /// Steering ends with ``Command/hover``, or by itself when no fresh setpoint comes within the lease. A run of steering
    /// begins with neutral setpoints (``VelocitySetpoint/isNeutral``): the companion refuses every other until one came, so
    /// that a link that comes back does not bring the motion back with it.
    ///
    /// - Throws: ``LinkError`` when the link is not connected or the setpoint is not valid.
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError)

    /// Every change of telemetry from now on; a slow reader gets the newest, never a queue. It ends with the link.
    func telemetry() -> AsyncStream<Telemetry>

    /// The newest telemetry, `nil` before the first.
    var latestTelemetry: Telemetry? { get }

    /// How well the link works just now.
    var quality: LinkQuality { get }

    /// Ends the link and everything it started; waiting calls fail with ``LinkError/Code/closed``. Safe to call twice.
    func close() async
}

/// What carries a link.
public enum LinkKind: String, Sendable, CaseIterable, Codable {
    /// Each command is one `rosservice call` in a fresh exec channel over SSH: the seed's way.
    case ssh
    /// The socket channel over TCP.
    case tcp
    /// The socket channel over UDP.
    case udp
    /// TCPROS straight from the ground.
    case ros
    /// The simulator, without ROS.
    case sim
}
