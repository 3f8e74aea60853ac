internal import ModeKit
package import TerminalEmulation
internal import UAVLink

/// Runs a shell in an emulated terminal: opens and reopens it, sends input, and provides its screen.
@MainActor
package final class RemoteShellInteractor {
    /// Timeout of login and shell start.
    private static let opening: Duration = .seconds(15)
    /// Of size changes that follow each other within this time, as while a window is dragged, only the last is sent.
    private static let resizePause: Duration = .milliseconds(30)

    /// The state of the connection.
    package private(set) var connection = ShellConnection.connecting
    /// The emulated terminal.
    package let terminal: ShellTerminal
    /// Called after every change.
    package var onChange: (() -> Void)?
    /// Where the shell runs.
    package var place: String { opener.place }

    private let opener: ShellOpener
    private let recorder: SessionRecorder
    private let tasks: TaskBag
    private let timeSource: any TimeSource
    private var size: TerminalSize
    private var channel: (any ShellChannel)?
    private var outbox = ShellOutbox()
    private var interrupt = FloodInterrupt()
    private var resizing: Task<Void, Never>?
    private var isBusy = false
    private var openings = 0

    init(
        opener: ShellOpener, terminal: ShellTerminal, size: TerminalSize, recorder: SessionRecorder, tasks: TaskBag,
        timeSource: any TimeSource
    ) {
        self.opener = opener
        self.terminal = terminal
        self.size = size
        self.recorder = recorder
        self.tasks = tasks
        self.timeSource = timeSource
    }

    /// Opens the shell; does nothing if one is open or being opened.
    package func start() {
        guard !isBusy else { return }
        isBusy = true
        openings += 1
        if openings > 1 { terminal.beginAnew() }
        outbox = ShellOutbox()
        interrupt = FloodInterrupt()
        set(.connecting, "opening a shell on \(place)")
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let showing = tasks.start { [weak self] in for await _ in changes { self?.onChange?() } }
        let (opener, size, terminal, outbox) = (opener, size, terminal, outbox)
        let (recorder, interrupt) = (recorder, interrupt)
        tasks.start { [weak self] in
            defer {
                change.finish()
                showing.cancel()
            }
            do throws(LinkError) {
                let channel = try await opener.open(size, within: Self.opening)
                // In its own scope: while the shell is open, this task must not retain the interactor.
                if let self { self.hasOpened(channel, of: size) } else { return channel.close() }
                let pump = ShellPump(
                    channel: channel, terminal: terminal, outbox: outbox, recorder: recorder, changes: change,
                    interrupt: interrupt)
                let ending = try await pump.run() ?? ProgramEnding(status: nil)
                self?.finish(.ended(ending), "the shell has ended: \(ending.words)")
            } catch {
                guard error.code != .cancelled else { return }
                self?.finish(.lost(error.description), "connection lost: \(error.description)")
            }
        }
    }

    private func hasOpened(_ channel: any ShellChannel, of openedSize: TerminalSize) {
        self.channel = channel
        if size != openedSize { channel.resize(size) }
        set(.open, "the shell is open")
    }

    private func finish(_ state: ShellConnection, _ note: String) {
        channel = nil
        isBusy = false
        set(state, note)
    }

    private func set(_ state: ShellConnection, _ note: String) {
        connection = state
        recorder.add(.connection, note)
        onChange?()
    }

    /// Sends a key; does nothing without a shell.
    package func press(_ key: TerminalKey) {
        guard channel != nil else { return }
        let bytes = terminal.bytes(for: key)
        if bytes == [0x03] || bytes == [0x1C] { interrupt.press() }
        outbox.put(bytes)
    }

    /// Sends a mouse event, if the program has asked for them.
    package func mouse(_ event: TerminalMouse) {
        guard channel != nil else { return }
        outbox.put(terminal.bytes(for: event))
    }

    /// Whether pasted lines would be executed one by one.
    package var executesPastedLines: Bool { !terminal.wantsBracketedPaste }

    /// Sends pasted text.
    ///
    /// - Returns: `false`, without pasting, if the buffer is full.
    package func paste(_ text: String) -> Bool {
        guard channel != nil else { return true }
        return outbox.put(terminal.bytes(forPaste: text))
    }

    /// Changes the size of the terminal.
    package func resize(_ size: TerminalSize) {
        guard size != self.size else { return }
        self.size = size
        terminal.resize(size)
        onChange?()
        guard resizing == nil else { return }
        resizing = tasks.start { [weak self, timeSource] in
            _ = await timeSource.pause(Self.resizePause)
            self?.sendSize()
        }
    }

    private func sendSize() {
        resizing = nil
        channel?.resize(size)
    }
}
