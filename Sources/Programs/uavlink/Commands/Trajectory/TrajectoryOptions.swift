import RouteFlight
import CommandLineKit
import Geodesy
import ReportKit
import Trajectories
import UAVLink

/// Options shared by the subcommands of `trajectory` that make a trajectory.
enum RouteOptions {
    static let file = Argument.parameter("FILE", .path, help: "a file of points")
    static let world = Argument.option(
        "world", .path,
        help: "a world file: origin, safety area and obstacles; default: that of the profile, else the vehicle's own")
    static let origin = Argument.option(
        "origin", ValueKind.text.called("LAT,LON[,ALT]"),
        help: "position of world_origin and its altitude above sea level, instead of the vehicle's")
    static let zone = Argument.option(
        "zone", ValueKind.text.called("ZONE"), help: "the UTM zone of all places, such as 33N")
    static let altitude = Argument.option(
        "altitude", ValueKind.text.called("'METRES REFERENCE'"),
        help: "altitude of points without one: '12 ground', '5 home', '350 amsl', '400 ellipsoid', '5 world'")
    static let frame = Argument.option(
        "frame", ValueKind.text.called("NAME"), help: "for points in metres without one: world_origin, local_origin")
    static let ground = Argument.option(
        "ground", .number(unit: "metres"), help: "z of the ground in world_origin, for altitudes above it")
    static let home = Argument.option(
        "home", .number(unit: "metres"),
        help:
            "z of the take-off position in world_origin, for altitudes above it; default: where the vehicle stands, else "
            + "the file's planned home")
    static let geoid = Argument.option(
        "geoid", .number(in: -120...120, unit: "metres"), help: "height of mean sea level above the ellipsoid")
    static let heading = Argument.option(
        "heading", ValueKind.text.called("RULE"), default: "path", defaultText: "path",
        help: "heading of points without one: path, degrees, or 'to EAST NORTH' in world_origin")
    static let speed = Argument.option(
        "speed", .number(in: 0.01...50, unit: "m/s"), help: "maximum along the path; default: the vehicle's limit")
    static let spacing = Argument.option(
        "spacing", .number(in: 0.001...10, unit: "metres"), default: 0.08, defaultText: "0.08",
        help: "maximum distance between neighbouring samples")
    static let step = Argument.option(
        "dt", .number(in: 0.002...1, unit: "seconds"), default: 0.02, defaultText: "0.02",
        help: "maximum time between samples; shorter where --spacing requires it at that speed")
    static let deviation = Argument.option(
        "deviation", .number(in: 0.001...100, unit: "metres"), default: 0.3, defaultText: "0.3",
        help: "maximum deviation of rounded corners from the straight line")
    static let smooth = Argument.flag(
        "smooth", help: "round the corners, within --deviation (the default)")
    static let straight = Argument.flag("straight", help: "stop at every corner instead of rounding it")
    static let lowest = Argument.option("min-z", .number(unit: "metres"), help: "the lowest z in world_origin")
    static let highest = Argument.option("max-z", .number(unit: "metres"), help: "the greatest z in world_origin")
    static let reach = Argument.option(
        "max-distance", .number(in: 1...1e5, unit: "metres"), default: 1000, defaultText: "1000",
        help: "maximum distance from the first point")
    static let endurance = Argument.option(
        "endurance", .duration(in: .seconds(10) ... .seconds(86_400)), help: "how long a full battery lasts in flight")
    static let reserve = Argument.option(
        "reserve", .number(in: 0...0.9), default: 0.2, defaultText: "0.2",
        help: "charge that must remain, as a fraction")

    static let allowOmissions = Argument.flag(
        "allow-omissions", help: "accept that parts of the file which would have been flown are left out")

    static let worldAltitude = Argument.option(
        "world-altitude", .number(unit: "metres"),
        help: "altitude of z = 0 of world_origin above mean sea level, which a world file does not have")
    static let localOrigin = Argument.option(
        "local-origin", .place, help: "where the vehicle started, the zero of local_origin, metres in world_origin")

    static let all: [any ArgumentDeclaration] = [
        world, origin, worldAltitude, localOrigin, zone, altitude, frame, ground, home, geoid, heading, speed, spacing,
        step, deviation, smooth,
        straight,
        lowest, highest, reach, endurance, reserve, allowOmissions,
    ]
    static let exclusive: [[any ArgumentDeclaration]] = [[smooth, straight], [world, origin], [deviation, straight]]
    static let offline = Argument.flag(
        "offline", help: "do not ask the vehicle for its limits, world, position and battery")

    static func settings(_ arguments: ParsedCommand) throws -> TrajectorySettings {
        var settings = TrajectorySettings()
        settings.options.cruiseSpeed = try arguments[speed]
        settings.options.spacingMetres = try arguments[spacing]
        settings.options.timeStepSeconds = try arguments[step]
        settings.options.shape =
            try arguments[straight] ? .straight : .smoothed(deviationMetres: try arguments[deviation])
        let (low, high) = (try arguments[lowest], try arguments[highest])
        if low != nil || high != nil {
            guard low ?? -.infinity <= high ?? .infinity else {
                throw UsageError("--min-z is above --max-z", hint: "")
            }
            settings.altitudes = (low ?? -.infinity)...(high ?? .infinity)
        }
        settings.maximumDistanceMetres = try arguments[reach]
        settings.enduranceSeconds = try arguments[endurance]?.inSeconds
        settings.batteryReserve = try arguments[reserve]
        return settings
    }

    static func defaults(_ arguments: ParsedCommand) throws -> RouteDefaults {
        var defaults = try pointDefaults(arguments)
        defaults.heading = try headingRule(try arguments[heading])
        return defaults
    }

    /// The altitude and the frame of points without one.
    static func pointDefaults(_ arguments: ParsedCommand) throws -> RouteDefaults {
        var defaults = RouteDefaults()
        if let text = try arguments[altitude] {
            guard let read = AltitudeInput.read(text) else {
                throw UsageError(
                    "--altitude '\(text.sanitizedLine)' is not a number and a reference",
                    hint: "for example '12 ground'; references are \(AltitudeInput.words.joined(separator: ", "))")
            }
            defaults.altitude = read
        }
        if let name = try arguments[frame] { defaults.frame = FrameName(name) }
        return defaults
    }

    private static func headingRule(_ text: String) throws -> RoutePoint.HeadingRule {
        if text == "path" { return .alongPath }
        if let degrees = Double(decimal: text), degrees.magnitude <= 360 {
            return .fixed(radians: Heading.wrapped(Heading.radians(degrees: degrees)))
        }
        let words = text.split(separator: " ")
        if words.count == 3, words[0] == "to", let x = Double(decimal: words[1]), let y = Double(decimal: words[2]) {
            return .towards(.local(xMetres: x, yMetres: y, frame: .worldOrigin))
        }
        throw UsageError(
            "--heading '\(text.sanitizedLine)' is not a heading rule", hint: "use path, degrees, or 'to EAST NORTH'")
    }

    /// The world set-up from the options; reads the named files.
    ///
    /// - Parameter profileWorld: the path of the world file that the vehicle's profile names, used where the options name neither a
    ///   world nor an origin; `nil`: none.
    static func setup(
        _ arguments: ParsedCommand, _ files: any FileAccess, profileWorld: String? = nil
    ) async throws -> WorldSetup {
        var setup = WorldSetup()
        setup.groundZMetres = try arguments[ground]
        setup.geoidSeparationMetres = try arguments[geoid]
        setup.worldAltitudeMetres = try arguments[worldAltitude]
        setup.localOrigin = try arguments[localOrigin]
        if let text = try arguments[zone] {
            guard let side = text.uppercased().last, "NS".contains(side), let number = Int(text.dropLast()),
                let zone = UTMZone(number: number, isNorth: side == "N")
            else { throw UsageError("'\(text.sanitizedLine)' is not a UTM zone", hint: "such as 33N") }
            setup.zone = zone
        }
        if let text = try arguments[origin] {
            let words = text.split { $0 == "," || $0 == " " }
            let numbers = words.compactMap { Double(decimal: $0) }
            guard numbers.count == words.count, (2...3).contains(numbers.count) else {
                throw UsageError("--origin '\(text.sanitizedLine)' is not LAT,LON[,ALT]", hint: "degrees, and metres")
            }
            setup.typed = .init(
                place: GeographicCoordinate(latitudeDegrees: numbers[0], longitudeDegrees: numbers[1]),
                altitudeMetres: numbers.count == 3 ? numbers[2] : nil)
        }
        if let path = try arguments[world] {
            try await setup.readWorldFile(path, from: files)
        } else if let profileWorld, setup.typed == nil {
            try await setup.readWorldFile(profileWorld, isOfProfile: true, from: files)
        }
        return setup
    }
}
