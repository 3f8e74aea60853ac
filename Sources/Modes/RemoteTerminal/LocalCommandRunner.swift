#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemIO
internal import Threads
package import UAVLink

/// Runs commands on this machine: for a vehicle without SSH.
package struct LocalCommandRunner: CommandRunner {
    private let environment: [String: String]
    private let setup: String

    /// Creates a runner; `setup` is the profile's.
    package init(environment: [String: String], setup: String) {
        self.environment = environment
        self.setup = setup
    }

    /// Runs a command line.
    package func run(
        _ line: String, interrupt: AsyncStream<Void>, onOutput: @Sendable (CommandChunk) -> Void
    ) async throws(LinkError) -> ProgramEnding? {
        let commandLine = try InterruptibleCommand.line(line, setup: setup)
        let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
        let process = try LocalProcess(
            "/bin/sh",
            ["sh", "-c", commandLine],
            environment: environment.merging(["SHELL": LocalShell.shell(environment)]) { _, new in new },
            folder: LocalProcess.home(environment),
            .descriptors(input: input.reading, output: output.writing, errors: errors.writing))
        input.closeReading()
        output.closeWriting()
        errors.closeWriting()
        let interrupting = Task {
            for await _ in interrupt {}
            input.closeWriting()
        }
        defer {
            interrupting.cancel()
            process.terminateProcess()
        }
        while true {
            guard !Task.isCancelled else { throw LinkError(.cancelled, "the command was cancelled") }
            let step = await DedicatedThread.run { Self.step(output, errors, process) }
            guard let step else {
                throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
            }
            for piece in step.pieces { onOutput(piece) }
            if step.isOver { return process.ending }
        }
    }

    private struct Step {
        var pieces: [CommandChunk] = []
        var isOver = false
    }

    /// Waits briefly for output and reads what is available; done when the command has ended and there is no more
    /// output. Processes that the command left running may keep the pipes open; they are not waited for.
    private static func step(_ output: Pipe, _ errors: Pipe, _ process: LocalProcess) -> Step {
        var step = Step()
        let hasEnded = process.ending != nil
        var poller = Poller()
        let pipes = [output, errors]
        for pipe in pipes { poller.add(pipe.reading) }
        poller.wait(hasEnded ? .zero : .milliseconds(100))
        var buffer = [UInt8](repeating: 0, count: 32 * 1024)
        for (place, pipe) in pipes.enumerated() where poller.isReady(place) {
            let count = SystemCalls.read(pipe.reading, &buffer)
            if count > 0 {
                step.pieces.append(CommandChunk(isError: pipe === errors, bytes: Array(buffer[..<count])))
            } else if count == 0 {
                // A pipe at its end is always ready; it is not polled again.
                pipe.closeReading()
            }
        }
        if step.pieces.isEmpty, output.reading < 0, errors.reading < 0 {
            step.isOver = process.waitForEnd(milliseconds: 100) != nil
        } else {
            step.isOver = hasEnded && step.pieces.isEmpty
        }
        return step
    }
}

/// A pipe whose ends are closed one by one.
private final class Pipe: Sendable {
    private let ends: Mutex<(reading: OwnedDescriptor?, writing: OwnedDescriptor?)>

    init() throws(LinkError) {
        do throws(SocketError) {
            let (reading, writing) = try OwnedDescriptor.pipe()
            ends = Mutex((reading, writing))
        } catch { throw LinkError(.remoteFailed, error.what, hint: error.hint) }
    }

    /// The end to read from; -1 once it is closed.
    var reading: Int32 { ends.withLock { $0.reading?.number ?? -1 } }
    /// The end to write to; -1 once it is closed.
    var writing: Int32 { ends.withLock { $0.writing?.number ?? -1 } }

    func closeReading() { ends.withLock { $0.reading = nil } }
    func closeWriting() { ends.withLock { $0.writing = nil } }
}
