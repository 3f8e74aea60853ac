internal import Geodesy
internal import ReportKit
package import RouteFiles
package import Trajectories
package import UAVLink

/// A route from a file, resolved to `world_origin`.
package struct LoadedRoute: Hashable, Sendable {
    package var name: String
    package var points: [PlannedPoint]
    /// Notes about the file.
    package var notes: [String]
    /// Those notes that name something the vehicle would have flown and the route leaves out, or a leg that the file does not
    /// contain.
    package var omissions: [String]
    /// What is doubted of the file's heights and headings.
    package var doubts: [MissingCheck] = []
    /// The note about the file's planned home, where that is used and doubted.
    private var doubtedHome: String?
    /// The speeds that the file demands.
    package var speeds: [FileSpeed]
    /// Where the file says that the route may be flown, in `world_origin`.
    package var limits: [NamedVolume]
    /// The planned take-off position of the file; `nil` if it does not have one.
    package var home: PlannedHome?
    /// What the file has besides its points; lost when they are written over the file.
    package var extras: [String]

    /// Reads a file.
    ///
    /// - Parameter name: the file's name, for its format and for errors.
    /// - Throws: ``RouteLoadingError``.
    package init(
        _ bytes: [UInt8], name: String, resolver: RouteResolver, format: RouteFormat? = nil
    ) throws(RouteLoadingError) {
        try self.init(try Self.read(bytes, name: name, format: format), name: name, resolver: resolver)
    }

    /// Reads a file without resolving its points, which needs no vehicle.
    ///
    /// - Parameter name: the file's name, for its format and for errors.
    /// - Throws: ``RouteLoadingError``.
    package static func read(
        _ bytes: [UInt8], name: String, format: RouteFormat? = nil
    ) throws(RouteLoadingError) -> ReadRoute {
        do {
            return try RouteFiles.read(bytes, name: name, format: format)
        } catch {
            throw .file(error.what)
        }
    }

    /// Resolves what was read from a file.
    ///
    /// - Parameter name: the file's name, for errors.
    /// - Throws: ``RouteLoadingError``.
    package init(_ read: ReadRoute, name: String, resolver: RouteResolver) throws(RouteLoadingError) {
        self.name = read.route.name
        (notes, omissions) = (read.notes, read.omissions)
        (home, extras, speeds) = (read.plannedHome, read.extras, read.speeds)
        if read.notes.contains(ReadRoute.headingNote) {
            doubts.append(MissingCheck(.file, text: "headings in doubt (more than 7 rad)"))
        }
        // Without a given frame such points are an error below.
        if !resolver.assumesFrame { notes.removeAll { $0 == ReadRoute.frameNote } }
        notes = notes.map { $0 == ReadRoute.frameNote ? ReadRoute.frameNote(of: name) : $0 }
        var resolver = resolver
        if let altitude = read.plannedHomeAltitudeMetres, let zero = resolver.references.session?.altitudeMetres {
            let given = resolver.references.homeZMetres
            // The vehicle's position on the ground, or a given one, has precedence over the planned place of the take-off.
            if given == nil { resolver.references.homeZMetres = altitude - zero }
            let usesHome = read.route.points.contains {
                ($0.altitude ?? resolver.defaultAltitude)?.reference == .home
            }
            let note = Self.homeNote(
                used: given.map { $0 + zero }, planned: altitude,
                ground: resolver.references.vehicleGroundZMetres.map { $0 + zero }, origin: zero)
            if usesHome, let note {
                notes.append(note.text)
                if note.isDoubt {
                    if given == nil { doubtedHome = note.text }
                    doubts.append(MissingCheck(.altitude, text: "altitude in doubt (\(Self.otherHome))"))
                }
            }
        }
        do {
            points = try resolver.resolve(read.route)
            limits = try resolver.limits(of: read.fence)
        } catch {
            // A column of altitudes that was left out says why there is none.
            let lost = read.notes.first {
                $0.hasPrefix("altitudes are left out") || $0.hasPrefix("column 'z' is left out")
                    || $0.contains("its reference is not given")
            }
            guard error.code == .altitudeMissing, let lost else { throw .route(error, file: name) }
            throw .route(error.explained(lost), file: name)
        }
    }

    /// Findings about what the file contains and the route leaves out: those that concern the path are failures.
    ///
    /// - Parameters:
    ///   - allowsOmissions: makes them warnings.
    ///   - flown: the highest speed of the trajectory, m/s; `nil`: not known.
    package func findings(allowsOmissions: Bool = false, flown: Double? = nil) -> [TrajectoryFinding] {
        Self.findings(omissions, notes, speeds, allowsOmissions: allowsOmissions, flown: flown).map { finding in
            guard finding.text == doubtedHome else { return finding }
            var finding = finding
            finding.remedy = .giveHome
            return finding
        }
    }

    fileprivate static func findings(
        _ omissions: [String], _ notes: [String], _ speeds: [FileSpeed], allowsOmissions: Bool, flown: Double?
    ) -> [TrajectoryFinding] {
        let weight = allowsOmissions ? TrajectoryFinding.Weight.warning : .failure
        return omissions.map { TrajectoryFinding(.file, weight, text: words($0)) }
            + speeds.compactMap { words($0, flown: flown) }.map { TrajectoryFinding(.file, weight, text: $0) }
            + notes.filter { !omissions.contains($0) }.map {
                // A heading in another unit is no omission: only the file's unit helps.
                TrajectoryFinding(.file, $0 == ReadRoute.headingNote ? .failure : .warning, text: $0)
            }
    }

    /// What is to be said of a speed that the file demands; `nil` if it is kept.
    private static func words(_ speed: FileSpeed, flown: Double?) -> String? {
        let demand = "\(speed.source) demands \(speed.metresPerSecond.formatted(decimals: 2)) m/s"
        guard let flown else { return speed.isDefault ? nil : demand + ", which is not kept" }
        guard flown > speed.metresPerSecond * 1.001 else { return nil }
        return demand + ", and \(flown.formatted(decimals: 2)) m/s are flown: fly slower"
    }
}

extension LoadedRoute {
    /// A planned home this far from the vehicle's own, metres, is doubted: satellite navigation and maps err by a few.
    private static let homeToleranceMetres = 5.0
    /// One this far, metres, is said, since the same file is flown that much higher or lower once the vehicle is in flight; and is doubted
    /// there, where the file's is used and only the ground below the vehicle tells.
    private static let saidToleranceMetres = 1.0
    /// The same from the height of `world_origin`, where the ground is not known.
    private static let originToleranceMetres = 50.0
    private static let otherHome = "the file's planned home is at another height"

    /// What to say about the home that altitudes count from; all heights are metres above mean sea level.
    ///
    /// - Parameters:
    ///   - used: the home that is used instead of the file's; `nil`: the file's.
    ///   - planned: the file's.
    ///   - ground: the ground under the vehicle, if it is known.
    ///   - origin: `world_origin`.
    private static func homeNote(
        used: Double?, planned: Double, ground: Double?, origin: Double
    ) -> (text: String, isDoubt: Bool)? {
        let own = ground ?? used
        let distance = own.map { ($0 - planned).magnitude }
        let tolerance = used == nil ? saidToleranceMetres : homeToleranceMetres
        let isDoubted =
            distance.map { $0 > tolerance } ?? ((origin - planned).magnitude > originToleranceMetres)
        guard isDoubted || used == nil || distance ?? 0 > saidToleranceMetres else { return nil }
        func words(_ metres: Double) -> String { "\(metres.formatted(decimals: 1)) m above sea level" }
        let file = "the file's planned home"
        var parts = ["altitudes above home are taken above "]
        parts[0] += used.map { "the take-off position, \(words($0))" } ?? "\(file), \(words(planned))"
        if used != nil { parts.append("\(file) is \(words(planned))") }
        guard isDoubted else { return (parts.joined(separator: "; "), false) }
        if let ground { parts.append("the ground under the vehicle is \(words(ground))") }
        if own == nil { parts.append("world_origin is \(words(origin))") }
        return (parts.joined(separator: "; ") + ": was it planned for another place?", true)
    }

    /// Without one item the route joins those around it; other omissions say themselves what is flown.
    private static func words(_ omission: String) -> String {
        // One point of another part of the file is none of the route, and a turn changes no leg.
        guard omission.hasSuffix(" is left out"), !omission.contains("point of "), !omission.hasPrefix("a yaw") else {
            return omission
        }
        return "\(omission); the route goes straight on to the next point, if there is one"
    }
}

extension ReadRoute {
    /// The same findings of a file whose points are not resolved, without the one about its frame.
    ///
    /// - Parameters:
    ///   - allowsOmissions: makes all of them warnings.
    ///   - flown: the highest speed of the flight, m/s; `nil`: not known.
    package func findings(allowsOmissions: Bool = false, flown: Double? = nil) -> [TrajectoryFinding] {
        LoadedRoute.findings(
            omissions, notes.filter { $0 != ReadRoute.frameNote }, speeds, allowsOmissions: allowsOmissions,
            flown: flown)
    }
}

extension TrajectoryPlan {
    /// The same with what is to be said of its file: findings before the other ones, by the speed that is flown, and doubts.
    ///
    /// - Parameters:
    ///   - route: `nil`: it is of no file.
    ///   - allowsOmissions: whether what the file has and the route leaves out is a warning only.
    package func of(_ route: LoadedRoute?, allowsOmissions: Bool = false) -> Self {
        guard let route else { return self }
        var plan = self
        plan.report.findings.insert(
            contentsOf: route.findings(allowsOmissions: allowsOmissions, flown: report.greatestSpeed), at: 0)
        plan.report.missingChecks += route.doubts
        return plan
    }
}

/// Why no route could be loaded from a file.
package enum RouteLoadingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read.
    case file(String)
    /// A point cannot be resolved.
    case route(RouteError, file: String)

    /// One line for the user.
    package var description: String {
        switch self {
        case .file(let what): what
        case .route(let error, let file): "\(file.sanitizedLine): \(error.what)"
        }
    }

    /// Whether only an altitude is missing.
    package var lacksAltitude: Bool {
        if case .route(let error, _) = self { error.code == .altitudeMissing } else { false }
    }

    /// The reference of an altitude whose height is unknown, when only that is missing.
    package var unknownReference: RoutePoint.AltitudeReference? {
        if case .route(let error, _) = self { error.unknownReference } else { nil }
    }

    /// Whether the altitude of `world_origin` is unknown as well.
    package var lacksWorldAltitude: Bool {
        if case .route(let error, _) = self { error.lacksWorldAltitude } else { false }
    }

    /// Whether only the frame of its metres is missing.
    package var lacksFrame: Bool {
        if case .route(let error, _) = self { error.code == .frameMissing } else { false }
    }
}

/// Values given by the user for what a file leaves out; nothing is assumed.
package struct RouteDefaults: Hashable, Sendable {
    /// Altitude of points without one.
    package var altitude: RoutePoint.Altitude?
    /// Frame of points in metres without one.
    package var frame: FrameName?
    /// Heading of points without one.
    package var heading: RoutePoint.HeadingRule

    package init(
        altitude: RoutePoint.Altitude? = nil, frame: FrameName? = nil, heading: RoutePoint.HeadingRule = .alongPath
    ) {
        self.altitude = altitude
        self.frame = frame
        self.heading = heading
    }
}

/// Parses an altitude typed by the user: a number and its reference, which is never assumed.
package enum AltitudeInput {
    /// Reference words that can follow the number.
    package static let words = ["ground", "home", "amsl", "ellipsoid", "world"]

    /// Parses `12 ground`, `350 amsl`, `5 home`, `5 world`, `400 ellipsoid`, or with a colon between; `nil` for anything else.
    package static func read(_ text: String) -> RoutePoint.Altitude? {
        let parts = text.split { $0 == " " || $0 == ":" }
        guard parts.count == 2, let metres = Double(decimal: parts[0]) else { return nil }
        let reference: RoutePoint.AltitudeReference
        switch parts[1].lowercased() {
        case "ground", "agl": reference = .ground
        case "home": reference = .home
        case "amsl", "msl": reference = .meanSeaLevel
        case "ellipsoid": reference = .ellipsoid
        case "world", "z": reference = .frame(.worldOrigin)
        default: return nil
        }
        return .init(metres: metres, reference: reference)
    }
}
