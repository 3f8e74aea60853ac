package import ModeKit
package import TextScreen

/// The screen of the latency laboratory: setup, progress or results, with prompts and confirmations as overlays.
@MainActor
package final class LatencyLabScreen: LatencyLabView, DialogScreen {
    /// The state, the dialog and the receiver of intents.
    package let head: DialogScreenHead<LatencyLabScreenState, LatencyLabIntent>
    private var strips: LatencyTimeStrips.Strips?

    /// Creates a screen; `send` receives the user's intents.
    package init(send: @escaping (LatencyLabIntent) -> Void) { head = DialogScreenHead(send: send) }

    /// The help on the keys.
    package var contentKeys: [KeyHelp] { LatencyLabKeys.help(state, in: area) }

    /// What keeps a measurement from starting.
    package var contentRefusals: [RefusedKey] {
        guard state.phase == .choosing, let obstacle = state.setup.obstacle else { return [] }
        return [RefusedKey(LatencyLabKeys.start, obstacle)]
    }

    /// The intent with the size of the screen.
    package func sized(_ area: ScreenArea) -> LatencyLabIntent { .resize(rows: area.rows, columns: area.columns) }

    /// Computes the strips of the results.
    package func prepare() {
        if let area { strips = LatencyTimeStrips.strips(state, strips, screen: area) }
    }

    // MARK: Drawing

    /// Draws the setup, the progress or the results.
    package func drawContent(on canvas: inout Canvas, in area: ScreenArea) {
        switch state.phase {
        case .choosing: _ = LatencySetupDrawing.draw(state.setup, on: &canvas, in: area)
        case .measuring: LatencyProgressDrawing.draw(state.progress, on: &canvas, in: area)
        case .reading:
            if let reading = state.results {
                LatencyResultsDrawing.draw(reading, strips, on: &canvas, in: area)
                _ = LatencyResultsDrawing.drawTabs(reading.page, on: &canvas, in: area)
            }
        }
    }

    // MARK: Input

    /// Handles a key; `false` when it is not used here.
    package func handle(_ key: KeyEvent) -> Bool {
        guard let intent = LatencyLabKeys.intent(key, state) else { return false }
        send(intent)
        return true
    }

    /// Handles the mouse; `false` when it is not used here.
    package func handle(_ mouse: MouseEvent) -> Bool {
        switch mouse.action {
        case .wheelUp: send(.move(-1))
        case .wheelDown: send(.move(1))
        case .press where mouse.button == 0: return click(row: mouse.row, column: mouse.column)
        default: return false
        }
        return true
    }

    private func click(row: Int, column: Int) -> Bool {
        guard let area else { return false }
        if state.phase == .reading, let page = state.results?.page {
            let tabs = area.placed { LatencyResultsDrawing.drawTabs(page, on: &$0, in: area) }
            guard let tab = tabs.first(where: { $0.area.contains(row: row, column: column) }) else { return false }
            send(.page(tab.page))
            return true
        }
        guard state.phase == .choosing else { return false }
        let (list, first) = area.placed { LatencySetupDrawing.draw(state.setup, on: &$0, in: area) }
        guard list.contains(row: row, column: column) else { return false }
        let line = first + row - list.row
        guard state.setup.lines.indices.contains(line) else { return false }
        send(.go(to: line))
        send(.take)
        return true
    }
}
