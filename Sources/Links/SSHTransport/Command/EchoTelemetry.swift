internal import MRS
internal import MRSMessages
internal import Synchronization
internal import UAVLink

/// Telemetry from the output of `rostopic echo`, one program on the vehicle per topic.
final class EchoTelemetry: Sendable {
    private struct State {
        var assembler: TelemetryAssembler
        var updates: [MonotonicTime] = []
        var watches: EchoWatches
    }

    private let names: VehicleNames
    private let environment: EnvironmentFinder
    private let clock: any MonotonicClock
    private let broadcast: Broadcast<Telemetry>
    private let state: Mutex<State>

    /// The timeout for starting `rostopic`, which takes about 1 s of the vehicle's processor.
    private static let start: Duration = .seconds(15)
    /// Every read has a timeout; it is repeated, since a topic may be silent for long.
    private static let wait: Duration = .seconds(60)
    /// The window over which the update rate is measured.
    private static let rateWindow: Duration = .seconds(2)

    init(
        _ names: VehicleNames, _ environment: EnvironmentFinder, clock: any MonotonicClock,
        broadcast: Broadcast<Telemetry>
    ) {
        self.names = names
        self.environment = environment
        self.clock = clock
        self.broadcast = broadcast
        state = Mutex(
            State(
                assembler: TelemetryAssembler(vehicle: names.vehicle, counting: VehicleTopic.printable),
                watches: EchoWatches(names, ros: environment.ros)))
    }

    /// Reads all printable topics until the task is cancelled or the session ends. A `rostopic` that has ended, for example because
    /// the ROS master restarted, is started again, later each time until a message comes: each start takes a second of the
    /// vehicle's processor.
    func follow(_ session: SSHSession, register: ChannelRegister) async {
        await withTaskGroup(of: Void.self) { group in
            for topic in VehicleTopic.printable {
                group.addTask {
                    while !Task.isCancelled, session.isConnected {
                        await self.follow(topic, session, register)
                        let pause = self.state.withLock { $0.watches[topic].pause }
                        try? await self.clock.sleep(for: pause)
                    }
                }
            }
        }
    }

    private func follow(_ topic: VehicleTopic, _ session: SSHSession, _ register: ChannelRegister) async {
        do throws(LinkError) {
            var stream = try EchoStream(topic)
            let moment = register.now
            let lines = try await environment.lines(in: session, within: Self.start, needsROS: true)
            let channel = try await session.start(lines.echo(topic).line, within: Self.start)
            register.add(channel, begunAt: moment)
            defer {
                register.remove(channel)
                channel.close()
            }
            watch(topic) { $0.began(at: $1) }
            while true {
                let chunk: SSHChunk?
                do throws(LinkError) {
                    chunk = try await channel.read(within: Self.wait)
                } catch {
                    if error.code == .timedOut { continue }
                    throw error
                }
                guard let chunk else { return ended(topic, lines, status: (channel.exit?.status).map { Int($0) }) }
                switch chunk.stream {
                case .output: take(chunk.bytes, topic, &stream)
                case .error: watch(topic) { watch, _ in watch.printed(errors: chunk.bytes) }
                }
            }
        } catch {
            // The end of the session is reported by the commands.
            guard session.isConnected, !Task.isCancelled else { return }
            watch(topic) { watch, _ in watch.failed(error) }
        }
    }

    private func ended(_ topic: VehicleTopic, _ lines: ROSCommandLines, status: Int?) {
        watch(topic) { watch, _ in
            let result = RemoteResult(standardOutput: [], standardError: watch.errorBytes, exitStatus: status)
            if let failure = lines.setupFailure(in: result) {
                watch.failed(failure)
            } else {
                watch.ended(status: status)
            }
        }
        environment.forget(lines, after: status)
    }

    private func watch(_ topic: VehicleTopic, _ body: (inout EchoWatch, MonotonicTime) -> Void) {
        let now = clock.now
        state.withLock { body(&$0.watches[topic], now) }
    }

    private func take(_ bytes: [UInt8], _ topic: VehicleTopic, _ stream: inout EchoStream) {
        let now = clock.now
        let telemetry = state.withLock { state -> Telemetry? in
            let before = state.assembler.telemetry
            do {
                for message in try stream.take(bytes) {
                    state.assembler.arrived(topic, at: now)
                    state.watches.messageCame(topic, at: now)
                    try state.assembler.take(topic, serialised: message, at: now)
                }
            } catch {
                // Shown once among the vehicle's messages; decoding of the other topics continues.
                let text = "\(error)"
                state.assembler.take(
                    RosgraphMsgs.Log(level: RosgraphMsgs.Log.warn, name: "/\(names.vehicle)/uavlink", msg: text),
                    at: now)
            }
            guard state.assembler.telemetry != before else { return nil }
            state.updates.removeAll { now - $0 > Self.rateWindow }
            state.updates.append(now)
            return state.assembler.telemetry
        }
        if let telemetry { broadcast.send(telemetry) }
    }

    /// The rate of telemetry changes over ``rateWindow``, and the time of the newest measurement.
    var rate: (hertz: Double, last: MonotonicTime?) {
        let now = clock.now
        return state.withLock { state in
            state.updates.removeAll { now - $0 > Self.rateWindow }
            return (Double(state.updates.count) / Self.rateWindow.inSeconds, state.assembler.telemetry.newest)
        }
    }

    /// Why a part of the telemetry does not come; `nil` if it comes, or may still.
    var fault: LinkError? {
        let now = clock.now
        return state.withLock { $0.watches.fault($0.assembler.telemetry, now: now) }
    }
}
