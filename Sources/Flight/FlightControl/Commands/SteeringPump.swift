internal import ReportKit
internal import Synchronization
internal import Threads
package import UAVLink

/// Sends velocity setpoints at a fixed rate from a dedicated thread, so that neither drawing nor waiting delays them.
///
/// The schedule is fixed at the start: a late setpoint does not shift the following ones, and missed instants are
/// skipped and counted, not caught up. Every setpoint carries the instant for which it was scheduled.
package final class SteeringPump: Sendable {
    /// The result of a run.
    package struct Report: Hashable, Sendable {
        /// Scheduled instants.
        package var scheduled: UInt64 = 0
        /// Setpoints passed to the link.
        package var sent: UInt64 = 0
        /// Instants skipped since they had passed before their setpoint could be sent.
        package var missed: UInt64 = 0
        /// The largest delay from the scheduled instant to the call of `steer`.
        package var latest: Duration = .zero
        /// From the first instant to the last.
        package var duration: Duration = .zero
        /// Why the run ended early; `nil` if it did not.
        package var failure: LinkError?

        package init() {}
    }

    /// The setpoint for an instant; `nil` ends the run.
    package typealias Source = @Sendable (MonotonicTime) -> VelocitySetpoint?

    private let link: any UAVLink
    private let clock: any MonotonicClock
    private let period: Duration
    private let isStopped = Atomic<Bool>(false)

    /// The highest rate with which the channel, the companion and the vehicle's tracker were measured.
    package static let highestRateHertz = 1000.0

    /// How long a run is neutral at its start: at 100 Hz five setpoints, of which one must arrive; at 10 % loss all are
    /// lost once in 100,000 runs.
    static let neutralLead: Duration = .milliseconds(50)
    /// Over a link with arbitration, a run stays neutral until the companion reports that setpoints reach the vehicle, and
    /// fails after this time. For example, the real flight stack accepts none for a second after a take-off.
    static let neutralLeadTimeout: Duration = .seconds(3)
    /// The minimum number of neutral setpoints, for low rates.
    static let neutralSetpoints: UInt64 = 2

    /// A sender for a link.
    ///
    /// - Parameter rateHertz: setpoints per second, above 0 and at most ``highestRateHertz``.
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` for another rate.
    package init(
        link: any UAVLink, rateHertz: Double, clock: any MonotonicClock = SystemMonotonicClock()
    ) throws(LinkError) {
        guard rateHertz > 0, rateHertz <= Self.highestRateHertz else {
            throw LinkError(.invalidInput, "the rate is \(rateHertz) Hz; it must be above 0 and at most 1000 Hz")
        }
        self.link = link
        self.clock = clock
        period = .nanoseconds(Int64(saturating: (1e9 / rateHertz).rounded()))
    }

    /// Requests control authority over a link with arbitration, then steers until the source ends, ``stop()`` is called, the
    /// task is cancelled, the link fails or control authority is lost.
    ///
    /// It does not stop the vehicle: the caller does (``SteeringEnd``), or the lease expires.
    ///
    /// - Parameter replacedByNeutral: called after each setpoint of the source that was replaced by a neutral one at the start of the
    ///   run, so that a source with a ramp begins it when it is sent.
    package func run(
        _ source: @escaping Source, replacedByNeutral: @escaping @Sendable () -> Void = {}
    ) async -> Report {
        await withTaskCancellationHandler {
            var unstarted = Report()
            do throws(LinkError) { try await ControlAuthorityClient.take(of: link) } catch {
                unstarted.failure = error
                return unstarted
            }
            unstarted.failure = LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
            return await DedicatedThread.run { [self] in pump(source, replacedByNeutral) } ?? unstarted
        } onCancel: {
            stop()
        }
    }

    /// Ends the run after the current setpoint.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    private func pump(_ source: Source, _ replacedByNeutral: () -> Void) -> Report {
        var report = Report()
        let start = clock.now
        var due = start
        var command = ControlAuthorityMonitor(takenAt: start)
        let isControlled = ControlAuthorityClient.isArbitrated(over: link)
        let vehicle = link.vehicleCapabilities
        while !isStopped.load(ordering: .relaxed) {
            sleep(until: due)
            let now = clock.now
            // An instant is missed if the next one is already due.
            while due + period <= now {
                due = due + period
                report.missed += 1
                report.scheduled += 1
            }
            let telemetry = link.latestTelemetry
            report.failure = isControlled ? command.loss(telemetry?.control) : SteeringEnd.notSteerableError(telemetry)
            guard report.failure == nil, var setpoint = source(due) else { break }
            let waitsForVehicle = isControlled && !command.isSteeringConfirmed
            if waitsForVehicle, due > start + Self.neutralLeadTimeout {
                report.failure = LinkError(
                    .notInCommand, "the vehicle accepts no setpoints",
                    hint: "is it flying, and is no other program controlling it?")
                break
            }
            if waitsForVehicle || due < start + Self.neutralLead || report.scheduled < Self.neutralSetpoints {
                // Steering begins with neutral setpoints, see `UAVLink.steer`.
                setpoint.velocityMetresPerSecond = .zero
                setpoint.headingRateRadiansPerSecond = 0
                replacedByNeutral()
            }
            guard vehicle.steering?.accepts(setpoint) == true else {
                report.failure = vehicle.refusal(of: setpoint)
                break
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
