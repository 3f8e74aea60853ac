internal import TerminalEmulation
internal import TextScreen

/// The line below the terminal: place, state, and the keys that are not sent to the shell.
struct TerminalBar {
    let state: TerminalScreenState
    let search: TextField

    private static let shellKeys = "F2 line mode  F3 search  F4 log  F9 leave "

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        canvas.fill(area, " ", .selected)
        if state.form == .shell, state.shell.search != nil { return drawSearch(on: &canvas, in: area) }
        let keys =
            switch state.form {
            case .shell where area.columns < Self.shellKeys.cells + 2: "F2 lines  F3 find  F4 log  F9 leave "
            case .shell: Self.shellKeys
            // Esc does not leave then.
            case .simple where state.simple.search != nil: "F2 shell  F4 log  F9 leave "
            case .simple: "F2 shell  F4 log  Esc leave "
            }
        canvas.write(" \(left)".shortened(to: area.columns - keys.cells - 2), row: 0, in: area, .selected)
        canvas.writeRight(keys, row: 0, in: area, .selected)
    }

    private var left: String {
        guard state.form == .simple else {
            let shell = state.shell
            if shell.picture.linesBelow > 0 { return "\(shell.picture.linesBelow) lines below (Shift-PageDown)" }
            let bell = shell.rings ? "(bell) " : ""
            return switch shell.connection {
            case .connecting: "connecting: \(state.place)"
            case .open: bell + (shell.modes.title.isEmpty ? state.place : shell.modes.title)
            case .ended: "ended: \(state.place)"
            case .lost: "no connection: \(state.place)"
            }
        }
        return "\(state.place), one command at a time"
    }

    private func drawSearch(on canvas: inout Canvas, in area: ScreenArea) {
        let label = " find: "
        canvas.write(label, row: 0, in: area, .selected)
        let (field, rest) = area.split(left: label.cells).rest.split(left: min(30, area.columns / 3))
        search.draw(on: &canvas, in: field, hasFocus: true)
        let isFailed = state.shell.search?.failed == true
        let isEmpty = state.shell.search?.text.isEmpty == true
        let status = isEmpty ? "type what to find   " : isFailed ? "nothing found   " : ""
        let keys = state.shell.search?.line == nil ? "Esc done" : "Enter older  ↓ newer  Esc done"
        canvas.write("  \(status)\(keys)".shortened(to: rest.columns), row: 0, in: rest, .selected)
    }
}
