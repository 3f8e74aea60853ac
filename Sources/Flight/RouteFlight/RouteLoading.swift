internal import ReportKit
public import RouteFiles
public import Trajectories
public import UAVLink

/// A route from a file, brought into the vehicle's world.
public struct LoadedRoute: Hashable, Sendable {
    /// What it is called.
    public var name: String
    /// Its points.
    public var points: [PlannedPoint]
    /// What had to be said about the file.
    public var notes: [String]

    /// Reads a file.
    ///
    /// - Parameter name: the file's name, for its format and for errors.
    /// - Throws: ``RouteLoadingError``.
    public init(
        _ bytes: [UInt8], name: String, resolver: RouteResolver, format: RouteFormat? = nil
    ) throws(RouteLoadingError) {
        let read: ReadRoute
        do {
            read = try RouteFiles.read(bytes, name: name, format: format)
        } catch {
            throw .file(error.what)
        }
        self.name = read.route.name
        notes = read.notes
        do {
            points = try resolver.resolve(read.route)
        } catch {
            throw .route(error, file: name)
        }
    }
}

/// Why a file gave no route.
public enum RouteLoadingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It cannot be read.
    case file(String)
    /// A point cannot be placed.
    case route(RouteError, file: String)

    /// One line for people.
    public var description: String {
        switch self {
        case .file(let what): what
        case .route(let error, let file): "\(file.harmlessLine): \(error.what)"
        }
    }

    /// Whether all that is missing is an altitude.
    public var asksForAltitude: Bool {
        if case .route(let error, _) = self { error.code == .altitudeMissing } else { false }
    }

    /// Whether all that is missing is the frame of its metres.
    public var asksForFrame: Bool {
        if case .route(let error, _) = self { error.code == .frameMissing } else { false }
    }
}

/// What a file does not say and a person gave: never assumed.
public struct RouteDefaults: Hashable, Sendable {
    /// The altitude of points that have none.
    public var altitude: RoutePoint.Altitude?
    /// The frame of points in metres that name none.
    public var frame: FrameName?
    /// Where the nose points where a point does not say.
    public var heading: RoutePoint.HeadingRule

    /// What was given.
    public init(
        altitude: RoutePoint.Altitude? = nil, frame: FrameName? = nil, heading: RoutePoint.HeadingRule = .alongPath
    ) {
        self.altitude = altitude
        self.frame = frame
        self.heading = heading
    }
}

/// An altitude as a person types it: a number and what it counts from, which is never assumed.
public enum AltitudeInput {
    /// The words that can follow the number.
    public static let words = ["ground", "home", "amsl", "ellipsoid", "world"]

    /// Reads `12 ground`, `350 amsl`, `5 home`, `5 world`, `400 ellipsoid`, or with a colon between; `nil` for anything else.
    public static func read(_ text: String) -> RoutePoint.Altitude? {
        let parts = text.split { $0 == " " || $0 == ":" }
        guard parts.count == 2, let metres = Double(parts[0]), metres.isFinite else { return nil }
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
