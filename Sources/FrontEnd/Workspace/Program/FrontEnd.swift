package import FlightControl
package import FlightRecorder
internal import JoystickMode
package import ModeKit
package import TextScreen
internal import ReportKit
internal import Threads
package import UAVLink

/// The program loop of the text front end: events in, canvases out.
///
/// ```
///   terminal ─reader thread▶ InputQueue ─▶ WorkspaceScreen ─▶ screens ─▶ Presenters
///   terminal ◀─writer thread─ canvas ◀─── UpdateLimiter (at most 30/s) ◀─ needsFrame
/// ```
///
/// Everything here runs on the main actor and waits only for events, not for the network (Interactors' tasks), the terminal
/// (dedicated threads) or steering (`SteeringPump`'s thread).
@MainActor
package final class FrontEnd {
    /// The settings of the front end.
    @MainActor
    package struct Settings {
        package var timeSource: any TimeSource
        /// The vehicles.
        package var fleet: Fleet
        /// Makes the instance of a mode with its screen.
        package var makeMode: WorkspaceRouter.Maker
        /// What would be lost if the program ended now.
        package var losses: @MainActor () -> [String]
        /// Where flights are recorded; `nil` if they cannot be.
        package var recordings: Recordings?
        /// How the screen looks.
        package var appearance: Appearance
        /// Whether the terminal's bell rings for a low battery and a lost link.
        package var hasBell: Bool
        /// Further keys by the action's word: see ``PaletteItem/effect(of:)``.
        package var keys: [String: KeyEvent]
        /// The abilities reported by the terminal; updated by the front end.
        package var abilities: TerminalAbilities
        /// The mode opened first.
        package var firstMode: Mode
        /// Ends the program at once, if it was asked to end and does not; `nil`: it has all the time.
        package var force: (@Sendable () -> Void)?

        /// The settings of the front end.
        package init(
            appearance: Appearance, timeSource: any TimeSource = SystemTimeSource(), fleet: Fleet,
            recordings: Recordings? = nil, abilities: TerminalAbilities = TerminalAbilities(), hasBell: Bool = true,
            keys: [String: KeyEvent] = [:],
            firstMode: Mode = .login, force: (@Sendable () -> Void)? = nil,
            losses: @escaping @MainActor () -> [String] = { [] }, makeMode: @escaping WorkspaceRouter.Maker
        ) {
            self.abilities = abilities
            self.recordings = recordings
            self.appearance = appearance
            self.hasBell = hasBell
            self.keys = keys
            self.timeSource = timeSource
            self.fleet = fleet
            self.firstMode = firstMode
            self.force = force
            self.makeMode = makeMode
            self.losses = losses
        }
    }

    private let terminal: any ScreenTerminal
    private let settings: Settings
    private let writer: ScreenWriter
    private let startThread: ScreenWriter.StartThread
    private var size: ScreenSize
    private var watch = TerminalWatch()
    /// Draws, at most 30 times per second, which suffices on a cell grid.
    private var frames: UpdateLimiter.Observation?
    private var screen: WorkspaceScreen?
    private var loop: Task<Void, Never>?
    private var input: InputQueue?
    /// Whether the user ended the program.
    private var hasQuit = false

    /// The least interval of frames.
    private static let framePeriod: Duration = .milliseconds(33)

    /// Creates a front end on a terminal without starting it.
    package convenience init(terminal: any ScreenTerminal, settings: Settings) {
        self.init(terminal: terminal, startThread: DedicatedThread.start, settings: settings)
    }

    init(terminal: any ScreenTerminal, startThread: @escaping ScreenWriter.StartThread, settings: Settings) {
        self.terminal = terminal
        self.startThread = startThread
        self.settings = settings
        size = terminal.size
        writer = ScreenWriter(terminal: terminal, appearance: settings.appearance)
    }

    /// Runs until the user quits, the task is cancelled or the terminal is closed. When it returns, the terminal is restored,
    /// every vehicle is logged out, and a manually flown vehicle has been commanded to hover.
    ///
    /// - Throws: ``TerminalDevice/Failure`` when the terminal cannot be set up, or no thread can be started.
    package func run() async throws(TerminalDevice.Failure) {
        let input = try takeOver()
        let workspace = assemble()
        workspace.stage.open(settings.firstMode)
        let watching = Task {
            while await settings.timeSource.pause(TerminalWatch.period) { watchTerminal(workspace.presenter) }
        }
        self.input = input
        let loop = Task { await handleAll(input, workspace.presenter) }
        self.loop = loop
        let watchdog = EndWatchdog(clock: settings.timeSource.clock, terminal: terminal, force: settings.force)
        await withTaskCancellationHandler {
            await loop.value
            // Ended by the user, the program has the time that it needs: on the terminal the user sees that it goes on.
            if !hasQuit { watchdog.begin() }
            watching.cancel()
            await workspace.presenter.finish()
        } onCancel: {
            watchdog.begin()
            // What was typed and not yet handled is dropped.
            loop.cancel()
        }
        frames?.end()
        giveBack()
        watchdog.end()
        (self.loop, self.input) = (nil, nil)
    }

    /// Handles the input until the end.
    private func handleAll(_ input: InputQueue, _ presenter: WorkspacePresenter) async {
        var count = 0
        while let typed = await input.next() {
            settings.fleet.inputReadAt = typed.readAt.map { MonotonicTime(nanoseconds: $0) }
            defer { settings.fleet.inputReadAt = nil }
            guard await handle(typed, presenter) else { return }
            if typed.dropped > 0 {
                presenter.say(
                    Notice(.warning, "\(typed.dropped.counted("key")) typed before and not yet handled: dropped"))
            }
            input.setSpaceStops(screen?.spaceStops == true)
            count &+= 1
            // Many keys in one go make one frame, and hold nothing else up.
            if count.isMultiple(of: Self.keysInOneGo) { await Task.yield() }
        }
    }

    /// As many as are handled in a few milliseconds.
    private static let keysInOneGo = 64

    private func takeOver() throws(TerminalDevice.Failure) -> InputQueue {
        try writer.start(startThread)
        do throws(TerminalDevice.Failure) {
            try terminal.enter()
            let stops = StopKeys(further: settings.keys)
            let input = InputQueue(stops: { stops.contains($0) }, steers: { JoystickKeys.steers($0) })
            try terminal.read(
                into: input, after: { [writer] in writer.newestFrame },
                at: { [clock = settings.timeSource.clock] in clock.now.nanoseconds })
            return input
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
        let frames = settings.fleet.updates.observe(.drawing, atMostEvery: Self.framePeriod) { [weak self] in
            self?.draw()
        }
        self.frames = frames
        let builder = WorkspaceBuilder(
            .init(
                fleet: settings.fleet, timeSource: settings.timeSource, recordings: settings.recordings,
                losses: settings.losses,
                makeMode: settings.makeMode))
        return builder.build { presenter in
            let screen = WorkspaceScreen { presenter.handle($0) }
            screen.needsFrame = { [weak frames] in frames?.request() }
            screen.resize(to: size)
            screen.onEnd = { [weak self] in
                self?.hasQuit = true
                self?.loop?.cancel()
            }
            if settings.hasBell { screen.onRing = { [weak self] in self?.writer.ring() } }
            screen.furtherKeys = FurtherKeys(
                settings.keys.compactMap { action, key in PaletteItem.effect(of: action).map { (key, $0) } })
            self.screen = screen
            return screen
        }
    }

    private func watchTerminal(_ presenter: WorkspacePresenter) {
        writer.ask(TerminalWatch.question)
        if watch.timesOut(at: settings.timeSource.clock.now) { presenter.handle(.terminalSilent) }
    }

    /// Returns whether to continue.
    private func handle(_ typed: TerminalInput, _ presenter: WorkspacePresenter) async -> Bool {
        switch typed.event {
        case .kittyKeyboard(let flags): settings.abilities.reportsKeyReleases = flags & 2 != 0
        case .deviceAttributes: watch.answered(at: settings.timeSource.clock.now)
        case .resize(let size):
            self.size = size
            writer.invalidate()
            screen?.resize(to: size)
        case .key(let key) where key.isPress(of: .character("z"), .control) && screen?.takesControlZ != true:
            return await suspend(presenter)
        case .key(let key) where key.isPress(of: .character("l"), .control) && screen?.takesText != true:
            writer.invalidate()
            frames?.request()
        default: screen?.handle(typed.event, seen: typed.frame)
        }
        return true
    }

    /// Returns whether the terminal could be set up again.
    private func suspend(_ presenter: WorkspacePresenter) async -> Bool {
        presenter.handle(.suspend)
        // The hover is sent before this process is suspended; if it does not arrive, the lease stops the vehicle.
        guard await settings.timeSource.pause(Self.suspendDelay) else { return false }
        writer.hold()
        // The terminal's answer to the last question would be typed into the shell.
        guard await settings.timeSource.pause(Self.answerDelay) else { return false }
        do {
            try terminal.suspend()
        } catch {
            return false
        }
        watch.restart()
        size = terminal.size
        writer.release()
        screen?.resize(to: size)
        return true
    }

    /// Time to send a hover over any link but SSH; otherwise the companion's lease of 200 ms stops the vehicle.
    private static let suspendDelay: Duration = .milliseconds(100)
    /// Time for the terminal's answer; over a slower connection it comes too late, and is seen in the shell.
    private static let answerDelay: Duration = .milliseconds(50)

    private func draw() {
        guard let screen else { return }
        var canvas = Canvas(size)
        screen.draw(on: &canvas, in: canvas.area)
        screen.wasDrawn(inFrame: writer.show(canvas))
        // A screen may have been opened without a key.
        input?.setSpaceStops(screen.spaceStops)
    }
}
