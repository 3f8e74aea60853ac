import Testing
import UAVLink

/// What a test of the contract needs; a link or a vehicle that does not promise it is skipped, with the reason.
struct Need: Sendable {
    /// Of the vehicle.
    var vehicle = VehicleRequirement()
    /// Of the link.
    var link: [LinkNeed] = []

    /// A capability of a link.
    enum LinkNeed: String, Sendable {
        case survey = "queries"
        case bulk = "progress of long commands"

        func isPresent(in link: any UAVLink) -> Bool {
            switch self {
            case .survey: link.capabilities.survey != nil
            case .bulk: link.capabilities.bulk != nil
            }
        }
    }

    /// Nothing that every vehicle does not have.
    static let nothing = Need()
    /// That it says what it is doing.
    static let flightState = Need(vehicle: .init(telemetry: .flight))
    /// That it hovers on command, as each vehicle that can be stopped does.
    static let hover = Need(vehicle: .init(commands: .hover))
    /// That it takes off and lands, and says so.
    static let flight = Need(vehicle: .init(commands: [.takeoff, .land], telemetry: [.flight, .velocity]))
    /// That it answers questions about itself.
    static let envelope = Need(vehicle: .init(survey: [.limits, .worldOrigin]), link: [.survey])
    /// That it says where it may fly.
    static let world = Need(vehicle: .init(survey: .worldFile), link: [.survey])
    /// That it has maps.
    static let maps = Need(vehicle: .init(survey: .maps), link: [.survey])
    /// That it takes pictures.
    static let snapshots = Need(vehicle: .init(commands: .snapshot))
    /// That it loads trajectories, from where it is.
    static let trajectories = Need(
        vehicle: .init(commands: [.takeoff, .land, .uploadTrajectory], telemetry: [.flight, .pose]), link: [.bulk])
    /// That it goes to a place and knows where it is.
    static let places = VehicleRequirement(commands: [.goTo, .hover], telemetry: [.pose, .velocity])

    /// What a link lacks of it; `nil` if nothing.
    func lack(of link: any UAVLink) -> String? {
        let missing = self.link.filter { !$0.isPresent(in: link) }.map(\.rawValue)
        return missing.isEmpty ? nil : "the link has no \(missing.joined(separator: ", no "))"
    }
}
