internal import FlightControl
internal import ModeKit
internal import TerminalEmulation
internal import UAVLink

/// Translates keys into input for the shell, and its output into screen states.
@MainActor
package final class TerminalPresenter {
    package weak var view: (any TerminalView)?
    private let shell: RemoteShellInteractor
    private let simple: SimpleFormInteractor
    private let recorder: SessionRecorder
    private let logFile: SessionLogFile
    private let router: ModeRouter
    private let tasks: TaskBag
    private var state = TerminalScreenState()
    private var lineCount = 0
    private var bellsSeen = 0
    private var pendingPaste: String?
    private var searchIndex: Int?

    init(
        shell: RemoteShellInteractor, simple: SimpleFormInteractor, recorder: SessionRecorder,
        logFile: SessionLogFile, router: ModeRouter, tasks: TaskBag
    ) {
        self.shell = shell
        self.simple = simple
        self.recorder = recorder
        self.logFile = logFile
        self.router = router
        self.tasks = tasks
    }

    /// Opens the shell and shows the terminal.
    ///
    /// - Parameter changed: called after output; calls ``refresh()`` as often as the screen is drawn.
    func begin(changed: @escaping () -> Void) {
        shell.onChange = changed
        simple.onChange = changed
        state.place = shell.place
        tasks.start { [simple] in await simple.load() }
        shell.start()
        refresh()
    }

    /// Shows the current state.
    package func refresh() {
        let modes = shell.terminal.modes
        state.shell.connection = shell.connection
        state.shell.modes = modes
        state.shell.rings = modes.bells != bellsSeen
        // A scrolled view stays at its lines while new ones arrive.
        let count = shell.terminal.lineCount
        let below = state.shell.picture.linesBelow
        state.shell.picture = shell.terminal.picture(linesBelow: below > 0 ? below + count - lineCount : 0)
        lineCount = count
        let (lines, isCut) = simple.present
        if state.simple.linesBelow > 0 { state.simple.linesBelow += max(0, lines.count - state.simple.lines.count) }
        state.simple.lines = lines
        state.simple.isCut = isCut
        state.simple.isRunning = simple.isRunning
        view?.show(state)
    }

    /// Executes an intent.
    package func handle(_ intent: TerminalIntent) {
        switch intent {
        case .resize(let size): shell.resize(size)
        case .key(let key): press(key)
        case .paste(let text): paste(text)
        case .mouse(let event): shell.mouse(event)
        case .scroll(let lines): scroll(lines)
        case .scrollPages(let pages): scroll(pages * max(1, state.shell.picture.lines.count - 1))
        case .switchForm:
            state.form = state.form == .shell ? .simple : .shell
            refresh()
        case .toggleSearch, .search, .searchNext: search(intent)
        case .confirmPaste(let isWanted): confirmPaste(isWanted)
        case .saveLog: saveLog()
        case .leave: router.leave()
        case .run(let line): run(line)
        case .interrupt: simple.interrupt()
        case .history(let step, let text):
            if let line = simple.recall(step, from: text) { fill(line) }
        case .historySearch, .historySearchOlder, .historySearchAccept: searchHistory(intent)
        }
    }

    // MARK: The shell

    private func press(_ key: TerminalKey) {
        bellsSeen = shell.terminal.modes.bells
        switch shell.connection {
        case .open:
            let isStale = state.shell.rings || state.shell.picture.linesBelow > 0
            state.shell.picture.linesBelow = 0
            shell.press(key)
            if isStale { refresh() }
        case .ended, .lost:
            if key.key == .enter { shell.start() }
        case .connecting: break
        }
    }

    private func paste(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
        if lines > 1, shell.connection == .open, shell.executesPastedLines {
            pendingPaste = text
            state.shell.pasteLines = lines
            return refresh()
        }
        send(paste: text)
    }

    private func confirmPaste(_ isWanted: Bool) {
        let text = pendingPaste
        pendingPaste = nil
        state.shell.pasteLines = nil
        if isWanted, let text { send(paste: text) }
        refresh()
    }

    private func send(paste text: String) {
        if !shell.paste(text) { router.say(Notice(.warning, "the shell's input buffer is full; nothing was pasted")) }
    }

    private func scroll(_ lines: Int) {
        switch state.form {
        case .shell:
            lineCount = shell.terminal.lineCount
            let wanted = max(0, state.shell.picture.linesBelow + lines)
            state.shell.picture = shell.terminal.picture(linesBelow: wanted)
        case .simple:
            state.simple.linesBelow = min(max(0, state.simple.linesBelow + lines), max(0, state.simple.lines.count - 1))
        }
        refresh()
    }

    private func search(_ intent: TerminalIntent) {
        guard var search = state.shell.search else {
            guard intent == .toggleSearch else { return }
            state.shell.search = ScrollbackSearch()
            return refresh()
        }
        switch intent {
        case .search(let text):
            search.text = text
            search.line = nil
            look(&search, upwards: true)
        case .searchNext(let upwards): look(&search, upwards: upwards)
        default:
            state.shell.search = nil
            return refresh()
        }
        state.shell.search = search
        refresh()
    }

    private func look(_ search: inout ScrollbackSearch, upwards: Bool) {
        lineCount = shell.terminal.lineCount
        let from = search.line ?? lineCount
        guard let line = shell.terminal.find(search.text, from: from, upwards: upwards) else {
            search.failed = !search.text.isEmpty
            return
        }
        search.line = line
        search.failed = false
        let picture = state.shell.picture
        guard !(picture.firstLine..<picture.firstLine + picture.lines.count).contains(line) else { return }
        // In the middle of the view, so that the lines around it are visible.
        let rows = picture.lines.count
        state.shell.picture = shell.terminal.picture(linesBelow: max(0, lineCount - line - rows / 2 - 1))
    }

    private func saveLog() {
        let (log, seconds) = recorder.present
        let place = shell.place
        tasks.start { [logFile, router] in router.say(await logFile.save(log, place: place, at: seconds)) }
    }

    // MARK: The simple form

    private func run(_ line: String) {
        guard !simple.isRunning else {
            return router.say(Notice(.information, "a command is running; press Ctrl-C to end it"))
        }
        guard !line.allSatisfy(\.isWhitespace) else {
            return router.say(Notice(.information, "nothing was typed; type a command, for example: ls -l"))
        }
        state.simple.linesBelow = 0
        simple.run(line) { [router] trouble in router.say(Notice(.warning, trouble)) }
        fill("")
    }

    private func fill(_ text: String) {
        state.simple.field.number += 1
        state.simple.field.text = text
        refresh()
    }

    private func searchHistory(_ intent: TerminalIntent) {
        switch intent {
        case .historySearch(let text?):
            found(simple.history.search(text), for: text)
        case .historySearchOlder:
            guard let search = state.simple.search else { return }
            guard let older = simple.history.search(search.text, before: searchIndex) else { return }
            found(older, for: search.text)
        case .historySearchAccept:
            let line = state.simple.search?.line
            state.simple.search = nil
            if let line { return fill(line) }
        default: state.simple.search = nil
        }
        refresh()
    }

    private func found(_ hit: (index: Int, line: String)?, for text: String) {
        var search = HistorySearch()
        search.text = text
        search.line = hit?.line
        searchIndex = hit?.index
        state.simple.search = search
    }
}
