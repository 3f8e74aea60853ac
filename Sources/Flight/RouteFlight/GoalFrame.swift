package import FlightControl
internal import Geodesy
package import UAVLink

/// Where a goto in a named frame leads, so that the vehicle's pose can be compared with it.
package enum GoalFrame {
    /// How long the origin of the vehicle's world is asked for, once the goal was accepted.
    private static let originTimeout: Duration = .seconds(5)

    /// An origin that was computed from a satellite fix is as accurate as the fix, metres.
    private static let satelliteTolerance = 3.0

    /// Where a goto leads, by the origin of the vehicle's own world where its frame needs it.
    ///
    /// - Returns: `nil` if the command says all itself, or if the place of its frame is not known.
    package static func destination(of command: Command, over link: any UAVLink) async -> KnownDestination? {
        guard case .goTo(let goal) = command, case .frame(let frame) = goal.reference, frame != .current else {
            return nil
        }
        var origin: FlightEnvelope.WorldOrigin?
        switch bare(frame) {
        case .latitudeLongitude, .utm:
            origin = try? await link.capabilities.survey?.flightEnvelope(within: originTimeout).worldOrigin
        default: break
        }
        return destination(goal, frame: frame, origin: origin)
    }

    /// The same with a known origin of the world.
    package static func destination(
        _ goal: Command.Destination, frame: FrameName, origin: FlightEnvelope.WorldOrigin?
    ) -> KnownDestination? {
        let name = bare(frame)
        let world = WorldPosition(session: origin.flatMap { try? WorldSession(vehicle: $0) })
        let inFrame = Pose(frame: name, positionMetres: goal.position, headingRadians: goal.headingRadians)
        if let place = world.position(of: inFrame) {
            let isGlobal = name == .latitudeLongitude || name == .utm
            return KnownDestination(
                positionMetres: place,
                toleranceMetres: isGlobal && origin?.source == .satelliteFix ? satelliteTolerance : nil
            ) { world.position(of: $0) }
        }
        // A frame whose place in the world is not known: only a pose in the same frame can be compared.
        guard name != .latitudeLongitude, name != .utm else { return nil }
        return KnownDestination(positionMetres: goal.position) { pose in
            bare(pose.frame) == name ? pose.positionMetres : nil
        }
    }

    /// Without the vehicle's name: `uav1/world_origin` becomes `world_origin`.
    private static func bare(_ frame: FrameName) -> FrameName {
        FrameName(frame.name.split(separator: "/").last.map(String.init) ?? "")
    }
}
