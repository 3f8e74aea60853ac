internal import SocketTransport
internal import UAVLink

/// A link whose two ends note when they had each setpoint and command.
///
/// What is taken of a trace is gone for others. A trace belongs to one who takes it: to the recording of a flight, since
/// nobody else knows the link then, and to the laboratory of its own links, which gives a recording what it has put together.
protocol TracedChannel: AnyObject, UAVLink {
    /// Begins to note; it goes on over renewed sessions.
    func startTracing(watchesSetpoints: Bool)
    /// Ends it, at the other end too.
    func stopTracing()
    /// What was noted since it was last taken, a part for each session.
    func takeTrace() -> [ChannelTrace]
}

extension SocketLink: TracedChannel {}
