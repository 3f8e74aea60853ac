import CommandLineKit
import ReportKit
import SSHTransport
import Secrets
import Tello
import UAVLink
import VehicleAccess

/// `uavlink station`
enum StationCommand: Subcommand {
    static let network = Argument.parameter(
        "SSID", ValueKind.text.called("SSID"), help: "the name of the Wi-Fi network")

    static let spec = CommandSpec(
        "station", summary: "let a Tello join a Wi-Fi network, in place of having its own",
        discussion: """
            For a Tello EDU and a RoboMaster TT that stand on the ground: the drone restarts, and is then found at an address of
            that network, which the router shows. Several of them are flown by one program so. Its passphrase is asked for on a
            terminal, or is the first line of --password-file; it is not shown. The drone's power button, held for five seconds,
            gives it its own Wi-Fi back. A Tello EDU sends no video as a station.
            """,
        arguments: [network],
        leftOut: [
            VehicleOptions.host, VehicleOptions.port, VehicleOptions.user, VehicleOptions.identity,
            VehicleOptions.acceptNewHostKey, VehicleOptions.record, VehicleOptions.format, VehicleOptions.ros,
            VehicleOptions.router, VehicleOptions.routerCA, VehicleOptions.domain,
        ],
        examples: [.init("uavlink --link tello://192.168.10.1 station field-wifi", "asks for the passphrase")])

    /// It answers at once, and restarts three seconds later.
    private static let answer: Duration = .seconds(5)
    /// The flight state, without which it is not known to stand, comes ten times a second.
    private static let firstState: Duration = .seconds(3)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let name = try arguments[network]
        guard session.connector.profile.link.machine?.kind == .tello else {
            throw CommandFailure(
                "only a Tello joins a network so", hint: "--link tello://192.168.10.1", code: .usage)
        }
        let secret = try await session.connector.credentials.secret(for: "passphrase of the network \(name):")
        try Task.checkCancellation()
        guard let secret else {
            throw CommandFailure(
                "the passphrase of the network is not known",
                hint: "run it on a terminal, or give a file that only you can read: --password-file FILE", code: .usage)
        }
        let joined = try TelloNetwork(name: name, passphrase: secret.withBytes { SecretBytes($0) })
        return try await session.withLink { link in
            guard let tello = session.connector.machineLink as? TelloLink else {
                throw CommandFailure("the link is not to a Tello", code: .internalError)
            }
            let end = session.clock.now + firstState
            while link.latestTelemetry?.flight?.value.state ?? .unknown == .unknown, session.clock.now < end {
                try await session.clock.sleep(for: .milliseconds(50))
            }
            let reply = try await tello.perform(.join(joined), ofPlan: nil, within: answer)
            guard reply.accepted else {
                throw CommandFailure(
                    "the Tello does not join '\(name.sanitizedLine)': \(reply.message)", code: .refused, ofVehicle: true
                )
            }
            session.console.result([
                "ok": true, "network": .string(name), "target": .string(session.connector.target),
            ])
            session.console.result(
                "\(session.connector.target) restarts and joins '\(name.sanitizedLine)'; the router shows its address there, for: "
                    + "uavlink --link tello://ADDRESS status")
            return .done
        }
    }
}
