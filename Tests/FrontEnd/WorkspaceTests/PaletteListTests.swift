@testable import ModeKit
@testable import Workspace
import FlightControl
import Testing
import TextScreen
import UAVLink

@MainActor
@Suite("What the palette lists")
struct PaletteListTests {
    private func items(isAirborne: Bool) -> [PaletteItem] {
        var state = WorkspaceState()
        state.vehicle = VehicleBar(title: "uav1")
        state.vehicle?.isAirborne = isAirborne
        return PaletteItem.all(state, [])
    }

    private func lines(_ palette: PaletteOverlay, _ items: [PaletteItem]) -> [String] {
        var canvas = Canvas(ScreenSize(rows: 40, columns: 100))
        palette.draw(items, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test func `on the ground a landing is not listed, and is found by its name`() {
        for isAirborne in [true, false] {
            let items = items(isAirborne: isAirborne)
            var palette = PaletteOverlay()
            let isListed = lines(palette, items).contains { $0.contains("  land  ") }
            #expect(isListed == isAirborne)
            for letter in "land" { _ = palette.handle(.typed(letter), items) }
            #expect(palette.handle(KeyEvent(.enter), items) == .run(.send(.fly(.land))))
        }
    }

    @Test func `keys that only move something are no actions`() {
        let keys = [KeyHelp("↑ ↓ Enter", "choose"), KeyHelp("← →", "condition"), KeyHelp("x", "remove it")]
        let titles = PaletteItem.all(WorkspaceState(), keys).map(\.title)
        #expect(titles.contains("remove it") && !titles.contains("choose") && !titles.contains("condition"))
    }
}
