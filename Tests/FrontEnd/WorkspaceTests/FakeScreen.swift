@testable import ModeKit
import TextScreen

/// A screen that records what it was given.
@MainActor
final class FakeScreen: Screen {
    var needsFrame: (() -> Void)?
    var takesText = false
    var takes = true
    var isAsking = false
    var given: [InputEvent] = []
    var focus: [Bool] = []
    var areas: [ScreenArea] = []
    let keys = [KeyHelp("z", "does something")]

    func draw(on canvas: inout Canvas, in area: ScreenArea) { canvas.write("content", row: 0, in: area) }
    func resize(to area: ScreenArea) { areas.append(area) }
    func focusChanged(_ hasFocus: Bool) { focus.append(hasFocus) }
    func handle(_ event: InputEvent) -> Bool {
        given.append(event)
        return takes
    }
}
