import CommandLineKit
import FlightControl
import UAVLink
import VehicleAccess

/// `uavlink disarm`
enum DisarmCommand: Subcommand {
    static let force = Argument.flag(
        "force", help: "also in flight: the vehicle falls; asks for the vehicle's name as confirmation")

    static let spec = CommandSpec(
        "disarm", summary: "stop the motors on the ground",
        discussion: """
            A vehicle that is not known to stand on the ground is not disarmed, since it would fall: land it, by radio if it
            is flown by radio. For a vehicle that is out of control, --force stops its motors anyway.
            """,
        arguments: [force, FlightOptions.wait])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        try await session.withLink { link in
            // A machine without arming: what is said below is for those that have it.
            if let refusal = link.vehicleCapabilities.refusal(
                of: .arm(false), vehicle: session.connector.profile.vehicle)
            {
                throw refusal
            }
            let flight = FlightInteractor(FlightDependency(link: link, clock: session.clock), limits: session.limits)
            if let danger = try await flight.disarmingDanger() {
                guard try arguments[force] else {
                    // Without a terminal --force would be refused, too.
                    let way = TerminalUser.ifPresent == nil ? "--force, at a terminal," : "--force"
                    throw CommandFailure(
                        "\(danger.words): without its motors it falls",
                        hint: "\(danger.advice); \(way) stops the motors anyway", code: .refused, ofVehicle: true)
                }
                try await confirm(danger, session.connector.profile.vehicle, session.connector.target)
            }
            return try await fly(.arm(false), arguments, over: link, in: session)
        }
    }

    /// - Parameter target: the vehicle and where it is, which the user must know before typing its name.
    private static func confirm(_ danger: DisarmingDanger, _ vehicle: String, _ target: String) async throws {
        guard let user = TerminalUser.ifPresent else {
            throw CommandFailure(
                "\(danger.words): without its motors it falls, and there is no terminal for the confirmation",
                hint: "\(danger.advice); to stop its motors anyway, run this at a terminal and type '\(vehicle)'",
                code: .usage, ofVehicle: true)
        }
        let isConfirmed = await user.types(vehicle, to: "\(target): \(danger.words): without its motors it falls.")
        try Task.checkCancellation()
        guard isConfirmed else {
            throw CommandFailure("disarming was not confirmed", hint: danger.advice, code: .usage, ofVehicle: true)
        }
    }
}
