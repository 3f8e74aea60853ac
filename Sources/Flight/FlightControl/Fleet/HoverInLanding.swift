package import UAVLink

/// Finds the vehicles that land on although a hover was accepted: uav_core accepts it in every landing, and lands on below 2 m.
///
/// Made when the hover begins; ``FlightInteractor`` does the same for the command line, where it waits for the effect.
@MainActor
package struct HoverInLanding {
    /// uav_core ends a landing, and its telemetry shows that, within half a second (real flight stack).
    static let delay: Duration = .milliseconds(1500)
    /// Telemetry over SSH is a few seconds old.
    private static let patience: Duration = .seconds(5)
    private static let pause: Duration = .milliseconds(250)

    private let fleet: Fleet
    private let targets: [LoggedInVehicle]
    private let landing: Set<Int>
    private let number: Int

    /// - Parameters:
    ///   - command: what begins; only a hover is followed up.
    ///   - targets: the vehicles that it goes to.
    package init(_ command: Command, on targets: [LoggedInVehicle], of fleet: Fleet) {
        self.fleet = fleet
        self.targets = targets
        number = fleet.commandsBegun
        let now = fleet.clock.now
        let landing = targets.filter { command == .hover && $0.flightStatus(now: now)?.state == .landing }
        self.landing = Set(landing.map(\.id))
    }

    /// Whether no vehicle was landing.
    package var isEmpty: Bool { landing.isEmpty }

    /// Waits for telemetry from after the hover.
    ///
    /// - Parameter answers: the answers of all targets, in their order.
    /// - Returns: the vehicles that accepted it and land on; none if a newer command has begun meanwhile.
    package func landingOn(after answers: [Notice]) async -> [LoggedInVehicle] {
        let accepted = zip(targets, answers).filter { landing.contains($0.id) && $1.weight == .success }.map(\.0)
        guard !accepted.isEmpty else { return [] }
        let answered = fleet.clock.now
        do {
            try await fleet.clock.sleep(for: Self.delay)
            while fleet.clock.now < answered + Self.delay + Self.patience, fleet.commandsBegun == number,
                accepted.contains(where: { !isKnown($0, since: answered) })
            {
                try await fleet.clock.sleep(for: Self.pause)
            }
        } catch { return [] }
        guard fleet.commandsBegun == number else { return [] }
        return accepted.filter {
            isKnown($0, since: answered) && $0.flightStatus(now: fleet.clock.now)?.state == .landing
        }
    }

    /// Whether telemetry says what the vehicle did after the answer.
    private func isKnown(_ vehicle: LoggedInVehicle, since answered: MonotonicTime) -> Bool {
        guard let flight = vehicle.link.latestTelemetry?.flight else { return false }
        return flight.at >= answered + .seconds(1)
    }
}
