internal import ModeKit
public import TerminalEmulation
internal import UAVLink

/// Holds a shell in an emulated terminal: opens it, types into it, tells what it shows, opens it anew when it was lost.
@MainActor
public final class RemoteShellInteractor {
    /// How long log-in and shell may take.
    private static let opening: Duration = .seconds(15)
    /// Of sizes that follow each other within this, as while a window is dragged, the shell is told the last.
    private static let resizePause: Duration = .milliseconds(30)

    /// Whether a shell is there.
    public private(set) var connection = ShellConnection.connecting
    /// What it shows.
    public let terminal: ShellTerminal
    /// Called when anything has changed.
    public var onChange: (() -> Void)?
    /// Where the shell is.
    public var place: String { opener.place }

    private let opener: ShellOpener
    private let recorder: SessionRecorder
    private let tasks: TaskBag
    private let pacemaker: any Pacemaker
    private var size: TerminalSize
    private var channel: (any ShellChannel)?
    private var outbox = ShellOutbox()
    private var interrupt = FloodInterrupt()
    private var resizing: Task<Void, Never>?
    private var isBusy = false
    private var openings = 0

    init(
        opener: ShellOpener, terminal: ShellTerminal, size: TerminalSize, recorder: SessionRecorder, tasks: TaskBag,
        pacemaker: any Pacemaker
    ) {
        self.opener = opener
        self.terminal = terminal
        self.size = size
        self.recorder = recorder
        self.tasks = tasks
        self.pacemaker = pacemaker
    }

    /// Opens the shell; nothing happens while there is one or one is being opened.
    public func start() {
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
                // In a scope of its own: while the shell is open this task must not keep what is to go.
                if let self { self.hasOpened(channel, of: size) } else { return channel.close() }
                let pump = ShellPump(
                    channel: channel, terminal: terminal, outbox: outbox, recorder: recorder, changes: change,
                    interrupt: interrupt)
                let ending = try await pump.run() ?? ProgramEnding(status: nil)
                self?.finish(.ended(ending), "the shell has ended: \(ending.words)")
            } catch {
                guard error.code != .cancelled else { return }
                self?.finish(.lost(error.description), "the connection is lost: \(error.description)")
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

    /// Types a key; nothing happens without a shell.
    public func press(_ key: TerminalKey) {
        guard channel != nil else { return }
        let bytes = terminal.bytes(for: key)
        if bytes == [0x03] || bytes == [0x1C] { interrupt.press() }
        outbox.put(bytes)
    }

    /// Tells the program what the mouse did, when it wants to know.
    public func mouse(_ event: TerminalMouse) {
        guard channel != nil else { return }
        outbox.put(terminal.bytes(for: event))
    }

    /// Whether pasted lines would be taken for commands one by one.
    public var executesPastedLines: Bool { !terminal.wantsBracketedPaste }

    /// Pastes text.
    ///
    /// - Returns: `false` when too much waits already; then nothing is pasted.
    public func paste(_ text: String) -> Bool {
        guard channel != nil else { return true }
        return outbox.put(terminal.bytes(forPaste: text))
    }

    /// Gives the terminal another size.
    public func resize(_ size: TerminalSize) {
        guard size != self.size else { return }
        self.size = size
        terminal.resize(size)
        onChange?()
        guard resizing == nil else { return }
        resizing = tasks.start { [weak self, pacemaker] in
            _ = await pacemaker.pause(Self.resizePause)
            self?.tellSize()
        }
    }

    private func tellSize() {
        resizing = nil
        channel?.resize(size)
    }
}
