internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import Geodesy
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Parses and applies what the user typed at a prompt of the map. An invalid answer changes nothing.
@MainActor
struct MapAnswerParser {
    /// A parse error.
    struct Problem: Error {
        /// One line for the user.
        let note: String
        /// With what was expected.
        init(_ expected: String) { note = "expected \(expected)" }
        init(note: String) { self.note = note }
    }

    let interactor: MapTrajectoryInteractor
    private var desk: RouteDocument { interactor.desk }

    init(_ interactor: MapTrajectoryInteractor) { self.interactor = interactor }

    // MARK: The chosen point

    /// No flight reaches heights beyond these, metres; above any reference.
    private static let heights = -10_000.0...10_000.0
    private static let heightsText = "a height from -10000 to 10000 m"

    /// A z in the world, from `5`, `5 world`, `12 ground`, `350 amsl`, `3 home`.
    func z(_ text: String) throws(Problem) -> Double {
        let z = try unlimitedZ(text)
        guard Self.heights.contains(z) else { throw Problem(Self.heightsText) }
        return z
    }

    /// An altitude for the points of a file, from `12 ground`, `350 amsl`, `3 home`; its reference must be known here.
    func altitude(_ text: String) throws(Problem) -> RoutePoint.Altitude {
        let above = Self.aboveGround(text)?.altitude
        guard let altitude = above ?? AltitudeInput.read(text) else {
            throw Problem("a number and its reference: \(Self.references)")
        }
        guard Self.heights.contains(altitude.metres) else { throw Problem(Self.heightsText) }
        _ = try unlimitedZ(text)
        return altitude
    }

    /// An altitude above a ground whose z is given, from `12 ground at -1.5`.
    private static func aboveGround(_ text: String) -> (altitude: RoutePoint.Altitude, groundZMetres: Double)? {
        let words = text.lowercased().split(separator: " ")
        guard words.count == 4, words[1] == "ground", words[2] == "at", let z = number(words[3]), heights.contains(z),
            let altitude = AltitudeInput.read("\(words[0]) ground"), heights.contains(altitude.metres)
        else { return nil }
        return (altitude, z)
    }

    /// Sets z of the ground in the world.
    func setGround(_ text: String) throws(Problem) {
        guard let z = Self.number(text), Self.heights.contains(z) else { throw Problem(Self.heightsText) }
        desk.setup.groundZMetres = z
        interactor.settingsChanged()
    }

    private func unlimitedZ(_ text: String) throws(Problem) -> Double {
        if let above = Self.aboveGround(text) {
            desk.setup.groundZMetres = above.groundZMetres
            // Also where the height stays as it was, the path is checked against this ground.
            interactor.settingsChanged()
            return above.groundZMetres + above.altitude.metres
        }
        if let metres = Self.number(text) { return metres }
        guard let altitude = AltitudeInput.read(text) else {
            throw Problem("a number (z of world_origin), or a number and its reference: \(Self.references)")
        }
        let probe = Route(points: [
            RoutePoint(place: .local(xMetres: 0, yMetres: 0, frame: .worldOrigin), altitude: altitude)
        ])
        do {
            guard let z = try interactor.resolver().resolve(probe).first?.position.z else { throw Problem("a height") }
            return z
        } catch let error as RouteError {
            if error.unknownReference == .ground, let metres = text.split(whereSeparator: { " :".contains($0) }).first {
                throw Problem(
                    note: "z of the ground is not known here: type '\(metres) ground at Z', Z in world_origin")
            }
            // Here it is the answer's, not that of a point.
            let what = error.what.removingPrefix("point 1: ")
            throw Problem(note: what.hasPrefix("its ") ? "the " + what.dropFirst(4) : what)
        } catch {
            throw Problem("a height")
        }
    }

    static let references = AltitudeInput.words.joined(separator: ", ")

    /// A heading from `90`, `path`, `to X Y` or `to cursor`.
    func heading(_ text: String, cursor: MapPlace) throws(Problem) -> PlannedPoint.Heading {
        let words = text.lowercased().split(separator: " ")
        if words == ["path"] { return .alongPath }
        if words == ["to", "cursor"] || words == ["cursor"] {
            return .towards(xMetres: cursor.east, yMetres: cursor.north)
        }
        if words.count == 3, words[0] == "to", let x = Self.number(words[1]), let y = Self.number(words[2]) {
            return .towards(xMetres: x, yMetres: y)
        }
        if let degrees = Self.number(text), degrees.magnitude <= 360 {
            return .fixed(radians: Heading.wrapped(Heading.radians(degrees: degrees)))
        }
        throw Problem("degrees (0 is east, counter-clockwise), 'path', 'cursor', or 'to EAST NORTH'")
    }

    /// A time in seconds, 0 to an hour.
    func hold(_ text: String) throws(Problem) -> Double {
        guard let seconds = Self.number(text), (0...3600).contains(seconds) else {
            throw Problem("seconds, from 0 to 3600")
        }
        return seconds
    }

    /// A pitch in radians from degrees, or `nil` from `none`.
    func pitch(_ text: String) throws(Problem) -> Double? {
        if text.lowercased() == "none" { return nil }
        guard let degrees = Self.number(text), (-90...90).contains(degrees) else {
            throw Problem("degrees up from the horizon, -90 to 90 (down is negative), or 'none'")
        }
        return Heading.radians(degrees: degrees)
    }

    // MARK: Settings

    /// Sets the maximum speed; `auto` takes the vehicle's limit.
    func setSpeed(_ text: String) throws(Problem) {
        if text.lowercased() == "auto" {
            desk.settings.options.cruiseSpeed = nil
        } else {
            guard let speed = Self.number(text), speed > 0, speed <= 50 else {
                throw Problem("metres per second, above 0 and up to 50, or 'auto' for the vehicle's limit")
            }
            desk.settings.options.cruiseSpeed = speed
        }
        interactor.settingsChanged()
    }

    /// Sets how far the path may deviate at corners.
    func setDeviation(_ text: String) throws(Problem) {
        if ["straight", "0"].contains(text.lowercased()) {
            desk.settings.options.shape = .straight
        } else {
            guard let metres = Self.number(text), metres > 0, metres <= 100 else {
                throw Problem("metres, above 0 and up to 100, or 'straight' to stop at every corner")
            }
            desk.settings.options.shape = .smoothed(deviationMetres: metres)
        }
        interactor.settingsChanged()
    }

    /// Sets the world origin; `auto` returns to the one of the vehicle or the world file.
    func setOrigin(_ text: String) throws(Problem) {
        if text.lowercased() == "auto" {
            desk.setup.typed = nil
            return interactor.refreshWorld()
        }
        if text.lowercased().hasPrefix("local") { return try setLocalOrigin(String(text.dropFirst("local".count))) }
        let numbers = Self.numbers(text)
        guard let numbers, (2...3).contains(numbers.count) else {
            throw Problem(
                "latitude and longitude in degrees, and the altitude of z = 0 above sea level if it is known; "
                    + "or 'local X Y Z'")
        }
        let place = try Self.place(numbers[0], numbers[1])
        try set {
            $0.typed = .init(place: place, altitudeMetres: numbers.count == 3 ? numbers[2] : nil)
        }
    }

    /// Sets where the selected vehicle started, the zero of `local_origin`; `auto` forgets it.
    private func setLocalOrigin(_ text: String) throws(Problem) {
        let numbers = Self.numbers(text) ?? []
        let isForgotten = text.trimmed.lowercased() == "auto"
        guard isForgotten || (numbers.count == 3 && numbers.allSatisfy { $0.magnitude <= Self.farthest }) else {
            throw Problem("'local X Y Z': where the vehicle started, metres in world_origin; or 'local auto'")
        }
        try set { $0.localOrigin = isForgotten ? nil : Vector3(x: numbers[0], y: numbers[1], z: numbers[2]) }
        interactor.noteLocalOrigin()
    }

    /// No vehicle starts farther from the origin of its world, metres.
    private static let farthest = 1e6

    /// Forces a UTM zone; `auto` forces none.
    func setZone(_ text: String) throws(Problem) {
        if text.lowercased() == "auto" { return try set { $0.zone = nil } }
        let word = text.uppercased()
        guard let side = word.last, "NS".contains(side), let number = Int(word.dropLast()),
            let zone = UTMZone(number: number, isNorth: side == "N")
        else { throw Problem("a UTM zone such as 33N, or 'auto'") }
        try set { $0.zone = zone }
    }

    /// Changes the setup, unless the result would be invalid.
    private func set(_ change: (inout WorldSetup) -> Void) throws(Problem) {
        var setup = desk.setup
        change(&setup)
        do {
            _ = try setup.volume(try setup.session())
        } catch {
            throw Problem("a valid origin or zone: \(RouteText.withKeys(error.what))")
        }
        desk.setup = setup
        interactor.refreshWorld()
    }

    // MARK: Places

    /// A position from latitude and longitude, MGRS, or `EAST NORTH m`.
    func place(_ text: String) throws(Problem) -> MapPlace {
        let metres = text.lowercased().split(separator: " ")
        if metres.count == 3, metres[2] == "m", let east = Self.number(metres[0]), let north = Self.number(metres[1]) {
            return MapPlace(east: east, north: north)
        }
        guard let session = interactor.session else {
            throw Problem("'EAST NORTH m' in metres: the world origin is not known")
        }
        var found: GeographicCoordinate?
        if let numbers = Self.numbers(text), numbers.count == 2 {
            found = try Self.place(numbers[0], numbers[1])
        } else {
            found = try? MilitaryGridSquare(text: text).centre()
        }
        guard let found, let (x, y) = try? session.world(found), x.isFinite, y.isFinite else {
            throw Problem("latitude and longitude, an MGRS reference, or 'EAST NORTH m'")
        }
        return MapPlace(east: x, north: y)
    }

    /// A frame that points can be given in.
    static func frame(_ text: String) throws(Problem) -> FrameName {
        let known: [FrameName] = [.worldOrigin, .localOrigin, .utm]
        guard let frame = known.first(where: { $0.name == text || $0.name == text + "_origin" }) else {
            throw Problem(known.map(\.name).joined(separator: ", "))
        }
        return frame
    }

    private static func place(_ latitude: Double, _ longitude: Double) throws(Problem) -> GeographicCoordinate {
        let place = GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        do {
            try place.validate()
        } catch {
            throw Problem("a valid latitude and longitude: \(error.what)")
        }
        return place
    }

    private static func number(_ text: some StringProtocol) -> Double? { Double(decimal: text) }

    /// Numbers separated by spaces or commas; `nil` when one of them is not a number.
    private static func numbers(_ text: String) -> [Double]? {
        let words = text.split { $0 == " " || $0 == "," }
        let numbers = words.compactMap { number($0) }
        return numbers.count == words.count ? numbers : nil
    }
}

extension String {
    fileprivate func removingPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}

extension MapPromptKind {
    /// The title, and an example of an answer.
    var words: (title: String, hint: String) {
        switch self {
        case .altitude: ("height of the waypoint", "5, 12 ground, 350 amsl, 3 home")
        case .hold: ("hold time, seconds", "3")
        case .heading: ("heading of the waypoint", "90, path, cursor, to 10 5")
        case .cameraPitch: ("camera pitch, degrees", "-45, none")
        case .speed: ("maximum speed, m/s", "4, auto")
        case .deviation: ("maximum deviation at corners, metres", "0.3, straight")
        case .open: ("file of waypoints to open", "field.geojson, .kml, .gpx, .csv, .plan")
        case .save: ("file to write the waypoints to", "field.geojson")
        case .missingAltitude: ("altitude of the waypoints: the file has none", "12 ground, 350 amsl, 5 home, 5 world")
        case .missingGround: ("z of the ground in world_origin, metres", "0, -1.5")
        case .missingFrame: ("frame of the waypoints: the file names none", "world_origin, local_origin")
        case .background: ("file of roads and buildings", "field.osm, field.geojson")
        case .world: ("world file", "world.yaml, auto")
        case .origin:
            ("origin: latitude longitude [altitude], or local X Y Z", "49.36225 14.26143 445, local 0 0 0, auto")
        case .zone: ("UTM zone of the world", "33N, auto")
        case .goToPlace: ("position to show", "49.3622 14.2614, 33U VR 58357 47288, 10 20 m")
        }
    }
}
