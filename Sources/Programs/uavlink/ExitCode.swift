import FlightControl
import CommandLineKit
import ProgramKit
import UAVLink

/// The program's exit code.
struct ExitCode: Hashable {
    /// One of the values below, or the exit status of a shell on the vehicle.
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    static let done = Self(rawValue: 0)
    static let refused = Self(rawValue: 1)
    static let usage = Self(rawValue: 2)
    static let noLink = Self(rawValue: 3)
    static let timedOut = Self(rawValue: 4)
    static let internalError = Self(rawValue: 70)
    /// The same as of results on standard output.
    static let unwritten = Self(rawValue: OutputFailure.exitCode)
    static let interrupted = Self(rawValue: 130)

    /// For `--help`.
    static let meanings: [CommandSpec.ExitCode] = [
        .init(0, "done"),
        .init(
            1,
            "the vehicle refused, another pilot has control authority or ended the command, or the flight check failed"),
        .init(2, "usage error or invalid input"),
        .init(3, "no link: unreachable, authentication, host key, companion or ROS"),
        .init(4, "timed out"),
        .init(70, "internal error"),
        .init(74, "the results could not be written"),
        .init(130, "interrupted; 143 when by SIGTERM"),
    ]

    init(_ error: LinkError) {
        self =
            switch error.code {
            case .invalidInput, .unsupported: .usage
            case .timedOut: .timedOut
            case .notInCommand: .refused
            case .cancelled: .interrupted
            case .internalFault: .internalError
            case .unreachable, .authentication, .hostKeyUnknown, .hostKeyChanged, .notConnected, .closed,
                .versionMismatch, .protocolViolation, .companionMissing, .companionUnavailable, .rosMasterUnreachable,
                .serviceMissing, .typeMismatch, .remoteFailed:
                .noLink
            }
    }

    init(_ failure: FlightInteractor.Failure) {
        self =
            switch failure {
            case .link(let error): ExitCode(error)
            case .refused: .refused
            case .noEffect: .timedOut
            case .cancelled: .refused
            }
    }
}
