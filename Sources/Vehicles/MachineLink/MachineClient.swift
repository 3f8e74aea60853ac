package import SystemIO
package import UAVLink

/// Who is to be told what, of those who wait for a machine's client; by the number of the call.
package enum MachineEnding: Sendable {
    /// Opening has ended; `nil` for well.
    case opened(UInt64, LinkError?)
    /// A command was answered, or not.
    case answered(UInt64, Result<CommandReply, LinkError>)
}

/// The protocol of a machine from the ground's side: a value with the time passed in, without sockets, threads or a clock.
package protocol MachineClient: Sendable {
    /// A setpoint as the machine takes it.
    associatedtype Sticks
    /// What is sent to the machine.
    associatedtype Outgoing

    /// Begins to open, for a caller who waits until `deadline`.
    mutating func open(for call: UInt64, until deadline: MonotonicTime, now: MonotonicTime)
    /// Sends a command, or says why not; its caller is told within `timeout`.
    mutating func perform(_ command: Command, for call: UInt64, within timeout: Duration, now: MonotonicTime)
    /// Takes a setpoint.
    ///
    /// - Returns: whether it is sent at once.
    mutating func steer(_ setpoint: VelocitySetpoint, as sticks: Sticks, now: MonotonicTime) -> Bool
    /// Whether the newest setpoint is followed; it may not be sent yet.
    var tookSetpoint: Bool { get }
    /// A caller does not wait any more. What was sent is not taken back.
    mutating func cancel(_ call: UInt64)
    /// The program has used the link.
    mutating func used(now: MonotonicTime)
    /// Sends what is due, and ends what was not answered in time.
    mutating func advance(now: MonotonicTime)
    /// When ``advance(now:)`` has something to do next; `nil` if it has nothing.
    func nextDeadline(now: MonotonicTime) -> MonotonicTime?
    /// Everybody who waits is told that the link is closed.
    mutating func close(now: MonotonicTime)

    /// What is to be sent now, in order.
    mutating func takeOutgoing() -> [Outgoing]
    /// Who is to be told what.
    mutating func takeEndings() -> [MachineEnding]
    /// The telemetry, if it has changed since the last call.
    mutating func takeNews(now: MonotonicTime) -> Telemetry?
    /// The quality of the link; without a time, of one that is not open.
    func quality(now: MonotonicTime?) -> LinkQuality
}

/// The sockets of one connection to a machine.
package protocol MachineSockets: Sendable {
    /// What is sent to the machine.
    associatedtype Outgoing

    /// Sends one datagram.
    func send(_ outgoing: Outgoing) -> SocketHandle.Outcome
}
