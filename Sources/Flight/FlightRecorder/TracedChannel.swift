internal import ChannelProtocol
internal import SocketTransport
internal import UAVLink

/// A link whose both ends record the times of each setpoint and command.
///
/// Taking a trace consumes it, so a trace has one owner: in a flight the recording, which is the only user of the link; in a
/// latency measurement the measurement, which passes the joined results on to a recording.
protocol TracedChannel: AnyObject, UAVLink {
    /// Starts tracing; it continues over renewed sessions.
    func startTracing(watchesSetpoints: Bool)
    /// Stops tracing, at the peer, too.
    func stopTracing()
    /// The trace since the last call, one part per session.
    func takeTrace() -> [ChannelTrace]
}

extension SocketLink: TracedChannel {}
