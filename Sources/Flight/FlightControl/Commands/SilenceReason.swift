package import UAVLink

extension UAVLink {
    /// Why no telemetry comes from the vehicle, as far as the link or the companion knows it: a companion that does not reach the vehicle's
    /// ROS answers questions with the reason.
    ///
    /// - Parameter timeout: for that answer. Nothing is sent to the vehicle that changes it.
    /// - Returns: `nil` if nobody says why.
    package func reasonOfSilence(within timeout: Duration) async -> LinkError? {
        if let fault = quality.telemetryFault { return fault }
        guard !kind.runsPrograms, let survey = capabilities.survey else { return nil }
        do throws(LinkError) { _ = try await survey.flightEnvelope(within: timeout) } catch {
            switch error.code {
            case .rosMasterUnreachable, .companionUnavailable, .notConnected, .serviceMissing, .typeMismatch:
                return error
            // Of others it is not known whether the question or the vehicle is the reason.
            default: return nil
            }
        }
        return nil
    }
}
