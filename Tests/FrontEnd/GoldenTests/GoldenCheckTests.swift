import ModeKit
import Testing
import TextScreen

/// What the golden screens' own check finds.
@MainActor
@Suite struct GoldenCheckTests {
    /// A screen that keeps something deep inside when it is drawn, behind a long list.
    private final class KeepingScreen: Screen {
        struct Layout { var rows: [Int]? = [1, 2, 3] }
        struct Shown { var layout: Layout? = Layout() }

        enum Fault { case nothing, kept, drawsAnew, style }

        /// No property of the screen, so that only the picture tells.
        private static var drawings = 0
        private let list = (0..<5000).map { Layout(rows: [$0]) }
        private var shown: Shown? = Shown()
        private let fault: Fault
        var needsFrame: (() -> Void)?
        let keys: [KeyHelp] = []

        init(_ fault: Fault) { self.fault = fault }

        func draw(on canvas: inout Canvas, in area: ScreenArea) {
            if fault == .kept { shown?.layout?.rows?[2] += 1 }
            Self.drawings += 1
            let isOdd = Self.drawings % 2 == 1
            canvas.write(fault == .drawsAnew && isOdd ? "odd" : "even", row: 0, in: area, .plain)
            canvas.write("styled", row: 1, in: area, fault == .style && isOdd ? .title : .plain)
        }

        func handle(_ event: InputEvent) -> Bool { false }
    }

    private func draw(_ fault: KeepingScreen.Fault) {
        var canvas = Canvas(ScreenSize(rows: 2, columns: 20))
        Golden.draw(KeepingScreen(fault), on: &canvas, in: canvas.area)
    }

    @Test func `drawing that changes a screen is found, and one that differs the second time`() {
        draw(.nothing)
        for fault in [KeepingScreen.Fault.kept, .drawsAnew, .style] {
            withKnownIssue("\(fault)") { draw(fault) }
        }
    }
}
