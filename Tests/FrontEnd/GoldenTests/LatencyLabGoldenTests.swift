@testable import LatencyLabMode
@testable import ModeKit
import Testing

@testable import TextScreen

@MainActor
@Suite("Golden screens of the latency laboratory")
struct LatencyLabGoldenTests {
    private func check(_ name: String, _ state: LatencyLabScreenState, _ size: GoldenSize) throws {
        let screen = LatencyLabScreen { _ in }
        screen.show(state)
        try Golden.check(screen, name, size)
    }

    @Test("what can be chosen", arguments: GoldenSize.allCases)
    func choosing(_ size: GoldenSize) throws { try check("latency-choosing", LatencyLabSamples.choosing, size) }

    @Test("why it cannot be measured", arguments: GoldenSize.allCases)
    func error(_ size: GoldenSize) throws {
        var state = LatencyLabSamples.choosing
        state.setup.problem =
            "cannot reach the companion on uav1.example (connection refused); is uavlink-companion installed there?"
        try check("latency-error", state, size)
    }

    @Test("a condition that is typed wrong", arguments: GoldenSize.allCases)
    func prompt(_ size: GoldenSize) throws {
        var state = LatencyLabSamples.choosing
        state.prompt = LatencyPrompt(
            .condition, title: "Network impairment, the same in both directions", text: "delay=20",
            about: "each part may be left out", hint: "delay=20ms,loss=2%")
        state.prompt?.note = "delay: '20' is not a time from 0 to 60 s, such as 20ms, 500us or 2s"
        try check("latency-prompt", state, size)
    }

    @Test("the question in flight", arguments: GoldenSize.allCases)
    func question(_ size: GoldenSize) throws {
        var state = LatencyLabSamples.choosing
        state.confirmation = ConfirmationRequest(
            title: "Measure the links of field:uav1 in flight?",
            facts: [LabeledValue("vehicle", "field:uav1, in flight", isWarning: true)],
            findings: [.init(text: "Neutral setpoints and hover commands are sent continuously.", isFailure: false)],
            action: "measure", otherwise: "nothing is sent")
        try check("latency-question", state, size)
    }

    @Test("while it measures", arguments: GoldenSize.allCases)
    func measuring(_ size: GoldenSize) throws { try check("latency-measuring", LatencyLabSamples.measuring, size) }

    @Test("each page of what came out", arguments: GoldenSize.allCases, LatencyLabPage.allCases)
    func pages(_ size: GoldenSize, _ page: LatencyLabPage) throws {
        let name = page.rawValue.lowercased().replacing(" ", with: "-")
        try check("latency-\(name)", LatencyLabSamples.reading(page), size)
    }

    @Test("the smallest terminal, and less, does no harm", arguments: [(12, 40), (8, 40), (5, 20), (2, 3), (1, 1)])
    func small(_ rows: Int, _ columns: Int) {
        var states = LatencyLabPage.allCases.map { LatencyLabSamples.reading($0) }
        var asking = LatencyLabSamples.choosing
        asking.setup.problem = "no link could be opened"
        asking.prompt = LatencyPrompt(
            .path, title: "Save as", text: "latency.html", hint: "the extension selects the format")
        states += [LatencyLabSamples.choosing, LatencyLabSamples.measuring, asking]
        for state in states {
            let screen = LatencyLabScreen { _ in }
            screen.show(state)
            var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            screen.show(LatencyLabScreenState())
            Golden.draw(screen, on: &canvas, in: canvas.area)
        }
    }

    @Test("where there is no room, the same column of every condition goes, the last named first")
    func columns() {
        var columns = [LatencyTableSection.Column("link", ["ssh-tunnel", "udp"], rank: 0)]
        for group in 1...5 {
            for (rank, title) in ["p50", "max", "p99"].enumerated() {
                columns.append(.init(title, ["1000.0", "0.123"], rank: rank, group: "\(group)"))
            }
        }
        let section = LatencyTableSection(title: "steering", meaning: "ms", columns: columns)
        func titles(_ width: Int) -> [Substring] {
            let lines = LatencyTableDrawing.lines(section, columns: width)
            #expect(lines.allSatisfy { $0.reduce(0) { $0 + $1.text.cells } <= width })
            return lines[1].map(\.text).joined().split(separator: " ")
        }
        #expect(titles(200).count == 16)
        #expect(titles(100) == ["link"] + Array(repeating: ["p50", "max"], count: 5).flatMap { $0 })
        #expect(titles(76) == ["link"] + Array(repeating: "p50", count: 5))
    }

    @Test("in the smallest terminal the line at hand is seen, and so is the page")
    func smallest() {
        let screen = LatencyLabScreen { _ in }
        var state = LatencyLabSamples.choosing
        for line in state.setup.lines.indices {
            state.setup.selected = line
            screen.show(state)
            var canvas = Canvas(ScreenSize(rows: 8, columns: 40))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            let title = state.setup.lines[line].title.prefix(20)
            #expect(canvas.lines.contains { $0.contains(title) }, "\(title): \(canvas.lines)")
        }
        screen.show(LatencyLabSamples.reading(.distribution))
        var canvas = Canvas(ScreenSize(rows: 8, columns: 40))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        #expect(canvas.lines.contains { $0.contains("2 of 6 Distribution") })
        // Strips that have no room are scrolled to.
        var strips = LatencyLabSamples.reading(.time)
        for (scroll, name) in ["ssh", "tcp", "udp"].enumerated() {
            strips.results?.scroll = scroll
            screen.show(strips)
            canvas = Canvas(ScreenSize(rows: 8, columns: 40))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            #expect(canvas.lines.contains { $0.hasPrefix("│ \(name) ") }, "\(canvas.lines)")
            #expect(
                strips.results.map { LatencyResultsDrawing.maximumScroll($0, in: canvas.area) } == 2)
            #expect(canvas.lines.contains { $0.contains("▼ \(2 - scroll) more") } == (scroll < 2))
            #expect(canvas.lines.contains { $0.contains("▲ \(scroll) more") } == (scroll > 0))
        }
    }

    @Test func `where nothing can be measured that stands on top, once, and start is not among the keys`() {
        let screen = LatencyLabScreen { _ in }
        var state = LatencyLabSamples.choosing
        (state.setup.obstacle, state.setup.summary) = (LatencyLabTexts.noLinks, "")
        for isAsked in [false, true] {
            if isAsked { state.setup.problem = LatencyLabTexts.noLinks }
            screen.show(state)
            #expect(screen.refusedKeys == [RefusedKey(KeyHelp("s", "start"), LatencyLabTexts.noLinks)])
            var canvas = Canvas(ScreenSize(rows: 11, columns: 60))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            let text = canvas.lines.map { $0.dropFirst(2).prefix(56) }.joined(separator: " ")
            #expect(canvas.lines[1].contains(isAsked ? "✗ this vehicle" : "! this vehicle"))
            for word in LatencyLabTexts.noLinks.split(separator: " ") { #expect(text.contains(word), "\(word)") }
            #expect(canvas.lines.count { $0.contains("this vehicle is simulated") } == 1)
            #expect(canvas.lines.contains { $0.contains("▼ ") }, "\(canvas.lines)")
        }
        #expect(!screen.keys.contains { $0.keys == "s" })
    }
}
