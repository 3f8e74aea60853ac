import CommandLineKit
import FlightControl
import UAVLink
import VehicleAccess

/// `uavlink eland`
enum EmergencyLandCommand: Subcommand {
    static let agree = Argument.flag("yes", help: "stop the motors of a machine that then falls, without asking")

    static let spec = CommandSpec(
        "eland", summary: "emergency: descend at once; a Tello or an AR.Drone stops its motors and falls",
        discussion: """
            A vehicle that descends is never asked about, and its control output cannot be switched on again until the flight
            stack is restarted. A machine that stops its motors instead (a Tello, an AR.Drone) falls: this asks first, and without
            a terminal it needs --yes. 'uavlink hover' stops it without a fall, 'uavlink land' lands it.
            """,
        arguments: [agree, FlightOptions.wait])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        try await session.withLink { link in
            let user = TerminalUser.ifPresent
            let consent = FallConsent.toEmergencyLand(
                link.vehicleCapabilities, isAgreed: try arguments[agree], hasTerminal: user != nil)
            switch (consent, user) {
            case (.given, _): break
            case (.asked, let user?): try await ask(user, session.connector.target)
            case (.asked, nil), (.missing, _):
                throw CommandFailure(
                    "its motors would stop and it would fall, and there is no terminal for the confirmation",
                    hint: "confirm with --yes; 'uavlink hover' stops it without a fall", code: .usage, ofVehicle: true)
            }
            return try await fly(.emergencyLand, arguments, over: link, in: session)
        }
    }

    /// - Parameter target: the vehicle and where it is.
    private static func ask(_ user: TerminalUser, _ target: String) async throws {
        let isConfirmed = await user.agrees(
            to: "\(target): the motors stop at once: it FALLS.", "Stop the motors?")
        try Task.checkCancellation()
        guard isConfirmed else {
            throw CommandFailure(
                "stopping the motors was not confirmed", hint: "'uavlink land' lands it", code: .usage, ofVehicle: true)
        }
    }
}
