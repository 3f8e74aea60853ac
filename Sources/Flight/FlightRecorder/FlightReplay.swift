internal import FlightControl
internal import ROS1
internal import UAVCore
public import UAVLink

/// Gives a recording's commands and setpoints to another vehicle, a simulated one, at the recorded intervals.
public struct FlightReplay: Sendable {
    /// What became of one command the second time.
    public struct Step: Sendable {
        /// When it was meant, seconds after the first.
        public var atSeconds: Double
        /// Its name.
        public var name: String
        /// What the vehicle said when it was recorded; `nil` when no answer came.
        public var recorded: CommandReply?
        /// What the vehicle says now, or why it does not.
        public var replayed: Result<CommandReply, LinkError>

        /// Whether both times the same came out.
        public var agrees: Bool {
            guard case .success(let reply) = replayed, let recorded else { return false }
            return reply.accepted == recorded.accepted
        }
    }

    /// The end of a replay.
    public struct Report: Sendable {
        /// The commands in their order.
        public var steps: [Step] = []
        /// How many setpoints were given, and how many of them the link refused.
        public var setpoints = 0
        /// Setpoints that the link refused.
        public var refusedSetpoints = 0
        /// Commands of the recording that are none that could be sent.
        public var unreadable = 0
        /// From where the recorded vehicle was at first to where it was at last, metres.
        public var recordedWay: Vector3?
        /// The same of the replayed one.
        public var replayedWay: Vector3?

        /// How far apart both end, metres.
        public var differenceMetres: Double? {
            guard let a = recordedWay, let b = replayedWay else { return nil }
            let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
            return (x * x + y * y + z * z).squareRoot()
        }
    }

    private enum Item {
        case command(FlightLog.CommandEntry)
        case setpoint(UavlinkMsgs.Setpoint)

        var isSetpoint: Bool { if case .setpoint = self { true } else { false } }
    }

    private let link: any UAVLink
    private let pacemaker: any Pacemaker
    private let timeout: Duration

    /// A replay over a connected link.
    ///
    /// - Parameter timeout: how long each answer may take.
    public init(link: any UAVLink, pacemaker: any Pacemaker, timeout: Duration) {
        self.link = link
        self.pacemaker = pacemaker
        self.timeout = timeout
    }

    /// Gives everything, then waits for the recording's last telemetry; ends early when the task is cancelled.
    public func run(_ log: FlightLog, tell: (Step) -> Void = { _ in }) async -> Report {
        var report = Report()
        let items = Self.items(log)
        guard let first = items.first?.at else { return report }
        let began = pacemaker.clock.now
        let start = link.latestTelemetry?.pose?.value.positionMetres
        // Refused, each setpoint is, and shows in the report.
        if items.contains(where: { $0.item.isSetpoint }) { try? await CommandOfVehicle.take(of: link, within: timeout) }
        for (at, item) in items {
            guard await wait(until: began + .nanoseconds(at - first)) else { return report }
            switch item {
            case .command(let entry):
                guard let command = entry.command else {
                    report.unreadable += 1
                    continue
                }
                let step = await give(command, entry.message, Double(at - first) / 1e9)
                report.steps.append(step)
                tell(step)
            case .setpoint(let setpoint): give(setpoint, &report)
            }
        }
        if let end = log.span?.upperBound { _ = await wait(until: began + .nanoseconds(end - first)) }
        // Places before the first command count as the beginning.
        let before = log.places.last { $0.at <= first } ?? log.places.first
        if let from = before?.position, let to = log.places.last?.position { report.recordedWay = Self.way(from, to) }
        if let start, let end = link.latestTelemetry?.pose?.value.positionMetres {
            report.replayedWay = Self.way(start, end)
        }
        return report
    }

    private func wait(until instant: MonotonicTime) async -> Bool {
        let rest = instant - pacemaker.clock.now
        guard rest > .zero else { return !Task.isCancelled }
        return await pacemaker.pause(rest)
    }

    private func give(_ command: Command, _ message: UavlinkMsgs.Command, _ seconds: Double) async -> Step {
        let recorded =
            message.error.isEmpty ? CommandReply(accepted: message.accepted, message: message.message) : nil
        do throws(LinkError) {
            let reply = try await link.perform(command, within: timeout)
            return Step(atSeconds: seconds, name: message.name, recorded: recorded, replayed: .success(reply))
        } catch {
            return Step(atSeconds: seconds, name: message.name, recorded: recorded, replayed: .failure(error))
        }
    }

    private func give(_ recorded: UavlinkMsgs.Setpoint, _ report: inout Report) {
        guard recorded.error.isEmpty else { return }
        report.setpoints += 1
        let valid = Int64(recorded.validFor.seconds) * 1_000_000_000 + Int64(recorded.validFor.nanoseconds)
        let setpoint = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: recorded.velocity.x, y: recorded.velocity.y, z: recorded.velocity.z),
            headingRateRadiansPerSecond: recorded.headingRate,
            frame: VelocitySetpoint.Frame(rawValue: recorded.frame) ?? .world, intendedAt: pacemaker.clock.now,
            validFor: .nanoseconds(valid))
        do { try link.steer(setpoint) } catch { report.refusedSetpoints += 1 }
    }

    private static func items(_ log: FlightLog) -> [(at: Int64, item: Item)] {
        let commands = log.commands.map { (at: FlightLog.nanoseconds($0.message.intended), item: Item.command($0)) }
        let setpoints = log.setpoints.map { (at: FlightLog.nanoseconds($0.intended), item: Item.setpoint($0)) }
        return (commands + setpoints).sorted { $0.at < $1.at }
    }

    private static func way(_ a: Vector3, _ b: Vector3) -> Vector3 {
        Vector3(x: b.x - a.x, y: b.y - a.y, z: b.z - a.z)
    }
}
