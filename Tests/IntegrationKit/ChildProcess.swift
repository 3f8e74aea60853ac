#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization

/// Why a process of the tests could not be started or did not do what was awaited.
public struct ProcessFailure: Error, CustomStringConvertible, Sendable {
    /// One line, with the process's last output behind it.
    public let description: String

    /// Says what went wrong.
    public init(_ description: String) { self.description = description }
}

/// A process that a test started; it and all its children end at the latest when this object or the test process does.
public final class ChildProcess: Sendable {
    private struct State {
        var output = ""
        var errors = ""
        var commandPID: Int32?
        var exitStatus: Int32?
        /// Known before the last of what it wrote is.
        var endedWith: Int32?
        var hasAllErrors = false
        var input: Int32
    }

    private let state: Mutex<State>
    private let guardian: Int32
    private let name: String

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - command: the program's whole path and its arguments.
    ///   - environment: its whole environment; `nil` hands on ours.
    public init(_ command: [String], environment: [String: String]? = nil) throws {
        name = command.first ?? ""
        // Writing to a process that has ended is no reason for the tests to end.
        ignoreBrokenPipes()
        let input = try Pipe()
        let output = try Pipe()
        let errors = try Pipe()
        let arguments = [Guardian.python, "-I", "-S", "-c", Guardian.program] + command
        guardian = try Self.spawn(
            arguments, environment: environment, input: input.reading, output: output.writing, errors: errors.writing)
        close(input.reading)
        close(output.writing)
        close(errors.writing)
        state = Mutex(State(input: input.writing))
        let guardian = guardian
        Self.detach { [weak self] in
            output.readAll { text in self?.state.withLock { Self.take(text, into: &$0) } }
            var status: Int32 = 0
            while waitpid(guardian, &status, 0) < 0, errno == EINTR {}
            let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
            self?.state.withLock { state in
                state.endedWith = code
                if state.hasAllErrors { state.exitStatus = code }
            }
        }
        Self.detach { [weak self] in
            errors.readAll { text in self?.state.withLock { $0.errors += text } }
            self?.state.withLock { state in
                state.hasAllErrors = true
                state.exitStatus = state.endedWith
            }
        }
    }

    deinit { closeInput() }

    /// Everything it has written to standard output so far.
    public var output: String { state.withLock { $0.output } }

    /// Everything it has written to standard error so far.
    public var errors: String { state.withLock { $0.errors } }

    /// How it ended, `nil` while it runs; 128 and the signal's number when a signal ended it.
    public var exitStatus: Int32? { state.withLock { $0.exitStatus } }

    /// Its process id: waited for, since the command says it itself when it starts; `nil` when it ended before.
    public var pid: Int32? {
        var patience = Patience(.seconds(20))
        while true {
            let (pid, hasEnded) = state.withLock { ($0.commandPID, $0.exitStatus != nil) }
            if pid != nil || hasEnded || patience.isOver() { return pid }
            usleep(1000)
        }
    }

    /// Writes a line to its standard input.
    public func send(line: String) {
        state.withLock { state in
            guard state.input >= 0 else { return }
            let bytes = Array((line + "\n").utf8)
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    write(state.input, buffer.baseAddress.map { $0 + done }, bytes.count - done)
                }
                if count <= 0 { break }
                done += count
            }
        }
    }

    /// Sends a signal to the command alone, as soon as its process is known.
    public func signal(_ number: Int32) {
        guard let pid, exitStatus == nil else { return }
        kill(pid, number)
    }

    /// Waits for a line of output that contains `text` and returns all of that line.
    ///
    /// - Parameter skipping: how many such lines to pass over.
    @discardableResult
    public func line(containing text: String, skipping: Int = 0, within timeout: Duration = .seconds(60)) async throws
        -> String
    {
        try await line(of: { $0.output }, containing: text, skipping: skipping, within: timeout)
    }

    /// Waits for a line of what it writes to standard error that contains `text` and returns all of that line.
    @discardableResult
    public func line(ofErrorsContaining text: String, within timeout: Duration = .seconds(60)) async throws -> String {
        try await line(of: { $0.errors }, containing: text, skipping: 0, within: timeout)
    }

    private func line(
        of stream: (State) -> String, containing text: String, skipping: Int, within timeout: Duration
    ) async throws -> String {
        var patience = Patience(timeout)
        while true {
            // Both outputs are read side by side: what comes from the command may be seen before its process id is.
            let (output, ended, isKnown) = state.withLock { (stream($0), $0.exitStatus != nil, $0.commandPID != nil) }
            // A line that has not ended yet may be half of one.
            let whole = ended ? output[...] : output[..<(output.lastIndex(of: "\n") ?? output.startIndex)]
            let found = whole.split(separator: "\n").filter { $0.contains(text) }
            if found.count > skipping, isKnown || ended { return String(found[skipping]) }
            guard !ended, !patience.isOver() else {
                throw ProcessFailure(
                    "\(name) \(ended ? "ended" : "went on for \(patience.whole)") without the line '\(text)': "
                        + "\(self.output.suffix(2000)) \(errors.suffix(2000))")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits until it has ended and returns its exit status.
    @discardableResult
    public func exit(within timeout: Duration = .seconds(60)) async throws -> Int32 {
        var patience = Patience(timeout)
        while true {
            if let status = exitStatus { return status }
            guard !patience.isOver() else {
                let threads = pid.map { ProcessHoldings.waits(of: $0) } ?? ""
                throw ProcessFailure(
                    "\(name) still runs after \(patience.whole): \(output.suffix(2000)) \(errors.suffix(2000)) \(threads)"
                )
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Ends it and all it started; returns when all are gone. Safe to call twice.
    public func stop() async {
        closeInput()
        var patience = Patience(.seconds(20))
        while exitStatus == nil, !patience.isOver() {
            // Not Task.sleep: teardown must go on in a cancelled task, where sleeping ends at once.
            await withCheckedContinuation { continuation in
                Self.detach {
                    usleep(5000)
                    continuation.resume()
                }
            }
        }
        guard exitStatus == nil else { return }
        kill(guardian, SIGKILL)
        // Its pipes may be held open by what outlived it; a dead child that is not reaped would keep the test library's
        // wait for exit tests busy for ever.
        let guardian = guardian
        Self.detach {
            var status: Int32 = 0
            while waitpid(guardian, &status, 0) < 0, errno == EINTR {}
        }
    }

    private func closeInput() {
        state.withLock { state in
            if state.input >= 0 { close(state.input) }
            state.input = -1
        }
    }

    private static func take(_ text: String, into state: inout State) {
        state.output += text
        guard state.commandPID == nil, state.output.hasPrefix("@pid "), let end = state.output.firstIndex(of: "\n")
        else { return }
        state.commandPID = Int32(state.output[..<end].dropFirst(5))
        state.output = String(state.output[state.output.index(after: end)...])
    }
}

extension ChildProcess {
    static let spawning = Mutex(())

    private static func spawn(
        _ arguments: [String], environment: [String: String]?, input: Int32, output: Int32, errors: Int32
    ) throws -> Int32 {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        // The test runner blocks and ignores signals in ways that a child must not inherit.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] =
            (environment ?? Self.ownEnvironment).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        let result = spawning.withLock { _ in posix_spawn(&pid, arguments[0], &actions, &attributes, &argv, &envp) }
        guard result == 0 else { throw ProcessFailure("cannot start \(arguments[0]): errno \(result)") }
        return pid
    }

    /// The environment that this test process was given.
    public static var ownEnvironment: [String: String] {
        var found: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let parts = String(cString: pointer).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return found
    }

    static func detach(_ body: @escaping @Sendable () -> Void) {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let box = Unmanaged.passRetained(Box(body))
        let result = pthread_create(
            &thread, nil,
            { pointer in
                #if canImport(Glibc)
                    guard let pointer else { return nil }
                #endif
                Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        if result == 0 {
            #if canImport(Glibc)
                pthread_detach(thread)
            #else
                if let thread { pthread_detach(thread) }
            #endif
        } else {
            box.release()
        }
    }
}

private func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
