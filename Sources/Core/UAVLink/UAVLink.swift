/// The interface to a vehicle, independent of the transport: commands, steering and telemetry.
///
/// A conforming type connects to one vehicle: by SSH commands, the channel over UDP or TCP, ROS itself, or a simulator in
/// this process. All of them pass the same contract tests.
///
/// Rules for every link:
/// - no call waits longer than its timeout, and every waiting call can be cancelled;
/// - a value that is not finite is never sent (``Command/validate()``, ``VelocitySetpoint/validate()``);
/// - a command is executed at most once (but see ``LinkKind/ssh``), and never after its caller got an error that it was not sent;
/// - steering is newest-wins: a setpoint that could not be sent is dropped, never queued;
/// - motion does not resume by itself when a link recovers from a loss.
public protocol UAVLink: AnyObject, Sendable {
    /// The kind of transport.
    var kind: LinkKind { get }

    /// What the link can do besides what this protocol requires.
    var capabilities: LinkCapabilities { get }

    /// What the machine at the other end can do, as far as it is known; it may become known, or change, while the link is
    /// connected. Must not block.
    var vehicleCapabilities: VehicleCapabilities { get }

    /// Opens the link and returns when the peer has answered.
    ///
    /// - Parameter timeout: for the whole operation.
    /// - Throws: ``LinkError`` that names what failed: network, host key, log-in, companion, ROS.
    func connect(within timeout: Duration) async throws(LinkError)

    /// Sends a command to the vehicle and returns the vehicle's answer.
    ///
    /// A refusal is an answer, not an error: see ``CommandReply/accepted``. Accepted does not mean completed: a take-off is
    /// accepted seconds before the vehicle is in the air.
    ///
    /// A command that the vehicle lacks (``vehicleCapabilities``) is not sent: it fails at once with
    /// ``LinkError/Code/unsupported`` and what is lacking.
    ///
    /// - Throws: ``LinkError`` if no answer was received. With ``LinkError/Code/timedOut``, and with ``LinkError/Code/cancelled``
    ///   for a caller who left while it was on its way, it is not known whether the vehicle received the command; with every
    ///   other code it did not act on it.
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply

    /// Sends a velocity setpoint without waiting: newest wins, never queued, no answer.
    ///
    /// Steering ends with ``Command/hover``, or when the lease expires without a new setpoint. It must begin with neutral
    /// setpoints (``VelocitySetpoint/isNeutral``): the companion refuses all others until it has received one, so that
    /// motion does not resume when a link recovers.
    ///
    /// - Returns: the link's number for it, and when it was sent.
    /// - Throws: ``LinkError`` if the link is not connected or the setpoint is invalid.
    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt

    /// A stream of telemetry changes; a slow reader gets the newest, never a queue. It ends with the link.
    func telemetry() -> AsyncStream<Telemetry>

    /// Calls `body` with each change of telemetry from now on, on the thread that receives it, which it must not block.
    ///
    /// - Returns: keeps the observer.
    func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation

    /// The newest telemetry; `nil` before the first.
    var latestTelemetry: Telemetry? { get }

    /// The current quality of the link.
    var quality: LinkQuality { get }

    /// Closes the link and everything it started; waiting calls fail with ``LinkError/Code/closed``. Safe to call twice. Stop
    /// commands that are under way may be given a few seconds before that.
    func close() async
}

extension UAVLink {
    /// The same from the stream, by a task: for links without a ``Broadcast``.
    public func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        let stream = telemetry()
        let task = Task { for await telemetry in stream { body(telemetry) } }
        return Observation { task.cancel() }
    }
}

/// The transport of a link.
public enum LinkKind: String, Sendable, CaseIterable, Codable {
    /// One `rosservice call` in a new SSH exec channel per command. A stop that an older one may have overtaken is sent again.
    case ssh
    /// One `rosservice call` per command in a shell that is already open over SSH. A stop whose shell fails is sent again, and may
    /// be executed twice.
    case sshShell = "ssh-shell"
    /// The channel over TCP.
    case tcp
    /// The channel over UDP.
    case udp
    /// TCPROS directly from the ground.
    case ros
    /// The simulator, without ROS.
    case sim
    /// The machine's own protocol from the ground, without a companion: a Tello, for example.
    case direct

    /// Those that lead to a vehicle by its profile; ``direct`` leads to the address of a machine.
    public static let ofProfiles: [LinkKind] = allCases.filter { $0 != .direct }

    /// Whether commands and telemetry are ROS's own programs on the vehicle, run over SSH: each takes about a second to start.
    public var runsPrograms: Bool { self == .ssh || self == .sshShell }
}
