internal import ReportKit
internal import Synchronization
internal import Threads
public import UAVLink

/// Sends velocity setpoints at a fixed rate from a thread of its own, so that neither drawing nor waiting delays them.
///
/// The schedule is fixed at the start: a late setpoint does not move the ones after it, and an instant that has passed
/// altogether is left out and counted, not caught up with. Every setpoint carries the instant it was meant for.
public final class SteeringPump: Sendable {
    /// What a run of steering came to.
    public struct Report: Hashable, Sendable {
        /// Instants of the schedule.
        public var scheduled: UInt64 = 0
        /// Setpoints given to the link.
        public var sent: UInt64 = 0
        /// Instants left out, since they had passed before their setpoint could go.
        public var missed: UInt64 = 0
        /// The longest time from the intended instant to the call of `steer`.
        public var latest: Duration = .zero
        /// From the first instant to the last.
        public var duration: Duration = .zero
        /// Why it ended early, when it did.
        public var failure: LinkError?
    }

    /// What to send at an instant; `nil` ends the run.
    public typealias Source = @Sendable (MonotonicTime) -> VelocitySetpoint?

    private let link: any UAVLink
    private let clock: any MonotonicClock
    private let period: Duration
    private let isStopped = Atomic<Bool>(false)

    /// The highest rate that the channel, the companion and the vehicle's tracker have been measured with.
    public static let highestRateHertz = 1000.0

    /// How long a run is neutral at its beginning: at 100 Hz five setpoints, of which one must arrive; with one in ten
    /// lost that fails once in 100,000 runs.
    static let neutralLead: Duration = .milliseconds(50)
    /// Where the vehicle's end decides who flies, a run stays neutral until it says that setpoints reach the vehicle: for a second
    /// after a take-off, for example, the real flight stack takes none. After this it fails.
    static let longestNeutralLead: Duration = .seconds(3)
    /// At low rates at least this many.
    static let neutralSetpoints: UInt64 = 2

    /// A pump.
    ///
    /// - Parameter rateHertz: setpoints per second, above 0 and at most ``highestRateHertz``.
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` for another rate.
    public init(
        link: any UAVLink, rateHertz: Double, clock: any MonotonicClock = SystemMonotonicClock()
    ) throws(LinkError) {
        guard rateHertz > 0, rateHertz <= Self.highestRateHertz else {
            throw LinkError(.invalidInput, "the rate \(rateHertz) Hz is not above 0 and at most 1000 Hz")
        }
        self.link = link
        self.clock = clock
        period = .nanoseconds(Int64(saturating: (1e9 / rateHertz).rounded()))
    }

    /// Takes command where the vehicle's end decides who flies, then steers until the source ends, ``stop()`` is called, the task is
    /// cancelled, the link fails or command is lost.
    ///
    /// It does not stop the vehicle: the caller does (``SteeringEnd``), or the lease.
    public func run(_ source: @escaping Source) async -> Report {
        await withTaskCancellationHandler {
            var unstarted = Report()
            do throws(LinkError) { try await CommandOfVehicle.take(of: link) } catch {
                unstarted.failure = error
                return unstarted
            }
            unstarted.failure = LinkError(.internalFault, "a thread could not be started", hint: "raise 'ulimit -u'")
            return await OwnThread.run { [self] in pump(source) } ?? unstarted
        } onCancel: {
            stop()
        }
    }

    /// Ends the run after the setpoint at hand.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    private func pump(_ source: Source) -> Report {
        var report = Report()
        let start = clock.now
        var due = start
        var command = CommandWatch(takenAt: start)
        let isControlled = CommandOfVehicle.isDecided(over: link)
        while !isStopped.load(ordering: .relaxed) {
            sleep(until: due)
            let now = clock.now
            // An instant is missed when the next one is due already.
            while due + period <= now {
                due = due + period
                report.missed += 1
                report.scheduled += 1
            }
            let telemetry = link.latestTelemetry
            report.failure = isControlled ? command.loss(telemetry?.control) : SteeringEnd.leftAlone(telemetry)
            guard report.failure == nil, var setpoint = source(due) else { break }
            let waitsForVehicle = isControlled && !command.hasSteered
            if waitsForVehicle, due > start + Self.longestNeutralLead {
                report.failure = LinkError(
                    .notInCommand, "the vehicle takes no setpoints", hint: "does it fly, and does nothing else fly it?")
                break
            }
            if waitsForVehicle || due < start + Self.neutralLead || report.scheduled < Self.neutralSetpoints {
                // A run begins neutral: see `UAVLink.steer`.
                setpoint.velocityMetresPerSecond = .zero
                setpoint.headingRateRadiansPerSecond = 0
            }
            report.scheduled += 1
            report.latest = max(report.latest, now - due)
            do {
                try link.steer(setpoint)
                report.sent += 1
            } catch {
                report.failure = error
                break
            }
            due = due + period
        }
        report.duration = clock.now - start
        return report
    }

    private func sleep(until due: MonotonicTime) {
        while !isStopped.load(ordering: .relaxed) {
            let now = clock.now
            guard now < due else { return }
            // In slices, so that stopping takes effect at any rate.
            clock.block(until: min(due, now + .milliseconds(50)))
        }
    }
}
