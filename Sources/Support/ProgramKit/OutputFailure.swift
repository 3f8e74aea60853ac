#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemIO

/// What happened when a program could not write its results: a full disk, or a reader that has gone.
package enum OutputFailure {
    private struct State {
        var errno: Int32?
        var action: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())

    /// The exit code of a program whose results could not be written (`EX_IOERR` of sysexits.h).
    package static let exitCode: Int32 = 74

    /// Calls `action` once when standard output cannot be written, so that a program does not go on without a reader.
    package static func watch(_ action: @escaping @Sendable () -> Void) {
        let hasFailed = state.withLock { state in
            state.action = action
            return state.errno != nil
        }
        if hasFailed { action() }
    }

    /// Remembers the first failure.
    static func note(_ errno: Int32) {
        let action = state.withLock { state in
            guard state.errno == nil else { return nil as (@Sendable () -> Void)? }
            state.errno = errno
            return state.action
        }
        action?()
    }

    /// The exit code of a program that ends with `code`, which a failure to write its results changes.
    ///
    /// A reader that has gone, such as `head`, is not reported as an error: the code is that of SIGPIPE, as of other programs.
    ///
    /// - Parameters:
    ///   - code: the code without the failure.
    ///   - isError: whether `code` is of an error that was printed to standard error, which stays. A verdict does not stay: the results
    ///     that say it were not written. Nor does the code of a program that ``watch(_:)`` stopped.
    ///   - program: its name, for the line on standard error.
    package static func exitCode(insteadOf code: Int32, isError: Bool, of program: String) -> Int32 {
        guard let errno = state.withLock({ $0.errno }) else { return code }
        if errno != EPIPE {
            StandardStream.error.write("\(program): cannot write to standard output: \(SystemError.text(errno))\n")
        }
        return Self.exitCode(insteadOf: code, isError: isError, errno: errno)
    }

    /// The same after a known failure.
    static func exitCode(insteadOf code: Int32, isError: Bool, errno: Int32) -> Int32 {
        if isError { return code }
        return errno == EPIPE ? InterruptWatch.exitCode(ofSignal: SIGPIPE) : exitCode
    }
}
