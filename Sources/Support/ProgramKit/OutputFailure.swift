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

    /// Calls `action` once when standard output cannot be written, so that a program does not go on for nobody.
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
    /// A reader that has gone, such as `head`, is no error to tell anybody: the code is that of SIGPIPE, as of other programs.
    ///
    /// - Parameters:
    ///   - code: the code without the failure. One of an error stays.
    ///   - stopped: the code of a program that was stopped by ``watch(_:)``, which says nothing of its own.
    ///   - program: its name, for the line on standard error.
    package static func exitCode(insteadOf code: Int32, stopped: Int32 = 0, of program: String) -> Int32 {
        guard let errno = state.withLock({ $0.errno }) else { return code }
        let isOwn = code != 0 && code != stopped
        guard errno != EPIPE else { return isOwn ? code : InterruptWatch.exitCode(ofSignal: SIGPIPE) }
        StandardStream.error.write("\(program): cannot write to standard output: \(SystemError.text(errno))\n")
        return isOwn ? code : exitCode
    }
}
