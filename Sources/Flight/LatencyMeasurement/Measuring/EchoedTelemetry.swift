internal import MRS
internal import SSHTransport
internal import SystemKit
internal import UAVLink

/// Telemetry printed by `rostopic echo` in an exec channel: of the topics it can keep up with, the most informative one.
struct EchoedTelemetry {
    private var arrivals = StampedArrivals()

    /// `rostopic` takes a second to start; then its topic arrives at 10 Hz.
    private static let timeout: Duration = .seconds(4)
    private static let listeningTime: Duration = .milliseconds(1200)

    /// With the messages that a new `rostopic echo` prints within a bounded time; errors end it early.
    func extended(on session: SSHSession, _ lines: ROSCommandLines, _ setting: ProbeSetting) async -> Self {
        let topic = VehicleTopic.estimationDiagnostics
        var assembler = TelemetryAssembler(vehicle: lines.names.vehicle)
        var found = self
        do throws(LinkError) {
            var stream = try EchoStream(topic)
            let channel = try await session.start(lines.echo(topic).line, within: setting.timeout)
            defer { channel.close() }
            var end = setting.clock.now + Self.timeout
            var first: MonotonicTime?
            while setting.clock.now < end, !Task.isCancelled {
                guard let chunk = try await channel.read(within: end - setting.clock.now) else { break }
                let now = setting.clock.now
                guard chunk.stream == .output else { continue }
                for message in try stream.take(chunk.bytes) {
                    assembler.wallMinusClock = WallTime.now - now.nanoseconds
                    do { try assembler.take(topic, serialised: message, at: now) } catch { continue }
                    found.arrivals.add(stampedAt: assembler.stamp(ofPoseAt: now), arrivedAt: now)
                    if first == nil {
                        first = now
                        end = now + Self.listeningTime
                    }
                }
            }
            if let first { found.arrivals.seconds += (setting.clock.now - first).inSeconds }
        } catch {
            // What was received counts; a stream that ends silent is not an error.
            found.arrivals.seconds = max(arrivals.seconds, Self.listeningTime.inSeconds)
        }
        return found
    }

    /// Ages of the messages: ``StampedArrivals/measured(since:_:_:over:silence:)``.
    func measured(from start: MonotonicTime, track: StampTrack?, stampClock: StampClock?) -> Measured {
        arrivals.measured(
            since: start, track, stampClock, over: "ssh", silence: "rostopic echo printed nothing within the timeout")
    }
}
