public import FlightControl
public import ModeKit
internal import Foundation
public import TextScreen
internal import Threads
public import UAVLink

/// The program loop of the text front end: events in, canvases out.
///
/// ```
///   terminal ─reader thread▶ events ─▶ WorkspaceScreen ─▶ screens ─▶ Presenters
///   terminal ◀─writer thread─ canvas ◀─── FrameClock (at most 30/s) ◀─ needsFrame
/// ```
///
/// Everything here runs on the main actor and waits for nothing but events: neither the network (Interactors' tasks), nor the
/// terminal (threads of its own), nor steering (`SteeringPump`'s thread).
@MainActor
public final class FrontEnd {
    /// What it runs with.
    @MainActor
    public struct Settings {
        /// The process's environment: `NO_COLOR`, `TERM`, `COLORTERM`.
        public var environment: [String: String]
        /// Where the time comes from.
        public var pacemaker: any Pacemaker
        /// The vehicles.
        public var fleet: Fleet
        /// Makes the module of a mode with its screen.
        public var makeModule: WorkspaceRouter.Maker
        /// Where is written down what the terminal tells of itself.
        public var abilities: TerminalAbilities
        /// The mode that it begins with.
        public var firstMode: Mode

        /// What it runs with.
        public init(
            environment: [String: String], pacemaker: any Pacemaker = SystemPacemaker(), fleet: Fleet,
            abilities: TerminalAbilities = TerminalAbilities(), firstMode: Mode = .login,
            makeModule: @escaping WorkspaceRouter.Maker
        ) {
            self.abilities = abilities
            self.environment = environment
            self.pacemaker = pacemaker
            self.fleet = fleet
            self.firstMode = firstMode
            self.makeModule = makeModule
        }
    }

    private let terminal: any ScreenTerminal
    private let settings: Settings
    private let writer: ScreenWriter
    private let startThread: ScreenWriter.StartThread
    private var size: ScreenSize
    private var watch = TerminalWatch()
    private var frames: FrameClock?
    private var screen: WorkspaceScreen?
    private var events: AsyncStream<LoopEvent>.Continuation?

    private enum LoopEvent: Sendable {
        case input(InputEvent)
        case watch
        case end
    }

    /// A front end on a terminal; nothing happens yet.
    public convenience init(terminal: any ScreenTerminal, settings: Settings) {
        self.init(terminal: terminal, startThread: OwnThread.start, settings: settings)
    }

    init(terminal: any ScreenTerminal, startThread: @escaping ScreenWriter.StartThread, settings: Settings) {
        self.terminal = terminal
        self.startThread = startThread
        self.settings = settings
        size = terminal.size
        writer = ScreenWriter(terminal: terminal, depth: ColorDepth(environment: settings.environment))
    }

    /// Runs until the person leaves, the task is cancelled or the terminal is gone; the terminal is given back, and every
    /// vehicle logged out of, when it returns. A vehicle that was moved by hand has been told to hover.
    ///
    /// - Throws: ``TerminalDevice/Failure`` when the terminal cannot be taken over, or the system has no threads left for it.
    public func run() async throws(TerminalDevice.Failure) {
        let (stream, continuation) = AsyncStream<LoopEvent>.makeStream(bufferingPolicy: .unbounded)
        events = continuation
        let input = try takeOver()
        let workspace = assemble()
        workspace.stage.open(settings.firstMode)
        let helpers = startHelpers(input, continuation)
        await withTaskCancellationHandler {
            for await event in stream {
                guard await handle(event, workspace.presenter) else { break }
            }
        } onCancel: {
            continuation.yield(.end)
        }
        for helper in helpers { helper.cancel() }
        await workspace.presenter.finish()
        frames?.end()
        giveBack()
        events = nil
    }

    private func takeOver() throws(TerminalDevice.Failure) -> AsyncStream<InputEvent> {
        try writer.start(startThread)
        do throws(TerminalDevice.Failure) {
            try terminal.enter()
            return try terminal.events()
        } catch {
            giveBack()
            throw error
        }
    }

    private func giveBack() {
        writer.hold()
        terminal.leave()
        writer.end()
    }

    private func assemble() -> WorkspaceBuilder.Workspace {
        let frames = FrameClock(pacemaker: settings.pacemaker) { [weak self] in self?.draw() }
        self.frames = frames
        let builder = WorkspaceBuilder(
            .init(fleet: settings.fleet, pacemaker: settings.pacemaker, makeModule: settings.makeModule))
        return builder.build { presenter in
            let screen = WorkspaceScreen { presenter.handle($0) }
            screen.needsFrame = { [weak frames] in frames?.request() }
            screen.onEnd = { [weak self] in self?.events?.yield(.end) }
            self.screen = screen
            return screen
        }
    }

    private func startHelpers(
        _ input: AsyncStream<InputEvent>, _ continuation: AsyncStream<LoopEvent>.Continuation
    ) -> [Task<Void, Never>] {
        let pacemaker = settings.pacemaker
        return [
            Task.detached {
                for await event in input { continuation.yield(.input(event)) }
                continuation.yield(.end)
            },
            Task {
                while await pacemaker.pause(TerminalWatch.period) { continuation.yield(.watch) }
            },
        ]
    }

    /// Returns whether to go on.
    private func handle(_ event: LoopEvent, _ presenter: WorkspacePresenter) async -> Bool {
        switch event {
        case .end: return false
        case .watch:
            writer.ask(TerminalWatch.question)
            if watch.fallsSilent(at: settings.pacemaker.clock.now) { presenter.handle(.terminalSilent) }
        case .input(.kittyKeyboard(let flags)): settings.abilities.tellsKeyReleases = flags & 2 != 0
        case .input(.deviceAttributes): watch.answered(at: settings.pacemaker.clock.now)
        case .input(.resize(let size)):
            self.size = size
            writer.invalidate()
            frames?.request()
        case .input(.key(let key)) where key.isPress(of: .character("z"), .control) && screen?.takesControlZ != true:
            return await suspend(presenter)
        case .input(.key(let key)) where key.isPress(of: .character("l"), .control) && screen?.takesText != true:
            writer.invalidate()
            frames?.request()
        case .input(let input):
            screen?.handle(input)
        }
        return true
    }

    /// Returns whether the terminal could be taken over again.
    private func suspend(_ presenter: WorkspacePresenter) async -> Bool {
        presenter.handle(.suspend)
        // The vehicle is told before this process stands still; if it is not, its lease stops it.
        _ = await settings.pacemaker.pause(Self.suspendGrace)
        writer.hold()
        do {
            try terminal.suspend()
        } catch {
            return false
        }
        watch.restart()
        size = terminal.size
        writer.release()
        frames?.request()
        return true
    }

    /// Long enough for a hover over any link but SSH; the companion's lease of 200 ms is behind it.
    private static let suspendGrace: Duration = .milliseconds(100)

    private func draw() {
        guard let screen else { return }
        var canvas = Canvas(size)
        screen.draw(on: &canvas, in: canvas.area)
        writer.show(canvas)
    }
}
