internal import Geodesy
internal import UAVLink

extension MapAnswerParser {
    /// The examples of a prompt, without those that would be refused here: some need the world's origin, the ground or
    /// home.
    func hint(_ kind: MapPromptKind) -> String {
        kind.words.hint.split(separator: ", ").map(String.init).filter { isAccepted($0, kind) }.joined(separator: ", ")
    }

    private func isAccepted(_ example: String, _ kind: MapPromptKind) -> Bool {
        switch kind {
        case .altitude, .missingAltitude: (try? z(example)) != nil
        case .goToPlace: (try? place(example)) != nil
        // Where the vehicle started is known to nobody here, mostly.
        case .missingFrame: example != FrameName.localOrigin.name || interactor.session?.localOrigin != nil
        default: true
        }
    }
}
