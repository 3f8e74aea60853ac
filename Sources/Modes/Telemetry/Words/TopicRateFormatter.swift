internal import FlightControl
internal import UAVLink
internal import VehicleAccess

/// Formats the rates of a vehicle's topics as lines.
struct TopicRateFormatter {
    private let report: TopicRateReport
    /// The age of the rates; `nil` if there are none.
    private let age: Duration?

    /// - Parameter age: of the rates; `nil` if there are none.
    init(_ report: TopicRateReport, age: Duration?) {
        self.report = report
        self.age = age
    }

    /// One line per topic.
    var lines: [TelemetryLine] {
        guard let age else { return [] }
        return report.rates.map { rate in
            let name = rate.name.sanitizedLine
            var value = Figures.hertz(rate.measuredHertz)
            if let expected = rate.expectedHertz { value += "/\(Figures.hertz(expected))" }
            value += " Hz"
            if age > MaximumAge.rates { return TelemetryLine(name, value, note: Figures.age(age), mark: .danger) }
            return switch rate.condition {
            case .good: TelemetryLine(name, value)
            case .unjudged where rate.isAbsent: TelemetryLine(name, Figures.unknown, mark: .unknown)
            case .unjudged: TelemetryLine(name, value)
            case .slow: TelemetryLine(name, value, note: "SLOW", mark: .warning)
            case .irregular: TelemetryLine(name, value, note: "IRREGULAR", mark: .warning)
            case .silent: TelemetryLine(name, value, note: "SILENT", mark: .danger)
            }
        }
    }

    /// A summary: the first fault; without one, how many are judged, and how many are not.
    var summary: TelemetryLine {
        guard let age else { return TelemetryLine("Topics", Figures.unknown, mark: .unknown) }
        if age > MaximumAge.rates {
            return TelemetryLine("Topics", "\(report.rates.count) rates", note: Figures.age(age), mark: .danger)
        }
        let faults = report.faults
        if let first = faults.first {
            let last = first.name.split(separator: "/").last.map(String.init) ?? first.name
            let more = faults.count > 1 ? " and \(faults.count - 1) more" : ""
            let isSlow = faults.contains(where: \.isSlow)
            return TelemetryLine(
                "Topics", "\(last)\(more)".sanitizedLine, note: isSlow ? "SLOW" : "IRREGULAR", mark: .warning)
        }
        var words: [String] = []
        if report.goodCount > 0 { words.append("\(report.goodCount) at expected rates") }
        if !report.unjudged.isEmpty { words.append("\(report.unjudged.count) not judged") }
        if !report.absent.isEmpty { words.append("\(report.absent.count) absent") }
        return TelemetryLine("Topics", words.isEmpty ? "none" : words.joined(separator: ", "))
    }
}
