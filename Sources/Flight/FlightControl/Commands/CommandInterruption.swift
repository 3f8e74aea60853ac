package import UAVLink

/// What a user must know who stops waiting for a command: the vehicle goes on with it.
package struct CommandInterruption: Hashable, Sendable {
    /// What the vehicle does.
    package let what: String
    /// What stops or lands it, with the same options: without them another vehicle may be meant. `nil` for a command that does so itself.
    package let hint: String?

    /// The interruption of a wait for a command that the vehicle has accepted.
    ///
    /// - Parameter error: what ended the wait; for all but its cancellation there is no interruption.
    package init?(_ error: any Error, of command: Command) {
        switch error {
        case is CancellationError: break
        case let error as LinkError where error.code == .cancelled: break
        case FlightInteractor.Failure.link(let error) where error.code == .cancelled: break
        default: return nil
        }
        what = "interrupted: the vehicle goes on with '\(command.name)', which it has accepted"
        guard !command.stopsOrLands else {
            hint = nil
            return
        }
        // Early in a take-off, MRS's stack hovers with its motors on the ground.
        hint = command == .takeoff ? "'land' with the same options lands it" : "'hover' with the same options stops it"
    }
}
