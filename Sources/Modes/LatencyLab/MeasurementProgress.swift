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
    private var forecast: RoundsForecast
    /// When the first condition began.
    private var began: MonotonicTime?

    init(_ plan: MeasuringPlan) { (self.plan, forecast) = (plan, RoundsForecast(plan)) }

    mutating func take(_ event: MeasuringEvent, at now: MonotonicTime) {
        switch event {
        case .opening(let link): opening = link.rawValue
        case .leftOut(let link, let reason):
            leftOut.append((link.rawValue, reason))
            forecast.leaveOut(link)
        case .condition(let number, let count, let text):
            if let condition { done.insert(.running(condition.text, figures), at: 0) }
            condition = (number, count, text.sanitizedLine, now)
            (round, link, figures) = (0, nil, [])
            began = began ?? now
            forecast.beginCondition()
        case .turn(let turn):
            link = turn.rawValue
            forecast.beginTurn(of: turn, at: now)
        case .round(let number, _, let elapsed, _):
            round = number
            forecast.endRound(at: now, elapsed: elapsed)
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
        // A condition ends with a complete round, so it may exceed its duration.
        let expected = forecast.end(at: now).map { ($0 - condition.began).inSeconds } ?? 0
        let isLonger = expected > plannedSeconds + 1
        let each = seconds(of: max(plannedSeconds, expected))
        let left = max(0, each - elapsed) + each * Double(condition.count - condition.number)
        let spent = began.map { (now - $0).inSeconds } ?? elapsed
        // It is not over before its results are there.
        progress.fraction = min(0.99, spent / max(spent + left, 0.001))
        progress.doing = "condition \(condition.number) of \(condition.count): \(condition.text)"
        progress.time =
            "round \(round + 1)\(link.map { ", \($0)" } ?? ""), \(Int(saturating: elapsed)) of "
            + (isLonger ? "about \(Int(saturating: expected.rounded())) s, " : "\(Int(saturating: plannedSeconds)) s, ")
            + (left >= 1 ? "about \(LatencyLabTexts.time(left)) left" : "ending soon")
        return progress
    }

    /// How long a condition takes whose rounds take so long, seconds.
    private func seconds(of rounds: Double) -> Double {
        LatencyChoices.seconds(of: rounds, moving: plan.measuresMotion ? plan.links.count * plan.pushes : 0)
    }
    private var plannedSeconds: Double { plan.estimatedSeconds }
    private var wholeSeconds: Double { seconds(of: plannedSeconds) * Double(plan.conditions.count) }
}
