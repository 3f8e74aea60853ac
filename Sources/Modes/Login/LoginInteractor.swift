internal import FlightControl
internal import UAVLink
internal import VehicleAccess

/// Logs in to vehicles and lists the known ones.
@MainActor
package final class LoginInteractor {
    /// The dependencies of log-in attempts.
    struct Parts {
        let fleet: Fleet
        let opener: any VehicleOpener
        let store: any ProfileStore
        /// Installs the companion; `nil` if that is not offered.
        let installer: (any CompanionInstaller)?
        let timeSource: any TimeSource
        let timeout: Duration
    }

    private let parts: Parts
    private let companions: @Sendable () async -> [String]

    init(_ parts: Parts, companions: @escaping @Sendable () async -> [String]) {
        self.parts = parts
        self.companions = companions
    }

    /// Reads the configuration with the saved vehicles.
    func configuration() async -> Result<Configuration, LinkError> {
        do {
            return .success(try await parts.store.read())
        } catch {
            return .failure(error)
        }
    }

    /// The vehicles whose companions run on this machine.
    func localVehicles() async -> [String] { await companions() }

    /// Whether the user is logged in to a vehicle.
    var hasVehicles: Bool { !parts.fleet.vehicles.isEmpty }

    /// Selects the requested vehicle if the user is already logged in to it.
    ///
    /// - Returns: that vehicle; `nil` when there is none.
    func selectLoggedIn(_ request: LoginRequest) -> LoggedInVehicle? {
        let wanted = request.profile
        let found = parts.fleet.vehicles.first { present in
            let profile = present.profile
            return profile.host == wanted.host && profile.port == wanted.port && profile.vehicle == wanted.vehicle
                && (present.link.kind == .sim) == (wanted.link == .only(.sim))
                && profile.link.machine == wanted.link.machine
        }
        if let found { parts.fleet.select(found.id) }
        return found
    }

    /// Waits; `false` when it was cancelled.
    func pause(_ duration: Duration) async -> Bool { await parts.timeSource.pause(duration) }

    /// Creates an attempt without starting it.
    func attempt(_ request: LoginRequest, tell: @escaping (LoginEvent) -> Void) -> LoginAttempt {
        LoginAttempt(request, parts, tell: tell)
    }
}
