internal import LatencyMeasurement
internal import LatencyOutput
internal import Impairment
internal import ReportKit
internal import UAVLink

/// Collects the events of a measurement for the progress display.
struct MeasurementProgress {
    private let plan: MeasuringPlan
    private var opening: String?
    private var condition: (number: Int, count: Int, text: String, began: MonotonicTime)?
    private var round = 0
    private var link: String?
    private var figures: [RunningFigures] = []
    private var done: [LatencyTableSection] = []
    private var leftOut: [(link: String, reason: String)] = []

    init(_ plan: MeasuringPlan) { self.plan = plan }

    mutating func take(_ event: MeasuringEvent, at now: MonotonicTime) {
        switch event {
        case .opening(let link): opening = link.rawValue
        case .leftOut(let link, let reason): leftOut.append((link.rawValue, reason))
        case .condition(let number, let count, let text):
            if let condition { done.insert(.running(condition.text, figures), at: 0) }
            condition = (number, count, text.sanitizedLine, now)
            (round, link, figures) = (0, nil, [])
        case .turn(let turn): link = turn.rawValue
        case .round(let number, _, _, _): round = number
        case .figures(let newest): figures = newest
        }
    }

    func progress(at now: MonotonicTime) -> LatencyProgress {
        var progress = LatencyProgress()
        // Often it is the same for several links.
        progress.notes = SharedReasons.groups(leftOut).map { reason, links in
            "\(VerdictText.list(links)) \(links.count == 1 ? "is" : "are") not measured: \(reason)".sanitizedLine
        }
        guard let condition else {
            progress.doing = opening.map { "opening \($0)" } ?? "connecting to the companion"
            progress.time = "about \(LatencyLabTexts.time(wholeSeconds)) in total"
            return progress
        }
        progress.tables = (figures.isEmpty ? [] : [.running(condition.text, figures)]) + done
        let elapsed = (now - condition.began).inSeconds
        let before = Double(condition.number - 1) * secondsEach
        // A condition ends with a complete round, so it may exceed its duration.
        let part = min(elapsed, secondsEach)
        let left = max(0, Double(condition.count) * secondsEach - before - part)
        progress.fraction = min(1, (before + part) / max(secondsEach * Double(condition.count), 0.001))
        progress.doing = "condition \(condition.number) of \(condition.count): \(condition.text)"
        progress.time =
            "round \(round + 1)\(link.map { ", \($0)" } ?? ""), \(Int(saturating: elapsed)) of \(Int(saturating: plannedSeconds)) s, "
            + (left >= 1 ? "about \(LatencyLabTexts.time(left)) left" : "ending soon")
        return progress
    }

    private var secondsEach: Double {
        LatencyChoices.seconds(
            of: plannedSeconds, moving: plan.measuresMotion ? plan.links.count * plan.pushes : 0)
    }
    private var plannedSeconds: Double { plan.estimatedSeconds }
    private var wholeSeconds: Double { secondsEach * Double(plan.conditions.count) }
}
