public import UAVLink

/// What a ground asks a companion beside commands: nothing of it moves the vehicle.
public enum SurveyQuestion: Hashable, Sendable {
    /// What does the vehicle allow, and where does its world lie?
    case flightEnvelope
    /// Which maps are there?
    case maps
    /// Give me one of them.
    case map(MapRequest)

    /// What it is about, for messages to people.
    public var name: String {
        switch self {
        case .flightEnvelope: "what the vehicle allows"
        case .maps: "the vehicle's maps"
        case .map(let request): "the map '\(request.topic.harmlessLine)'"
        }
    }

    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` that names the value.
    func validate() throws(LinkError) {
        if case .map(let request) = self { try request.validate() }
    }
}

/// The answer to a ``SurveyQuestion`` of the same case.
public enum SurveyAnswer: Hashable, Sendable {
    /// What the vehicle allows, and where its world lies.
    case flightEnvelope(FlightEnvelope)
    /// The maps; at most ``UAVLink/MapOffer/mostOffers`` are told.
    case maps([MapOffer])
    /// A PCD file.
    case map([UInt8])
}
