package import MRS
internal import ReportKit
package import UAVLink
package import VehicleAccess

/// Judges what a vehicle sends: how often its topics arrive, and by which clock it stamps them.
package enum TelemetryAdvice {
    /// The finding about the rates of topics.
    ///
    /// - Parameters:
    ///   - vehicle: its name, for the command that measures a topic.
    ///   - hasCompanion: whether a companion measures the rates, and learns what is usual.
    ///   - isROS2: whether the vehicle runs ROS 2, whose program measures a topic.
    ///   - silence: that the flight stack is silent (``silence(_:now:)``): the rates are then those of before.
    package static func rates(
        _ report: TopicRateReport, vehicle: String, hasCompanion: Bool = true, isROS2: Bool = false,
        silence: String? = nil
    ) -> Finding {
        let check = "topic rates"
        let program = isROS2 ? "ros2 topic hz" : "rostopic hz"
        if let silence {
            return Finding(
                check, .skipped, "not judged: \(silence)", advice: "run this again when the flight stack runs")
        }
        if let first = report.faults.first {
            let parts = report.faults.map(TopicRateReport.text) + [report.summary].filter { !$0.isEmpty }
            return Finding(
                check, .warning, parts.joined(separator: "; "),
                advice: hasCompanion
                    ? "on the vehicle: \(program) /\(vehicle)/\(first.name.sanitizedLine); if that rate is usual for this "
                        + "vehicle, write it below 'rates' in the profile, or restart the companion"
                    : "if that rate is usual for this machine, write it below 'rates' in the profile")
        }
        guard report.goodCount > 0 || hasCompanion else {
            // Nobody learns what is usual; what the machine's own link has measured is told as it is.
            let measured = report.rates.map(TopicRateReport.text).joined(separator: "; ")
            return Finding(
                check, .skipped, measured.isEmpty ? "this machine's are not measured" : "not judged: \(measured)")
        }
        guard report.goodCount > 0 else {
            return Finding(
                check, .skipped, report.rates.isEmpty ? "not measured yet" : report.summary,
                advice:
                    "the companion learns what is usual in its first seconds: run this again; or write it below 'rates' in the "
                    + "profile")
        }
        return Finding(check, .good, report.summary)
    }

    /// A flight stack tells ten times a second or more, also on the ground.
    private static let longestSilence: Duration = .seconds(2)

    /// Says that nothing has come from the flight stack for a while, though the link works; `nil` if it tells.
    ///
    /// - Parameter source: what tells, for the words.
    package static func silence(
        _ telemetry: Telemetry?, of source: String = "the flight stack", now: MonotonicTime
    ) -> String? {
        guard let newest = telemetry?.newest, now - newest > longestSilence else { return nil }
        return "\(source) has been silent for \((now - newest).inSeconds.formatted(decimals: 0)) s"
    }

    /// The finding about the clock of stamps; `nil` if it is not known.
    package static func stamps(_ clock: StampClock?) -> Finding? {
        let check = "time"
        switch clock?.kind {
        case nil: return nil
        case .wall: return Finding(check, .good, "the vehicle stamps its messages by its wall clock")
        case .simulated:
            return Finding(
                check, .good,
                "the vehicle runs on simulated time: ages and latencies count from receipt on board, not from stamps")
        case .differing:
            let offset = clock?.offset ?? .zero
            let seconds = offset.inSeconds.magnitude.formatted(decimals: 1)
            return Finding(
                check, .warning,
                "the vehicle's stamps are \(seconds) s \(offset < .zero ? "ahead of" : "behind") the clock of the companion's "
                    + "computer: ages and latencies count from receipt on board, not from stamps",
                advice: "synchronise the vehicle's computers with each other: chronyd or systemd-timesyncd")
        }
    }
}
