internal import FlightControl
internal import RouteFlight
internal import UAVLink

/// A flight to the start of a route, as far as a screen watches it: where it ended is said once.
struct StartApproach {
    private struct Flight {
        var controller: ObjectIdentifier
        var since: MonotonicTime
        /// Whether it was stopped here: what ends then is no arrival.
        var isStopped = false
    }

    private var flight: Flight?

    /// The flight is stopped.
    mutating func stop() { flight?.isStopped = true }

    /// What is said when the flight has ended at the start; `nil`: nothing, also where it ended elsewhere or another vehicle is selected.
    ///
    /// - Parameter controller: that of the selected vehicle, after it has read the newest telemetry.
    @MainActor
    mutating func arrival(_ controller: RouteFlightController?) -> String? {
        guard let controller else {
            flight = nil
            return nil
        }
        let identifier = ObjectIdentifier(controller)
        if case .goingToStart(_, let since, _) = controller.state {
            if flight?.controller != identifier || flight?.since != since {
                flight = Flight(controller: identifier, since: since)
            }
            return nil
        }
        guard let ended = flight else { return nil }
        flight = nil
        guard ended.controller == identifier, !ended.isStopped, case .uploaded(_, let end) = controller.state,
            let position = controller.positionAtStart
        else { return nil }
        return Arrival(.arrived, positionMetres: position, duration: end - ended.since).text
    }
}
