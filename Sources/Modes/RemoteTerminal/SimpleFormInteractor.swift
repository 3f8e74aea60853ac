internal import ModeKit
internal import Synchronization
internal import UAVLink

/// Runs one line after another and keeps their output and the history.
@MainActor
package final class SimpleFormInteractor {
    /// The history of lines.
    package private(set) var history = CommandHistory()
    /// Whether a command is running.
    package var isRunning: Bool { running != nil }
    /// Called after every change.
    package var onChange: (() -> Void)?

    private let runner: any CommandRunner
    private let vehicle: String
    private let file: HistoryFile?
    private let recorder: SessionRecorder
    private let tasks: TaskBag
    private var hasLoaded = false
    private let clock: any MonotonicClock
    private let output = Output()
    private var running: Task<Void, Never>?
    private var interruption: AsyncStream<Void>.Continuation?

    /// Written by the task that receives the output.
    private final class Output: Sendable {
        let lines = Mutex(OutputLines())
    }

    init(
        runner: any CommandRunner, vehicle: String, file: HistoryFile?, recorder: SessionRecorder, tasks: TaskBag,
        clock: any MonotonicClock
    ) {
        self.runner = runner
        self.vehicle = vehicle
        self.file = file
        self.recorder = recorder
        self.tasks = tasks
        self.clock = clock
    }

    /// The output, the newest last, and whether the oldest lines were dropped.
    package var present: (lines: [OutputLine], isCut: Bool) { output.lines.withLock { ($0.lines, $0.isCut) } }

    /// Reads the vehicle's history; once.
    package func load() async {
        guard let file, !hasLoaded else { return }
        hasLoaded = true
        let known = await file.lines(of: vehicle)
        history = CommandHistory(known + history.lines)
    }

    /// The line before (-1) or after (1) the current one in the history.
    package func recall(_ step: Int, from text: String) -> String? { history.go(step, from: text) }

    /// Runs a line; does nothing while another one runs.
    ///
    /// - Parameter onHistoryError: called if the history could not be written.
    package func run(_ line: String, onHistoryError: @escaping @MainActor (String) -> Void) {
        guard running == nil, !line.allSatisfy(\.isWhitespace) else { return }
        keep(line, onHistoryError)
        // A line that begins with a blank is neither in the history nor in the log.
        recorder.add(.sent, line.first?.isWhitespace == true ? "(line not logged: it begins with a space)" : line)
        output.lines.withLock { $0.add(.command, line) }
        let (interrupt, continuation) = AsyncStream<Void>.makeStream()
        interruption = continuation
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let showing = tasks.start { [weak self] in for await _ in changes { self?.onChange?() } }
        let (runner, output, recorder, clock) = (runner, output, recorder, clock)
        let began = clock.now
        running = tasks.start { [weak self] in
            let ending: OutputLine
            do throws(LinkError) {
                let result = try await Self.run(runner, line, interrupt) { piece in
                    recorder.received(piece.bytes)
                    output.lines.withLock { $0.add(piece) }
                    change.yield()
                }
                ending = Self.ending(result, after: clock.now - began)
            } catch {
                ending = OutputLine(.ending(isSuccess: false), error.description)
            }
            recorder.add(.connection, ending.text)
            output.lines.withLock { $0.add(ending.kind, ending.text) }
            change.finish()
            showing.cancel()
            self?.hasEnded()
        }
        onChange?()
    }

    /// Off the main actor: a flood of output must not block it.
    @concurrent
    private static func run(
        _ runner: any CommandRunner, _ line: String, _ interrupt: AsyncStream<Void>,
        _ onOutput: @Sendable (CommandChunk) -> Void
    ) async throws(LinkError) -> ProgramEnding? {
        try await runner.run(line, interrupt: interrupt, onOutput: onOutput)
    }

    private static func ending(_ ending: ProgramEnding?, after duration: Duration) -> OutputLine {
        let words = ending?.words ?? "ended; exit status unknown"
        let seconds = (duration.inSeconds * 10).rounded() / 10
        return OutputLine(.ending(isSuccess: ending?.isSuccess ?? false), "\(words) after \(seconds) s")
    }

    private func keep(_ line: String, _ onHistoryError: @escaping @MainActor (String) -> Void) {
        guard history.add(line), let file else { return }
        let vehicle = vehicle
        tasks.start {
            if let trouble = await file.append(line, of: vehicle) {
                onHistoryError("cannot write the history to \(file.path): \(trouble)")
            }
        }
    }

    private func hasEnded() {
        running = nil
        interruption = nil
        onChange?()
    }

    /// Interrupts the command: the first call as Ctrl-C does, the second one ends it.
    package func interrupt() {
        guard let running else { return }
        if let interruption {
            interruption.finish()
            self.interruption = nil
        } else {
            running.cancel()
        }
    }
}
