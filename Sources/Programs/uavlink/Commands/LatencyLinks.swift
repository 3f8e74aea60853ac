import CommandLineKit
import LatencyLabMode
import LatencyMeasurement
import ReportKit
import UAVLink
import VehicleAccess

/// Which links `uavlink latency` compares, and how fast they steer.
extension LatencyCommand {
    static let peer = Argument.option(
        "peer", server,
        help:
            "also measure the rosbridge server there, beside the vehicle's ROS master, as link rosbridge; port 9090 unless given"
    )

    private static let server = ValueKind<ROSBridgeAddress>(placeholder: "rosbridge://HOST[:PORT]") {
        text throws(ValueError) in
        guard let address = ROSBridgeAddress(text) else {
            throw ValueError(expected: "the address of a rosbridge server, such as rosbridge://192.168.69.101:9090")
        }
        return address
    }

    /// The links to measure: those that were asked for, else all that the vehicle can offer; the others are named, unless
    /// it is simulated.
    static func measuredLinks(
        _ arguments: ParsedCommand, in session: CommandSession
    ) throws -> [MeasuredLink] {
        let wanted = try withPeer(try self.links(try arguments[links]), arguments, in: session)
        guard !arguments.isGiven(links) else { return wanted }
        return wanted.filter { link in
            let obstacle = LatencyChoices.obstacle(to: link, session.connector.profile)
            // Nobody expects them of a vehicle that is simulated.
            if let obstacle, !session.connector.profile.isSimulatedOnly {
                session.console.progress("\(link.rawValue) is left out: \(obstacle)")
            }
            return obstacle == nil
        }
    }

    /// With the rosbridge server, if one was named; at the end unless the list of links has it.
    private static func withPeer(
        _ links: [MeasuredLink], _ arguments: ParsedCommand, in session: CommandSession
    ) throws -> [MeasuredLink] {
        let isNamed = links.contains(.rosbridge)
        guard let address = try arguments[peer] else {
            guard !isNamed else {
                throw UsageError(
                    "no rosbridge server was named for the link rosbridge",
                    hint: "give it with --peer \(ROSBridgeAddress.prefix)HOST[:PORT]")
            }
            return links
        }
        let profile = session.connector.profile
        if let obstacle = LatencyChoices.obstacle(to: .rosbridge, profile) {
            throw UsageError(
                "\(address.text) means nothing here: \(obstacle)",
                hint: profile.isSimulatedOnly ? "name a vehicle with --host or --vehicle" : "leave out --peer")
        }
        return isNamed ? links : links + [.rosbridge]
    }
}
