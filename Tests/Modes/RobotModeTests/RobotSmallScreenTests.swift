import ModeKit
import RobotMode
import Testing
import TextScreen
import UAVLink

/// On a terminal of 60 by 15 nothing is overwritten, and what is cut can be read elsewhere.
@MainActor
@Suite("Robot screen, small") struct RobotSmallScreenTests {
    /// What the bars and the foot leave of 60 by 15.
    private let size = ScreenSize(rows: 11, columns: 60)

    private func screen(_ tab: RobotTab) -> RobotScreen {
        var state = RobotScreenState()
        state.tab = tab
        (state.indicator, state.connection) = (.ready, "ready")
        state.facts = (1...6).map { KeyHelp("Fact \($0)", "value \($0)") }
        state.keyTexts = [.f1: "w", .f2: "x", .f3: "y", .f4: "z"]
        (state.currentTask, state.speed, state.lastLine) = ("Remote", 127, "battery 99 %")
        let screen = RobotScreen(send: { _ in })
        screen.show(state)
        screen.resize(to: ScreenArea(size))
        return screen
    }

    private func lines(_ screen: RobotScreen, _ size: ScreenSize) -> [String] {
        var canvas = Canvas(size)
        screen.resize(to: ScreenArea(size))
        screen.draw(on: &canvas, in: ScreenArea(size))
        return canvas.lines
    }

    @Test func `the warning about the connection is whole, and the help has what gave way to it`() {
        let screen = screen(.connection)
        let shown = lines(screen, size)
        let words = shown.map { $0.filter { $0 != "│" }.split(separator: " ").joined(separator: " ") }
        #expect(words.joined(separator: " ").contains("unless its own program stops it."), "\(shown)")
        #expect(shown.contains { $0.contains("more: F1 shows all") }, "\(shown)")
        for number in 1...6 { #expect(screen.details.contains(KeyHelp("Fact \(number)", "value \(number)"))) }
        #expect(screen.details.contains { $0.action.hasSuffix("unless its own program stops it.") })
        // Where all of it fits the help does not say it again.
        _ = lines(screen, ScreenSize(rows: 30, columns: 100))
        #expect(screen.details.isEmpty)
    }

    @Test func `each line of control has a row of its own`() {
        let shown = lines(screen(.control), size)
        let parts = ["Task      Remote", "nothing held", "127 of 255", "1: F1 \"w\"", "Robot     battery 99 %"]
        let rows = parts.map { part in shown.firstIndex { $0.contains(part) } }
        #expect(!rows.contains(nil) && Set(rows).count == parts.count, "\(shown)")
    }

    @Test(arguments: 3...12) func `in no height are two lines of control in one row`(_ rows: Int) {
        let shown = lines(screen(.control), ScreenSize(rows: rows, columns: 40))
        let labels = ["Task ", "Drives ", "Speed ", "1: F1", "Robot "]
        for line in shown { #expect(labels.count { line.contains($0) } <= 1, "\(shown)") }
        if rows >= 6 { #expect(shown.contains { $0.contains("127 of 255") }, "\(shown)") }
    }
}
