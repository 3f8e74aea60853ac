package import UAVLink

/// What a command needs before it makes a vehicle fall.
package enum FallConsent: Hashable, Sendable {
    /// Nothing: it does not fall, or the user has agreed. A command that stops or lands must not wait.
    case given
    /// The user at the terminal is asked.
    case asked
    /// Nobody can be asked: the command is refused.
    case missing

    /// What an emergency landing needs: of machines that stop their motors for it, consent.
    ///
    /// - Parameters:
    ///   - isAgreed: whether the user has agreed with the command itself.
    ///   - hasTerminal: whether there is a user who can be asked.
    package static func toEmergencyLand(
        _ capabilities: VehicleCapabilities, isAgreed: Bool, hasTerminal: Bool
    ) -> FallConsent {
        guard capabilities.emergencyStopsMotors, !isAgreed else { return .given }
        return hasTerminal ? .asked : .missing
    }
}
