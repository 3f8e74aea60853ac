import CommandLineKit
import Modules
import UAVLink

/// What the program's end tells the shell.
enum ExitCode: Int32 {
    case done = 0
    case refused = 1
    case usage = 2
    case noLink = 3
    case timedOut = 4
    case internalError = 70
    case interrupted = 130

    /// For `--help`.
    static let meanings: [CommandSpec.ExitCode] = [
        .init(0, "done"),
        .init(1, "the vehicle refused, or the flight check failed"),
        .init(2, "wrong usage or bad input"),
        .init(3, "no link: unreachable, authentication, host key, companion or ROS"),
        .init(4, "timed out"),
        .init(70, "internal error"),
        .init(130, "interrupted"),
    ]

    init(_ error: LinkError) {
        self =
            switch error.code {
            case .invalidInput, .unsupported: .usage
            case .timedOut: .timedOut
            case .cancelled: .interrupted
            case .internalFault: .internalError
            case .unreachable, .authentication, .hostKeyUnknown, .hostKeyChanged, .notConnected, .closed,
                .versionMismatch, .protocolViolation, .companionUnavailable, .rosMasterUnreachable, .serviceMissing,
                .typeMismatch, .remoteFailed:
                .noLink
            }
    }

    init(_ failure: FlightInteractor.Failure) {
        self =
            switch failure {
            case .link(let error): ExitCode(error)
            case .refused: .refused
            case .noEffect: .timedOut
            }
    }
}
