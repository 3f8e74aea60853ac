import CommandLineKit
import FlightControl
import IndoorMode
import UAVLink

/// Why a subcommand failed: for the user, for scripts, and for the shell.
struct CommandFailure: Error {
    /// What happened, in one line.
    let what: String
    /// What to do about it, in one line; `nil` when there is nothing to say.
    let hint: String?
    let code: ExitCode
    /// Whether the user knows it already: who pressed Ctrl-C. That a command which was sent may act is told even then.
    private var isKnown = false

    init(_ what: String, hint: String? = nil, code: ExitCode) {
        self.what = what
        self.hint = hint.flatMap { $0.isEmpty ? nil : $0 }
        self.code = code
    }

    /// Any error that a subcommand throws.
    init(_ error: any Error) {
        switch error {
        case let failure as Self: self = failure
        case let error as UsageError: self.init(error)
        case let error as LinkError: self.init(error.what, hint: error.hint, code: ExitCode(error))
        case let failure as MapFailure:
            if case .link(let error) = failure {
                self.init(error.what, hint: error.hint, code: ExitCode(error))
            } else {
                self.init(failure.description, code: ExitCode(failure))
            }
        case let failure as FlightInteractor.Failure:
            if case .link(let error) = failure {
                self.init(error.what, hint: error.hint, code: ExitCode(error))
            } else {
                self.init(failure.description, code: ExitCode(failure))
            }
        case is CancellationError:
            self.init("interrupted", code: .interrupted)
            isKnown = true
        default: self.init("\(error)", code: .internalError)
        }
    }

    init(_ error: UsageError) { self.init(error.what, hint: error.hint, code: .usage) }

    /// What is printed on standard error; empty for what the user knows.
    var line: String {
        guard !isKnown else { return "" }
        return hint.map { "\(what); \($0)" } ?? what
    }
}
