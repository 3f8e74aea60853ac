public import UAVLink

/// A request of the ground to the companion besides commands; it is not forwarded to the vehicle.
public enum SurveyQuestion: Hashable, Sendable {
    /// The vehicle's limits and the origin of its world frame.
    case flightEnvelope
    /// The list of maps.
    case maps
    /// One of the maps.
    case map(MapRequest)
    /// A request for, or release of, control authority.
    case control(ControlAuthorityRequest)
    /// The vehicle's own world; with the fingerprint of the one that the ground has, 0 for none.
    case world(known: UInt64)

    /// The subject of the question, for messages.
    public var name: String {
        switch self {
        case .flightEnvelope: "the vehicle's limits"
        case .maps: "the vehicle's maps"
        case .map(let request): "the map '\(request.topic.sanitizedLine)'"
        case .control: "control"
        case .world: "the vehicle's world file"
        }
    }

    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` and the invalid value.
    package func validate() throws(LinkError) {
        switch self {
        case .flightEnvelope, .maps, .world: break
        case .map(let request): try request.validate()
        case .control(let request): try request.validate()
        }
    }
}

/// The answer to a ``SurveyQuestion`` of the same case.
public enum SurveyAnswer: Hashable, Sendable {
    /// The vehicle's limits and the origin of its world frame.
    case flightEnvelope(FlightEnvelope)
    /// The maps; at most ``UAVLink/AvailableMap/maximumAvailableMaps``.
    case maps([AvailableMap])
    /// A PCD file.
    case map([UInt8])
    /// Whether it was granted, and otherwise who has control authority.
    case control(CommandReply)
    /// The vehicle's own world, or why it is not known.
    case world(VehicleWorld)
}
