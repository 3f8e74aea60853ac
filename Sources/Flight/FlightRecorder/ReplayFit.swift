internal import MRSMessages
package import UAVLink

extension FlightReplay {
    /// Why a recording cannot be replayed to a vehicle; `nil` if it can: both are of one kind, simulated or not.
    ///
    /// An older recording does not say what it was made of; one of a machine with its own protocol shows that by its links.
    ///
    /// - Parameter path: the recording's file, for the message.
    package static func refusal(
        of log: FlightLog, path: String, for vehicle: VehicleCapabilities
    ) -> LinkError? {
        let kind = VehicleCapabilities.model(of: vehicle.machine)
        let recorded: String
        if let other = log.machines.first(where: { VehicleCapabilities.model(of: $0) != kind }) {
            recorded = "another machine (\(other.sanitizedLine))"
        } else if log.machines.isEmpty, log.usesLink(LinkKind.direct.rawValue) {
            recorded = "a machine with its own protocol"
        } else {
            return nil
        }
        let other = vehicle.machine.sanitizedLine
        return LinkError(
            .unsupported,
            "'\(path.sanitizedLine)' is a recording of \(recorded) and cannot be replayed to a \(other)",
            hint: "without --replay it is shown")
    }
}

extension FlightLog {
    fileprivate func usesLink(_ name: String) -> Bool {
        commands.contains { $0.message.link == name } || setpoints.contains { $0.link == name }
    }
}
