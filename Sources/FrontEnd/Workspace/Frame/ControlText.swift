internal import FlightControl
internal import UAVLink

/// Who has control of a vehicle, in a word or two: never what the vehicle does.
@MainActor
enum ControlText {
    /// The pilot with control authority and for how long, or who else moves the vehicle.
    ///
    /// - Parameters:
    ///   - authority: who has control authority; `nil` without a vehicle.
    ///   - isSteered: whether the open screen steers the vehicle.
    static func who(
        _ authority: WorkspaceInteractor.ControlAuthorityState?, isSteered: Bool, _ snapshot: VehicleSnapshot
    ) -> String {
        let pilot = snapshot.telemetry?.control?.value.pilot
        // Since when the link is lost, and what happened meanwhile, is not known.
        guard snapshot.quality.isConnected else {
            return pilot.map { "was \($0.isYou ? "you" : $0.name.sanitizedLine)" } ?? unknown
        }
        if let status = snapshot.telemetry?.control, let pilot {
            let held = WorkspacePresenter.age(max(.zero, status.at - pilot.since))
            return pilot.isYou ? "you, \(held)" : "\(pilot.name.sanitizedLine), \(held)"
        }
        switch authority {
        case nil, .unknown: return unknown
        case .undecided where isSteered: return "you"
        // Without a companion only its telemetry shows whether a pilot flies it by radio.
        case .undecided where snapshot.telemetry?.flight == nil: return unknown
        case .undecided, .unclaimed, .yours, .another:
            return snapshot.telemetry?.isFlownByRadio(now: snapshot.now) == true ? "radio" : "nobody"
        }
    }

    private static let unknown = "-"
}
