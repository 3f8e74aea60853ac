internal import UAVLink

extension FlightInteractor {
    /// Clears the emergency of a machine whose take-off does only that while it is in one.
    ///
    /// - Throws: ``Failure``; `refused` if it is in none, in which case nothing is sent: the take-off would be one.
    package func clearEmergency() async throws(Failure) {
        guard link.latestTelemetry?.flight?.value.state == .emergency else {
            throw .link(
                LinkError(.invalidInput, "it is in no emergency any more: nothing was sent", hint: "take off again"))
        }
        let reply = try await ask(.takeoff)
        let isOver = try await seen(within: limits.stepEffectTimeout) { telemetry -> Bool? in
            telemetry.flight.map { $0.value.state != .emergency && $0.value.state != .unknown } == true ? true : nil
        }
        guard isOver != true else { return }
        throw .refused(command: "to clear the emergency", message: reply.message)
    }
}
