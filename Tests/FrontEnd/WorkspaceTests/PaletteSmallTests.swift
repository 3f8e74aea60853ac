@testable import ModeKit
@testable import Workspace
import Testing
import TextScreen

/// The palette where a reason is longer than the space for it.
@MainActor
@Suite struct PaletteSmallTests {
    private let reason =
        "point 3 is at a height of 900 m, above the highest one of the safety area: lower it with z, "
        + "or delete it; nothing was sent, and the vehicle stays where it is until a route is sent that is within the "
        + "limits of its safety area, which uavlink map world prints"

    /// The palette after a line and Enter, and what it offers.
    private func entered(_ line: String) -> (palette: PaletteOverlay, items: [PaletteItem]) {
        var state = WorkspaceState()
        (state.mode, state.vehicle) = (.mapTrajectory, VehicleBar(title: "uav1"))
        let items = PaletteItem.all(state, [], refused: [RefusedKey(KeyHelp("e", "send"), reason)])
        var palette = PaletteOverlay()
        for letter in line { _ = palette.handle(.typed(letter), items) }
        _ = palette.handle(KeyEvent(.enter), items)
        return (palette, items)
    }

    private func lines(_ palette: PaletteOverlay, _ items: [PaletteItem]) -> [String] {
        var canvas = Canvas(ScreenSize(rows: 8, columns: 40))
        palette.draw(items, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test func `the line, an entry with its key, and the beginning of the reason stand`() {
        let (palette, items) = entered("send")
        let shown = lines(palette, items)
        #expect(shown[1].hasPrefix("│ : send "), "\(shown)")
        #expect(shown[2].contains("  send (Indoor)") && shown[2].hasSuffix("e │"), "\(shown)")
        #expect(shown[3].hasPrefix("│ ! point 3 is at") && shown[5].contains(" … "), "\(shown)")
        #expect(shown[6].contains("PgUp PgDn scroll") && shown[6].contains("Esc"), "\(shown)")
    }

    @Test func `it scrolls to its end and back, no word of it is lost, and another key begins it anew`() {
        let (start, items) = entered("send")
        var palette = start
        let area = ScreenArea(rows: 8, columns: 40)
        let first = lines(palette, items)
        var words: Set<String> = []
        for _ in 0..<8 {
            words.formUnion(lines(palette, items)[3...5].joined(separator: " ").split(separator: " ").map(String.init))
            let scrolled = palette.scroll(by: KeyEvent(.pageDown), items, in: area)
            #expect(scrolled)
        }
        #expect(reason.split(separator: " ").allSatisfy { words.contains(String($0)) }, "\(words)")
        #expect(lines(palette, items)[5].contains("prints") && !lines(palette, items)[5].contains("…"))
        #expect(lines(palette, items)[1].hasPrefix("│ : send "))
        for _ in 0..<8 { _ = palette.scroll(by: KeyEvent(.pageUp), items, in: area) }
        #expect(lines(palette, items) == first)
        _ = palette.scroll(by: KeyEvent(.pageDown), items, in: area)
        _ = palette.handle(KeyEvent(.enter), items)
        #expect(lines(palette, items) == first)
    }

    @Test func `where all of it fits nothing scrolls`() {
        let (start, items) = entered("send")
        var palette = start
        let scrolled = palette.scroll(by: KeyEvent(.pageDown), items, in: ScreenArea(rows: 30, columns: 100))
        #expect(!scrolled)
    }
}
