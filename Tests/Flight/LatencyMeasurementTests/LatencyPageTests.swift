@testable import FlightControl
@testable import LatencyMeasurement
@testable import LatencyOutput
import IntegrationKit
import LatencyTestKit
import Figures
import Foundation
import Testing

/// A browser without a screen, where there is one.
enum Browser {
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Runs it to its end; what it wrote to standard output.
    static func run(_ arguments: [String], profile: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments =
            ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=\(profile)"]
            + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}

@Suite struct LatencyPageTests {
    private let html = LatencyResult(
        LatencyExamples.report(LatencyExamples.twoLinks, impairment: "delay=20ms,loss=2%")
    ).html

    @Test func `the page needs nothing beside it`() {
        for part in ["<script", "src=", "@import", "url(http", "<link", "<iframe", "javascript:"] {
            #expect(!html.contains(part), "\(part) in the page")
        }
        // The namespace of SVG is the only address.
        #expect(
            html.split(separator: "http", omittingEmptySubsequences: false).count - 1 == html.split(
                separator: "xmlns=\"http", omittingEmptySubsequences: false
            ).count - 1)
    }

    @Test func `the page has the command, the machine, the condition and the verdict`() {
        #expect(html.contains("uavlink latency --links ssh,udp --seed 7 --impair &#39;delay=20ms,loss=2%&#39;"))
        #expect(html.contains("an &quot;example&quot; &lt;processor&gt;"))
        #expect(html.contains("Condition: delay=20ms,loss=2%") && html.contains("Can I fly this? Yes"))
        #expect(html.contains("2023-11-14 22:13 UTC, 42 s, seed 7"))
        #expect(html.contains("±0.500") && html.contains("rostopic echo has no stamps"))
    }

    @Test func `no two parts of the page have one name`() {
        var names = html.components(separatedBy: " id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        let count = names.count
        names = Array(Set(names))
        #expect(count > 8 && names.count == count)
        for use in html.components(separatedBy: "url(#").dropFirst() {
            #expect(names.contains(use.prefix { $0 != ")" }))
        }
    }

    @Test func `a column in which no link has a figure is left out`() {
        let table = html.components(separatedBy: "<table class=\"figures\">")[1].components(separatedBy: "</table>")[0]
        #expect(table.contains("<th>p50</th>") && table.contains("<th>max</th>"))
        // Far too few values for that one.
        #expect(!table.contains("<th>p99.99</th>"))
        #expect(html.contains("A question mark means that losses are not visible"))
        let heads = table.components(separatedBy: "</thead>")[0].components(separatedBy: "<th>").count - 1
        for row in table.components(separatedBy: "<tr>").dropFirst(2) where !row.contains("absent") {
            #expect(row.components(separatedBy: "<td>").count == heads, "\(row)")
        }
    }

    /// Where a link has nothing of a kind, those behind it must not take its colour.
    @Test func `a link has one colour in all charts`() {
        for condition in LatencySummary(LatencyExamples.report(LatencyExamples.twoLinks)).conditions {
            let charts = LatencyCharts(condition)
            for kind in SeriesKind.allCases {
                let drawn = [charts.distribution(kind), charts.timeSeries(kind)].compactMap(\.self).flatMap(\.series)
                for series in drawn {
                    #expect(series.colour == condition.links.firstIndex { $0.name == series.name })
                }
            }
        }
    }

    @Test func `text from outside stays text`() {
        var report = LatencyExamples.report([
            LinkRun(link: "udp", how: "<b>", failure: "<script>alert(1)</script>\u{1B}[31m")
        ])
        report.notes = ["\u{202E}&amp;"]
        let html = LatencyResult(report).html
        #expect(!html.contains("<script>") && !html.contains("\u{1B}") && !html.contains("\u{202E}"))
        #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }

    @Test(arguments: [
        (0.0, "1970-01-01 00:00"), (951_782_399, "2000-02-28 23:59"), (951_782_400, "2000-02-29 00:00"),
        (1_709_251_199, "2024-02-29 23:59"), (4_102_444_800, "2100-01-01 00:00"), (-1, "1969-12-31 23:59"),
    ])
    func `dates are those of the calendar`(seconds: Double, text: String) {
        #expect(LatencyPage.date(seconds) == text)
    }

    @Test func `bars that cannot be read beside others are drawn apart`() {
        #expect(LatencyCharts.grouped([1, 900, 3, 1000]) == [[0, 2], [1, 3]])
        #expect(LatencyCharts.grouped([]).isEmpty && LatencyCharts.grouped([5, 50]) == [[0, 1]])
    }

    @Test(.enabled(if: Browser.path != nil, "there is no chromium: apt-get install chromium"))
    func `a real browser shows every chart inside the page, and prints it`() throws {
        let folder = try TemporaryFolder()
        let page = folder.file("page.html")
        // The browser measures what it has laid out; the page itself stays without a script.
        let probe = """
            <script>addEventListener('load', () => { const charts = [...document.querySelectorAll('svg')];
            const bad = charts.filter(c => { const b = c.getBoundingClientRect();
              return b.width < 300 || b.height < 150 || b.right > innerWidth + 1; }).length;
            const marks = charts.filter(c => !c.querySelector('g *')).length;
            document.title = `charts=${charts.length} bad=${bad} empty=${marks} wide=${document.body.scrollWidth > innerWidth}`;
            });</script></body>
            """
        let probed = html.replacingOccurrences(of: "</body>", with: probe)
        try Data(probed.utf8).write(to: URL(fileURLWithPath: page))
        let seen = try Browser.run(
            ["--window-size=1280,900", "--virtual-time-budget=2000", "--dump-dom", "file://\(page)"],
            profile: folder.file("profile"))
        let title = seen.components(separatedBy: "<title>").dropFirst().first?.prefix { $0 != "<" } ?? ""
        // Distribution and time of four kinds, and the stages of the one command series that has them.
        #expect(title == "charts=9 bad=0 empty=0 wide=false")
        try Data(html.utf8).write(to: URL(fileURLWithPath: page))
        _ = try Browser.run(
            ["--print-to-pdf=\(folder.file("page.pdf"))", "--no-pdf-header-footer", "file://\(page)"],
            profile: folder.file("profile"))
        let pdf = try Data(contentsOf: URL(fileURLWithPath: folder.file("page.pdf")))
        #expect(pdf.count > 20_000 && pdf.prefix(5) == Data("%PDF-".utf8))
        if let keep = ProcessInfo.processInfo.environment["UAVLINK_KEEP_PAGE"] {
            try Data(html.utf8).write(to: URL(fileURLWithPath: keep))
        }
    }
}
