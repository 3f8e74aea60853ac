package import ReportKit
package import Statistics
internal import Synchronization
package import UAVLink

/// What can be measured over the link of a machine with its own protocol, without moving it: the round trip of the questions that its
/// link asks anyway, and how steadily its telemetry comes. There is no other link to compare it with, and nothing tells when a
/// setpoint has arrived.
package struct DirectMeasurement: Sendable {
    /// The figures; a value, fed with what was seen.
    package struct Figures: Sendable {
        private var newest: MonotonicTime?
        private var gaps: [Int64] = []
        /// The updates of telemetry.
        package private(set) var updates = 0
        /// The median and the 99th percentile of the round trips; `nil` if the machine answers no questions.
        package var roundTrip: (median: Duration, p99: Duration)?
        /// How long it was measured.
        package var period: Duration = .zero

        /// Nothing was seen.
        package init() {}

        /// An update of telemetry has come.
        package mutating func note(at now: MonotonicTime) {
            updates += 1
            if let newest { gaps.append((now - newest).nanoseconds) }
            newest = now
        }

        /// The measurement ends: what has not come by now is a gap, too.
        package mutating func end(at now: MonotonicTime, since start: MonotonicTime, _ quality: LinkQuality) {
            period = now - start
            if let newest, now - newest > .nanoseconds(Samples(gaps).maximum ?? 0) {
                gaps.append((now - newest).nanoseconds)
            }
            if let median = quality.roundTripMedian, let p99 = quality.roundTripP99 { roundTrip = (median, p99) }
        }

        /// The times between two updates, nanoseconds.
        package var telemetryGaps: Samples { Samples(gaps) }
        /// Updates of telemetry a second.
        package var rateHertz: Double { period > .zero ? Double(updates) / period.inSeconds : 0 }
        /// Whether anything was measured.
        package var hasContent: Bool { updates > 1 || roundTrip != nil }

        /// The figures as text, a line each.
        package func lines(machine: String) -> [String] {
            let name = machine.sanitizedLine
            let telemetry: String
            if let p50 = telemetryGaps.value(at: .p50), let longest = telemetryGaps.maximum {
                let p99 = telemetryGaps.value(at: .p99).map { "p99 \(Self.milliseconds($0)), " } ?? ""
                telemetry =
                    "\(updates) updates, \(rateHertz.formatted(decimals: 1)) Hz; between two: "
                    + "median \(Self.milliseconds(p50)), \(p99)longest \(Self.milliseconds(longest))"
            } else {
                telemetry = "not measured: none in \(Int(saturating: period.inSeconds)) s"
            }
            let trip =
                roundTrip.map {
                    "median \(Self.milliseconds($0.median.nanoseconds)), p99 \(Self.milliseconds($0.p99.nanoseconds)), "
                        + "of the questions that its link asks"
                } ?? "not measured: \(name) answered no question of its link"
            return [
                "telemetry   \(telemetry)", "round trip  \(trip)",
                "steering    not measured: \(name) does not say when a setpoint has arrived",
            ]
        }

        /// The figures for programs; milliseconds.
        package var json: JSONValue {
            let gaps = telemetryGaps
            func number(_ nanoseconds: Int64?) -> JSONValue {
                nanoseconds.map { .number(Double($0) / 1e6) } ?? .null
            }
            return [
                "link": "direct", "duration_s": .number(period.inSeconds),
                "telemetry_updates": .number(Double(updates)),
                "telemetry_hz": .number(rateHertz), "telemetry_gap_p50_ms": number(gaps.value(at: .p50)),
                "telemetry_gap_p99_ms": number(gaps.value(at: .p99)), "telemetry_gap_max_ms": number(gaps.maximum),
                "round_trip_p50_ms": number(roundTrip?.median.nanoseconds),
                "round_trip_p99_ms": number(roundTrip?.p99.nanoseconds),
            ]
        }

        private static func milliseconds(_ nanoseconds: Int64) -> String {
            "\((Double(nanoseconds) / 1e6).formatted(decimals: 2)) ms"
        }
    }

    private let clock: any MonotonicClock

    /// A link asks its questions only while it is used.
    private static let usePeriod: Duration = .milliseconds(200)

    /// A measurement in the time of a clock.
    package init(clock: any MonotonicClock) { self.clock = clock }

    /// Watches a link for a while, or until the task is cancelled. It sends no command and no setpoint.
    package func run(over link: any UAVLink, for period: Duration) async -> Figures {
        let clock = clock
        let start = clock.now
        let watch = Watch()
        let observation = link.observeTelemetry { _ in watch.note(at: clock.now) }
        let end = start + period
        while clock.now < end, !Task.isCancelled {
            _ = link.quality
            try? await clock.sleep(until: min(end, clock.now + Self.usePeriod))
        }
        withExtendedLifetime(observation) {}
        var figures = watch.figures
        figures.end(at: clock.now, since: start, link.quality)
        return figures
    }

    /// What is noted on the link's thread.
    final class Watch: Sendable {
        private let state = Mutex(Figures())
        var figures: Figures { state.withLock { $0 } }
        func note(at now: MonotonicTime) { state.withLock { $0.note(at: now) } }
    }
}
