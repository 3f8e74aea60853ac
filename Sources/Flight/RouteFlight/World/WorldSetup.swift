package import FlightVolume
package import Geodesy
internal import ReportKit
package import Trajectories
package import UAVLink

/// Where the vehicle's world lies and where in it flight is allowed, from user input, a world file or the vehicle, with an optional forced
/// UTM zone.
///
/// What the user gives has precedence over what the vehicle's profile names, and that over the vehicle's own world; differences that
/// matter give a warning.
package struct WorldSetup: Hashable, Sendable {
    /// An origin typed by the user.
    package struct TypedOrigin: Hashable, Sendable {
        /// Latitude and longitude.
        package var place: GeographicCoordinate
        /// Altitude of z = 0 above mean sea level, metres; `nil` if not given.
        package var altitudeMetres: Double?

        package init(place: GeographicCoordinate, altitudeMetres: Double? = nil) {
            self.place = place
            self.altitudeMetres = altitudeMetres
        }
    }

    /// The origin typed by the user.
    package var typed: TypedOrigin?
    package var worldFile: WorldFile?
    /// The world file's name, for display.
    package var worldFileName = ""
    /// Whether the vehicle's profile names the world file, and not the user.
    package var isWorldOfProfile = false
    /// The name of the profile's world file while it is used; `nil` without it.
    package var profileWorldName: String? { isWorldOfProfile ? worldFileName : nil }
    /// The vehicle's own world, which counts where no world file is given.
    package var ownWorld = OwnWorld.notAsked
    /// The origin reported by the vehicle.
    package var vehicleOrigin: FlightEnvelope.WorldOrigin?
    /// A UTM zone forced for the session.
    package var zone: UTMZone?
    /// Height of mean sea level above the ellipsoid there, metres.
    package var geoidSeparationMetres: Double?
    /// Altitude of z = 0 above mean sea level, metres, for a world file, which has none; `nil` if not given.
    package var worldAltitudeMetres: Double?
    /// Where the vehicle started, metres in `world_origin`; `nil` if not given.
    package var localOrigin: Vector3?
    /// z of the ground, metres in `world_origin`.
    package var groundZMetres: Double?

    /// Largest distance between two origins that counts as equal, metres.
    package static let maximumMismatchMetres = 1.0

    package init() {}

    /// The session; `nil` if no origin is known.
    ///
    /// - Throws: `GeodesyError` for an invalid origin, or a UTM origin without a zone.
    package func session() throws(GeodesyError) -> WorldSession? {
        var session: WorldSession
        if let typed {
            session = try WorldSession(typed: typed.place, altitudeMetres: typed.altitudeMetres, zone: zone)
        } else if let worldFile {
            let zone = try sessionZone()
            session = try ofWorldFile { () throws(GeodesyError) in try WorldSession(worldFile: worldFile, zone: zone) }
        } else if let vehicleOrigin {
            session = try WorldSession(vehicle: vehicleOrigin, zone: zone)
        } else if let own = ownWorld.file, let place = try? WorldSession(worldFile: own.world, zone: zone) {
            session = place
        } else {
            // An origin that the vehicle's file does not place on the globe is as if it named none.
            return nil
        }
        session.localOrigin = localOrigin
        session.altitudeMetres = session.altitudeMetres ?? worldAltitudeMetres
        // World files and most typed origins lack the altitude of z = 0; a vehicle in the same world knows it.
        if session.altitudeMetres == nil, let altitude = vehicleOrigin?.altitudeMetres, altitude.isFinite,
            let apart = try mismatchMetres(session), apart <= Self.maximumMismatchMetres
        {
            session.altitudeMetres = altitude
        }
        return session
    }

    /// Where flight is allowed: by the world file, or by the vehicle's own world without one; `nil` if neither defines it.
    ///
    /// - Throws: `GeodesyError` if a frame of the world file's area is unknown. Of the vehicle's own world such an area counts as
    ///   unknown (``ownWorldWarnings(_:)``).
    package func volume(_ session: WorldSession?) throws(GeodesyError) -> FlyableVolume? {
        guard let session else { return nil }
        guard let worldFile else { return try? ownVolume(session) }
        guard let area = worldFile.safetyArea else { return nil }
        return try ofWorldFile { () throws(GeodesyError) in try session.volume(area) }
    }

    /// Names the world file in an error about what it says.
    private func ofWorldFile<Value>(_ body: () throws(GeodesyError) -> Value) throws(GeodesyError) -> Value {
        do throws(GeodesyError) { return try body() } catch {
            guard !worldFileName.isEmpty else { throw error }
            throw GeodesyError(error.code, "\(worldFileName.sanitizedLine): \(error.what)")
        }
    }

    /// Where the vehicle's own world allows flight; `nil` if that is not known.
    private func ownVolume(_ session: WorldSession) throws(GeodesyError) -> FlyableVolume? {
        guard let area = ownWorld.file?.world.safetyArea else { return nil }
        return try session.volume(area)
    }

    /// The world that plans are checked in; `nil` if none is known.
    package var checkedWorld: CheckedWorld? {
        if worldFile != nil { return CheckedWorld(isWorldOfProfile ? .profile : .user, path: worldFileName) }
        return ownWorld.file.map { own in
            let content: CheckedWorld.Content =
                switch own.source {
                case .file: .file
                case .markers: .border
                case .simulation: .configuration
                }
            return CheckedWorld(.vehicle, content, path: own.path)
        }
    }

    /// What the vehicle's own world adds to a check: why it is not known or not complete, or, where a world file is used, how that
    /// differs from it; each one line.
    package func ownWorldWarnings(_ session: WorldSession?) -> [String] {
        switch ownWorld {
        case .notAsked: []
        case .unknown(let reason): worldFile == nil ? ["the vehicle's own world is not known: \(reason)"] : []
        case .known(let own):
            [own.outdated].compactMap(\.self) + (worldFile == nil ? gaps(in: own, session) : differences(session))
        }
    }

    /// What is not known of the vehicle's own world, where that is the one that is checked in.
    private func gaps(in own: VehicleWorldFile, _ session: WorldSession?) -> [String] {
        guard own.world.safetyArea != nil else { return ["the vehicle's own world has no safety area"] }
        let unknown = "the safety area of the vehicle's own world was not checked: "
        guard let session else { return [unknown + "it is not known where that world lies"] }
        do throws(GeodesyError) { _ = try ownVolume(session) } catch { return [unknown + error.what] }
        return [own.limitation].compactMap(\.self)
    }

    /// Whether flight is checked against the border of the vehicle's own safety area, whose obstacles are not known. Of an area that is
    /// unknown or switched off the check says so itself.
    package func lacksObstacles(_ session: WorldSession?) -> Bool {
        guard worldFile == nil, let own = ownWorld.file, !own.isComplete, let session else { return false }
        guard let volume = try? ownVolume(session) else { return false }
        return volume.isEnabled
    }

    /// Of worlds that lie elsewhere only that is said: see ``mismatchWarning(_:)``.
    private func differences(_ session: WorldSession?) -> [String] {
        guard let session, mismatchWarning(session) == nil else { return [] }
        let used: FlyableVolume?
        let own: FlyableVolume?
        do throws(GeodesyError) {
            used = try volume(session)
            own = try ownVolume(session)
        } catch {
            return ["the vehicle's own world could not be compared with the one used here: \(error.what)"]
        }
        return WorldDifference.lines(used: used, own: own)
    }

    /// Distance between the vehicle's origin and the session's, metres; `nil` if the vehicle's is unknown.
    package func mismatchMetres(_ session: WorldSession) throws(GeodesyError) -> Double? {
        guard let vehiclePlace = vehiclePlace(in: session.zone) else { return nil }
        let (x, y) = try session.world(vehiclePlace)
        return (x * x + y * y).squareRoot()
    }

    /// A warning if the vehicle's origin differs from the session's: the flight would take place elsewhere.
    package func mismatchWarning(_ session: WorldSession?) -> String? {
        guard let session, let apart = try? mismatchMetres(session), apart > Self.maximumMismatchMetres else {
            return nil
        }
        return "the vehicle's world_origin is \(Int(saturating: apart.rounded())) m away from the one used here"
    }

    /// Where the vehicle's `world_origin` lies: as it reports, or else as its own world's file says; `nil` if neither is known.
    ///
    /// - Parameter zone: of an origin in UTM, whose zone the file does not name; `nil`: not known.
    private func vehiclePlace(in zone: UTMZone?) -> GeographicCoordinate? {
        if let vehicleOrigin {
            return GeographicCoordinate(
                latitudeDegrees: vehicleOrigin.latitudeDegrees, longitudeDegrees: vehicleOrigin.longitudeDegrees)
        }
        guard let own = ownWorld.file?.world else { return nil }
        if case .geographic(let place) = own.origin { return place }
        return try? WorldSession(worldFile: own, zone: zone).geographic(xMetres: 0, yMetres: 0)
    }

    /// The forced zone, or the zone of the vehicle's world.
    private func sessionZone() throws(GeodesyError) -> UTMZone? {
        if let zone { return zone }
        guard let place = vehiclePlace(in: nil) else { return nil }
        // What the vehicle's own file says is no error of the world that is used.
        if vehicleOrigin == nil { return try? UTMZone(containing: place) }
        return try UTMZone(containing: place)
    }
}
