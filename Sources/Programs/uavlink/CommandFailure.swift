import CommandLineKit
import Deployment
import FlightControl
import IndoorMode
import RouteFlight
import UAVLink

/// Why a subcommand failed: for the user, for scripts, and for the shell.
struct CommandFailure: Error {
    /// What happened, in one line.
    private(set) var what: String
    /// What to do about it, in one line; `nil` when there is nothing to say.
    private(set) var hint: String?
    let code: ExitCode
    /// The vehicle that it is about, as accepted answers name it: `uav1 on hexa1`; `nil` for a failure of this machine.
    private(set) var target: String?
    /// Whether it is about the vehicle: a refusal, or a flight that did not come to its end.
    private var isOfVehicle = false
    /// Whether it was interrupted where nothing more is known than that.
    private var isPlainInterruption = false

    init(_ what: String, hint: String? = nil, code: ExitCode, ofVehicle isOfVehicle: Bool = false) {
        let hint = hint.flatMap { $0.isEmpty ? nil : $0 }
        // A companion says both in one line.
        let parts = hint == nil ? ControlAuthorityClient.refusalAndAdvice(what) : nil
        (self.what, self.hint) = (parts?.refusal ?? what, parts?.advice ?? hint)
        self.code = code
        self.isOfVehicle = isOfVehicle
    }

    /// Any error that a subcommand throws while it commands a vehicle: what is about that names it.
    ///
    /// - Parameters:
    ///   - target: the vehicle and where it is.
    ///   - sending: how far a flight command came; `nil` for other subcommands.
    init(_ error: any Error, of target: String, sending: SentMark? = nil) {
        self.init(error)
        if isPlainInterruption { tellInterruption(sending) }
        if isOfVehicle { self.target = target }
    }

    /// Says in one plain sentence that the user interrupted it, in place of what each layer calls that; what a link says of a flight
    /// command that may have been sent is kept.
    private mutating func tellInterruption(_ sending: SentMark?) {
        guard Task.isCancelled else { return }
        if let sending {
            guard !sending.isSet else { return }
            (what, hint, isOfVehicle) = ("interrupted: nothing was sent", nil, true)
        } else if !what.contains("interrupted") {
            what = "interrupted"
        }
    }

    /// Any error that a subcommand throws.
    init(_ error: any Error) {
        switch error {
        case let failure as Self: self = failure
        case let error as UsageError: self.init(error)
        case let error as LinkError: self.init(error)
        case let failure as MapFailure:
            if case .link(let error) = failure {
                self.init(error)
            } else {
                let isOfVehicle = if case .noMap = failure { true } else { false }
                self.init(failure.description, code: ExitCode(failure), ofVehicle: isOfVehicle)
            }
        case let failure as DeploymentFailure:
            if case .link(let error) = failure {
                self.init(error)
            } else {
                self.init(failure.what, hint: failure.hint, code: .refused, ofVehicle: true)
            }
        case let failure as FlightInteractor.Failure:
            if case .link(let error) = failure {
                self.init(error)
            } else {
                self.init(failure.description, code: ExitCode(failure), ofVehicle: true)
            }
        // A file that was named and cannot be read, written or understood.
        case let error as FileAccessError: self.init(error.what, code: error.isUnwritten ? .unwritten : .usage)
        case is CancellationError:
            self.init("interrupted", code: .interrupted)
            isPlainInterruption = true
        default: self.init("\(error)", code: .internalError)
        }
    }

    /// All but errors of the input or of this program name the vehicle, those on the way to it too.
    init(_ error: LinkError) {
        let isOfVehicle =
            switch error.code {
            case .invalidInput, .unsupported, .internalFault: false
            default: true
            }
        self.init(error.what, hint: error.hint, code: ExitCode(error), ofVehicle: isOfVehicle)
        isPlainInterruption = error.code == .cancelled
    }

    init(_ error: UsageError) { self.init(error.what, hint: error.hint, code: .usage) }

    /// What is printed on standard error.
    var line: String { (target.map { "\($0): " } ?? "") + (hint.map { "\(what); \($0)" } ?? what) }
}
