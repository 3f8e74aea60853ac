internal import LatencyMeasurement
internal import LatencyStatistics
internal import FlightControl
internal import Figures
internal import ReportKit
internal import Statistics
internal import UAVLink

/// A report as one self-contained HTML page: no script, font or image is loaded.
package struct LatencyPage: Sendable {
    private let result: LatencyResult

    package init(_ result: LatencyResult) { self.result = result }

    /// The page, HTML 5 in UTF-8.
    package var html: String {
        let report = result.report
        let title = "Latency of \(report.target)"
        var out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        out += "<title>\(Self.escaped(title))</title>\n<style>\n\(PageStyle.css)</style>\n</head>\n<body>\n<main>\n"
        out += "<h1>\(Self.escaped(title))</h1>\n"
        out += "<p class=\"when\">\(Self.date(report.beganSeconds)) UTC, "
        out += "\(report.lengthSeconds.formatted(decimals: 0)) s, seed \(report.seed)</p>\n"
        out += "<p>Command to repeat the run:</p>\n<pre class=\"command\">\(Self.escaped(report.commandLine))</pre>\n"
        if let first = result.summary.firstAnswer { out += "<p class=\"note\">\(Self.escaped(first))</p>\n" }
        for note in report.notes { out += "<p class=\"note\">\(Self.escaped(note))</p>\n" }
        out += contents
        for (index, condition) in result.summary.conditions.enumerated() { out += section(index, condition) }
        out += facts + thresholds + method
        return out + "</main>\n</body>\n</html>\n"
    }

    private var contents: String {
        guard result.summary.conditions.count > 1 else { return "" }
        var out =
            "<table class=\"overview\"><thead><tr><th>condition</th><th>can I fly this?</th></tr></thead><tbody>\n"
        for (index, condition) in result.summary.conditions.enumerated() {
            out += "<tr><td><a href=\"#c\(index)\">\(Self.escaped(condition.impairment))</a></td>"
            out += "<td>\(Self.escaped(result.verdicts[index].answer))</td></tr>\n"
        }
        return out + "</tbody></table>\n"
    }

    private func section(_ index: Int, _ condition: LatencySummary.Condition) -> String {
        var out = "<section id=\"c\(index)\">\n<h2>Condition: \(Self.escaped(condition.impairment))</h2>\n"
        out += "<p>\(Self.escaped(condition.emulation.text))</p>\n"
        out += verdict(result.verdicts[index])
        let charts = LatencyCharts(condition)
        for kind in SeriesKind.allCases where condition.links.contains(where: { $0[kind] != nil }) {
            out += "<h3>\(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst())</h3>\n"
            out += "<p>\(Self.escaped(condition.meaning(of: kind))), milliseconds</p>\n"
            for note in condition.originNotes(of: kind) { out += "<p>\(Self.escaped(note))</p>\n" }
            out += LatencyHTMLTable.table(kind, condition)
            var figures: [Figure] = []
            if let figure = charts.distribution(kind) { figures.append(figure) }
            if let figure = charts.timeSeries(kind) { figures.append(figure) }
            figures += charts.stages(kind)
            out += "<div class=\"charts\">\n"
            for (number, figure) in figures.enumerated() {
                out += "<figure>\(Self.inline(figure, name: "c\(index)\(kind.rawValue)\(number)"))</figure>\n"
            }
            out += "</div>\n"
        }
        out += LatencyHTMLTable.runs(RunTable(result.report, condition: index))
        out += LatencyHTMLTable.cost(condition)
        for link in condition.links {
            let words = link.run.failure.map { "failed: \($0)" } ?? link.run.how
            out += "<p class=\"how\"><b>\(Self.escaped(link.name))</b>: \(Self.escaped(words))</p>\n"
        }
        return out + "</section>\n"
    }

    private func verdict(_ verdict: FlightVerdict) -> String {
        var out =
            "<div class=\"verdict\"><p class=\"answer\">Can I fly this? \(Self.escaped(verdict.answer))</p>\n<ul>\n"
        let shared = verdict.sharedTravel + [verdict.sharedWait].compactMap(\.self)
        for said in verdict.sharedSentences.map(\.text) + shared {
            out += "<li>\(Self.escaped(said))</li>\n"
        }
        out += "</ul>\n"
        guard !verdict.modes.isEmpty else { return out + "</div>\n" }
        out += "<p>Which mode suits which link</p><ul>\n"
        for mode in verdict.modes { out += "<li>\(Self.escaped(mode))</li>\n" }
        return out + "</ul></div>\n"
    }

    private var facts: String {
        let report = result.report
        var out = "<h2>Machine and settings</h2>\n<table class=\"facts\"><tbody>\n"
        for fact in report.machine + report.versions + report.settings {
            out += "<tr><th>\(Self.escaped(fact.name))</th><td>\(Self.escaped(fact.value))</td></tr>\n"
        }
        return out + "</tbody></table>\n"
    }

    private var thresholds: String {
        guard let verdict = result.verdicts.first else { return "" }
        var out = "<h2>Thresholds of the verdict</h2>\n<ul>\n"
        for source in verdict.thresholds.sources { out += "<li>\(Self.escaped(source))</li>\n" }
        return out + "</ul>\n"
    }

    private var method: String {
        """
        <h2>How to read this report</h2>
        <ul>
        <li>Latencies are measured from the scheduled instant, not from the actual start:
        what a stall delays is counted as late.</li>
        <li>Percentiles use the nearest rank, over all that was intended; what was lost is infinite (RFC 7679), and a
        percentile there is "lost". One is left out where the run has fewer than 3 / (1 - p) samples: it would often
        have the value of a lower percentile. Minimum, mean and maximum are of those that arrived.</li>
        <li>Age is that of the newest setpoint at the vehicle, over time; a gap is the time from one newer setpoint to
        the next. Loss periods and distances are those of RFC 3357.</li>
        <li>PDV is the delay above the smallest of the turn (RFC 5481), IPDV the difference of successive delays (RFC
        3393), both within turns; the jitter of RFC 3550 is averaged. The first sample of a turn is in none of these
        figures.</li>
        <li>A question mark means that losses are not visible: TCP retransmits lost data, which then arrives late, and of
        some telemetry only what arrives is counted.
        A column without a value for any link is left out.</li>
        <li>Intervals are 95 percent confidence intervals by resampling whole rounds, of ratios paired by round;
        samples of a round need not be independent. Fewer than ten rounds have no interval. "n_eff" is how many
        independent samples would say as much of the median. A ratio is of the rounds that both links have, and is formed only
        where what was measured ends alike.</li>
        <li>One-way values compare two clocks. Their error is within the stated bound, and a value that is
        smaller than its bound is not meaningful.</li>
        <li>Telemetry counts from the timestamp of the vehicle's message if it is of the companion's own clock. Where the
        vehicle runs on simulated time, or stamps by another clock or not at all, it counts from receipt on board, which is
        stated.</li>
        <li>The vertical axis of distributions is logarithmic in the tail:
        90 %, 99 %, 99.9 % ... are equally spaced.</li>
        </ul>

        """
    }

    /// The chart as inline SVG, with its identifiers made unique in the page.
    private static func inline(_ figure: Figure, name: String) -> String {
        var text = SVG.text(figure)
        if text.hasPrefix("<?xml"), let end = text.firstIndex(of: "\n") {
            text = String(text[text.index(after: end)...])
        }
        return replacing(
            "url(#plot)", by: "url(#\(name))", in: replacing("id=\"plot\"", by: "id=\"\(name)\"", in: text))
    }

    private static func replacing(_ part: String, by other: String, in text: String) -> String {
        text.split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }

    /// Text escaped for HTML; control and bidirectional formatting characters are replaced by visible ones.
    static func escaped(_ text: String) -> String {
        text.sanitizedLine.reduce(into: "") { out, character in
            switch character {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.append(character)
            }
        }
    }

    /// Seconds since 1970 as a date (proleptic Gregorian calendar; Howard Hinnant's algorithm, 2013).
    static func date(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return "unknown" }
        let whole = Int(saturating: seconds.rounded(.down))
        let days = (whole >= 0 ? whole : whole - 86_399) / 86_400
        let rest = whole - days * 86_400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(year)-\(two(civilMonth))-\(two(day)) \(two(rest / 3600)):\(two(rest / 60 % 60))"
    }
}
