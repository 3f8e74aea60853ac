package import FlightControl
package import FlightVolume
package import Geodesy
internal import UAVLink

/// A route that is planned in a world: the one that the user opened, that of the selected vehicle's profile, or the vehicle's own.
@MainActor
package protocol RouteInWorld: EditedRoute {
    /// The vehicles.
    var fleet: Fleet { get }
    /// Where world files are read.
    var files: any FileAccess { get }
    /// The vehicles' controllers and the world, which all routes share.
    var flights: RouteFlights { get }
    /// Where frames lie; `nil` while that is not known.
    var session: WorldSession? { get }
    /// Where flight is allowed; `nil` while that is not known.
    var volume: FlyableVolume? { get }
    /// What is wrong with the set-up, in one line; `nil` when nothing is.
    var worldProblem: String? { get }
    /// Applies the set-up again.
    func refreshWorld()
}

extension RouteInWorld {
    /// What the world is made from.
    package var setup: WorldSetup {
        get { flights.setup }
        set { flights.setup = newValue }
    }

    /// Compares the worlds of the set-up: what was found for one screen is known on the others.
    package var comparison: WorldComparison { flights.comparison }

    /// The world that routes are checked in now. Without one that can be used, and until a vehicle that was just selected has answered where
    /// its world lies, what was sent stays checked in the one of that time.
    package var presentWorld: PresentWorld? {
        guard worldProblem == nil, flights.hasNoOriginOfOther(than: fleet.selectedID), let session else { return nil }
        return PresentWorld(volume: volume, findings: comparison.known(setup, session))
    }

    /// Takes what was read of the selected vehicle's world before; nothing of another vehicle's counts for it.
    package func takeKnownWorld() {
        setup.ownWorld = flight?.ownWorld ?? .notAsked
        let id = fleet.selectedID
        // Another one started elsewhere.
        if flights.localOriginVehicle != id { setup.localOrigin = nil }
        if flights.originVehicle != id, let origin = flight?.envelope?.worldOrigin,
            (try? WorldSession(vehicle: origin)) != nil
        {
            (setup.vehicleOrigin, flights.originVehicle) = (origin, id)
        }
        refreshWorld()
    }

    /// Reads a world file, which from then on counts for all routes.
    ///
    /// - Throws: ``FileAccessError`` for a file that cannot be read or is not a world file.
    package func openWorld(_ path: String) async throws(FileAccessError) {
        var read = setup
        try await read.readWorldFile(path, from: files)
        // The set-up may have been changed meanwhile.
        setup.takeWorldFile(of: read)
        setup.typed = nil
        refreshWorld()
    }

    /// Forgets the world file that the user opened: that of the profile counts again, or the vehicle's own world.
    ///
    /// - Throws: ``FileAccessError`` as `openProfileWorld()`.
    package func closeWorld() async throws(FileAccessError) {
        setup.forgetWorldFile()
        refreshWorld()
        try await openProfileWorld()
    }

    /// Reads the world file that the selected vehicle's profile names, unless the user opened one; that of another vehicle's profile is
    /// forgotten.
    ///
    /// - Throws: ``FileAccessError`` for a file that cannot be read or is not a world file; the vehicle's own world then counts.
    package func openProfileWorld() async throws(FileAccessError) {
        guard setup.worldFile == nil || setup.isWorldOfProfile else { return }
        let path = fleet.selected?.worldFilePath
        guard path != setup.profileWorldName else { return }
        setup.forgetWorldFile()
        defer { refreshWorld() }
        guard let path else { return }
        var read = setup
        try await read.readWorldFile(path, isOfProfile: true, from: files)
        // The user may have opened one meanwhile, or selected another vehicle.
        guard setup.worldFile == nil, path == fleet.selected?.worldFilePath else { return }
        setup.takeWorldFile(of: read)
    }

    /// That the selected vehicle's own world is an earlier one, since the last question for it failed, in one line; `nil` if it is not.
    package var earlierWorld: String? { flight?.ownWorld.file?.outdated }
}
