internal import FlightControl
internal import FlightRecorder
internal import UAVLink
internal import VehicleAccess

/// The recordings of the vehicles.
extension WorkspaceInteractor {
    /// Whether the selected vehicle is recorded.
    var isRecorded: Bool { fleet.selected.flatMap { recordings?.file(of: $0.profile.vehicle) } != nil }

    /// The recordings of all vehicles that run now: `the recording of uav1 to flight.bag`.
    var openRecordings: [String] {
        fleet.vehicles.compactMap { vehicle in
            recordings?.file(of: vehicle.profile.vehicle).map {
                "the recording of \(vehicle.title.sanitizedLine) to \($0.sanitizedLine)"
            }
        }
    }

    /// Starts to record the selected vehicle.
    func record(at path: String) -> Notice {
        guard let vehicle = fleet.selected else { return Notice(.warning, "no vehicle is logged in") }
        guard let recordings else { return Notice(.warning, "this program has no recordings") }
        do {
            let file = try recordings.start(vehicle.profile.vehicle, at: path.isEmpty ? "." : path)
            return Notice(.success, "\(vehicle.title) is recorded to \(file)")
        } catch {
            return Notice(.error, error.description)
        }
    }

    /// Ends the recording of the selected vehicle.
    func stopRecording() async -> Notice {
        guard let vehicle = fleet.selected, let outcome = await recordings?.stop(vehicle.profile.vehicle) else {
            return Notice(.warning, "no recording is running")
        }
        if let failure = outcome.failure { return Notice(.error, "the recording \(outcome.path) stopped: \(failure)") }
        let lost = outcome.dropped > 0 ? "; \(outcome.dropped) dropped (buffer full)" : ""
        return Notice(.success, "recorded \(outcome.messages) messages in \(outcome.path)\(lost)")
    }
}
