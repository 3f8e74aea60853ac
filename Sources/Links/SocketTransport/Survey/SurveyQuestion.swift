public import UAVLink

/// What a ground asks a companion beside commands: nothing of it is told to the vehicle.
public enum SurveyQuestion: Hashable, Sendable {
    /// What does the vehicle allow, and where does its world lie?
    case flightEnvelope
    /// Which maps are there?
    case maps
    /// Give me one of them.
    case map(MapRequest)
    /// May I fly, or have it back.
    case control(ControlWish)

    /// What it is about, for messages to people.
    public var name: String {
        switch self {
        case .flightEnvelope: "what the vehicle allows"
        case .maps: "the vehicle's maps"
        case .map(let request): "the map '\(request.topic.harmlessLine)'"
        case .control: "control"
        }
    }

    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` that names the value.
    func validate() throws(LinkError) {
        switch self {
        case .flightEnvelope, .maps: break
        case .map(let request): try request.validate()
        case .control(let wish): try wish.validate()
        }
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
    /// Whether it was granted, and who has it otherwise.
    case control(CommandReply)
}
