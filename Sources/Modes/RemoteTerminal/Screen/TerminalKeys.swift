internal import ModeKit

/// The keys that act in the terminal's present state, most important first.
struct TerminalKeys {
    let state: TerminalScreenState

    private static let leave = KeyHelp("F9", "leave")
    private static let lineMode = KeyHelp("F2", "line mode")
    private static let shellForm = KeyHelp("F2", "shell")
    private static let saveLog = KeyHelp("F4", "save log")
    private static let scrollBack = KeyHelp("Shift-PageUp/Down", "scroll back")

    var all: [KeyHelp] {
        switch state.form {
        // It takes all keys.
        case .shell where state.shell.pasteLines != nil: [KeyHelp("y", "paste"), KeyHelp("n Esc", "paste nothing")]
        case .shell: state.shell.search.map(search) ?? shell
        case .simple: state.simple.search.map(historySearch) ?? lines
        }
    }

    private var shell: [KeyHelp] {
        let others = [Self.leave, Self.lineMode, KeyHelp("F3", "search"), Self.saveLog, Self.scrollBack]
        return switch state.shell.connection {
        case .connecting: others
        case .open: others + [KeyHelp("others", "sent to the shell")]
        case .ended: [KeyHelp("Enter", "new shell")] + others
        case .lost: [KeyHelp("Enter", "connect again")] + others
        }
    }

    private func search(_ search: ScrollbackSearch) -> [KeyHelp] {
        let isFound = search.line != nil
        return (isFound ? [KeyHelp("Enter ↑ F3", "older"), KeyHelp("↓", "newer")] : [])
            + [KeyHelp("Esc", "end the search"), Self.leave, Self.lineMode, Self.saveLog, Self.scrollBack]
    }

    private var lines: [KeyHelp] {
        let (command, scroll) = (state.simple.isRunning, !state.simple.lines.isEmpty)
        return [command ? KeyHelp("Ctrl-C", "end the command") : KeyHelp("Enter", "send the line")]
            + [KeyHelp("↑ ↓", "history"), KeyHelp("Ctrl-R", "search the history")]
            + (scroll ? [KeyHelp("PageUp/Down", "scroll")] : [])
            + [Self.shellForm, KeyHelp("F4 Ctrl-S", "save log"), KeyHelp("Esc F9", "leave")]
    }

    private func historySearch(_ search: HistorySearch) -> [KeyHelp] {
        let isFound = search.line != nil
        return (isFound ? [KeyHelp("Enter", "accept"), KeyHelp("Ctrl-R ↑", "older")] : [])
            + [KeyHelp("Esc", "cancel the search"), Self.shellForm, Self.saveLog, Self.leave]
    }
}
