internal import LatencyMeasurement
internal import Impairment
internal import ReportKit
internal import UAVLink

/// What has been told of a measurement, as a screen shows it.
struct MeasuringLog {
    private let plan: MeasuringPlan
    private var opening: String?
    private var condition: (number: Int, count: Int, text: String, began: MonotonicTime)?
    private var round = 0
    private var link: String?
    private var figures: [RunningFigures] = []
    private var done: [LatencyTableSection] = []
    private var notes: [String] = []

    init(_ plan: MeasuringPlan) { self.plan = plan }

    mutating func take(_ event: MeasuringEvent, at now: MonotonicTime) {
        switch event {
        case .opening(let link): opening = link.rawValue
        case .leftOut(let link, let reason): notes.append("\(link.rawValue) is left out: \(reason)".harmlessLine)
        case .condition(let number, let count, let text):
            if let condition { done.insert(.running(condition.text, figures), at: 0) }
            condition = (number, count, text.harmlessLine, now)
            (round, link, figures) = (0, nil, [])
        case .turn(let turn): link = turn.rawValue
        case .round(let number, _, _): round = number
        case .figures(let newest): figures = newest
        }
    }

    func progress(at now: MonotonicTime) -> LatencyProgress {
        var progress = LatencyProgress()
        progress.notes = notes
        guard let condition else {
            progress.doing = opening.map { "opening \($0)" } ?? "looking for the vehicle's companion"
            progress.time = "about \(LatencyLabWords.time(wholeSeconds)) of measuring"
            return progress
        }
        progress.tables = (figures.isEmpty ? [] : [.running(condition.text, figures)]) + done
        let elapsed = (now - condition.began).inSeconds
        let before = Double(condition.number - 1) * secondsEach
        // It ends with a whole round, so it may take somewhat longer than it was given.
        let part = min(elapsed, secondsEach)
        let left = max(0, Double(condition.count) * secondsEach - before - part)
        progress.fraction = min(1, (before + part) / max(secondsEach * Double(condition.count), 0.001))
        progress.doing = "condition \(condition.number) of \(condition.count): \(condition.text)"
        progress.time =
            "round \(round + 1)\(link.map { ", \($0)" } ?? ""), \(Int(saturating: elapsed)) of \(Int(saturating: plan.duration.inSeconds)) s, "
            + (left >= 1 ? "about \(LatencyLabWords.time(left)) left" : "about to end")
        return progress
    }

    private var secondsEach: Double {
        LatencyChoices.seconds(of: plan.duration.inSeconds, moving: plan.measuresMotion ? plan.links.count : 0)
    }
    private var wholeSeconds: Double { secondsEach * Double(plan.conditions.count) }
}
