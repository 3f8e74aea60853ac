@testable import LatencyMeasurement
@testable import LatencyOutput
import Foundation
import IntegrationKit
import LatencyTestKit
import Testing

/// The page in a dark browser, and on a telephone.
@Suite struct LatencyPageScreenTests {
    private let html = LatencyResult(
        LatencyExamples.report(LatencyExamples.twoLinks, impairment: "delay=20ms,loss=2%")
    ).html

    /// The colours that a rule of the page's style sheet gives its variables.
    private func colours(_ part: String) -> [String: Double] {
        var found: [String: Double] = [:]
        for pair in part.split(whereSeparator: { "{;}".contains($0) }) {
            let sides = pair.split(separator: ":").map { String($0).filter { !$0.isWhitespace } }
            guard sides.count == 2, sides[0].hasPrefix("--"), sides[1].hasPrefix("#") else { continue }
            let digits = sides[1].dropFirst()
            let long = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
            guard let value = UInt32(long, radix: 16) else { continue }
            found[sides[0]] = Self.luminance(value)
        }
        return found
    }

    /// Relative luminance as in WCAG 2.
    private static func luminance(_ rgb: UInt32) -> Double {
        func linear(_ byte: UInt32) -> Double {
            let share = Double(byte & 0xFF) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb)
    }

    private func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    @Test func `text can be read on light and on dark paper`() throws {
        let parts = html.components(separatedBy: "@media screen and (prefers-color-scheme: dark) {")
        try #require(parts.count == 2)
        let dark = parts[1].components(separatedBy: "figure svg")
        let (light, night) = (colours(parts[0]), colours(dark[0]))
        #expect(dark[1].trimmingCharacters(in: .whitespaces).hasPrefix("{ filter: invert("))
        #expect(Set(light.keys) == Set(night.keys))
        for palette in [light, night] {
            let (paper, shade) = (try #require(palette["--paper"]), try #require(palette["--shade"]))
            for (name, least) in [("--ink", 7.0), ("--soft", 4.5)] {
                let ink = try #require(palette[name])
                #expect(contrast(ink, paper) >= least, "\(name)")
                #expect(contrast(ink, shade) >= least, "\(name) on shade")
            }
        }
        #expect((night["--paper"] ?? 1) < 0.1 && (light["--paper"] ?? 0) > 0.9)
    }

    @Test(.enabled(if: Browser.path != nil, "there is no chromium: apt-get install chromium"))
    func `the page is no wider than a telephone`() throws {
        let folder = try TemporaryFolder()
        let page = folder.file("outer.html")
        // A window of a browser has a least width, a frame in it has none.
        let inner = String(decoding: try JSONEncoder().encode(html), as: UTF8.self)
        let outer = """
            <!doctype html><title></title><body><iframe id="f" style="width:320px;height:800px;border:0"></iframe>
            <script>const f = document.getElementById('f');
            f.onload = () => { const d = f.contentDocument;
              if (!d.querySelector('main')) return;
              document.title = `inner=${f.contentWindow.innerWidth} wide=${d.documentElement.scrollWidth > 320}`; };
            f.srcdoc = \(inner);</script></body>
            """
        try Data(outer.utf8).write(to: URL(fileURLWithPath: page))
        let seen = try Browser.run(
            ["--window-size=1280,900", "--virtual-time-budget=2000", "--dump-dom", "file://\(page)"],
            profile: folder.file("profile"))
        let title = seen.components(separatedBy: "<title>").dropFirst().first?.prefix { $0 != "<" } ?? ""
        #expect(title == "inner=320 wide=false")
    }
}
