internal import FlightControl
internal import ReportKit
internal import UAVLink

/// A command with arguments, as typed; those of a flight command are those of the subcommand of the same name.
enum TypedCommand: String, CaseIterable {
    case goto, altitude, heading, record

    /// A line that is no command, and why.
    struct Mistake: Error, Equatable {
        var text: String
    }

    /// The arguments, for the list.
    var usage: String {
        switch self {
        case .goto: "goto X Y Z [HEADING] [--body|--relative|--latlon]"
        case .altitude: "altitude Z"
        case .heading: "heading DEGREES"
        case .record: "record [FILE]"
        }
    }

    /// The arguments that a machine takes.
    func usage(of capabilities: VehicleCapabilities) -> String {
        guard self == .goto else { return usage }
        let places: [(VehicleCapabilities.Destinations, String)] = [
            (.body, "--body"), (.relative, "--relative"), (.latitudeLongitude, "--latlon"),
        ]
        let options = places.filter { capabilities.destinations.contains($0.0) }.map(\.1).joined(separator: "|")
        guard capabilities.destinations.contains(.frame) else { return "goto X Y Z [HEADING] \(options)" }
        return "goto X Y Z [HEADING]" + (options.isEmpty ? "" : " [\(options)]")
    }

    /// What the vehicle must be able to do for it; nothing for a recording.
    var kind: CommandKinds {
        switch self {
        case .goto: .goTo
        case .altitude: .altitude
        case .heading: .heading
        case .record: []
        }
    }

    /// Whether it is nothing without arguments.
    var needsArguments: Bool { self != .record }

    /// Their units and an example that the machine takes.
    func hint(of capabilities: VehicleCapabilities) -> String {
        switch self {
        case .goto: goalHint(capabilities.destinations)
        case .altitude: "metres in the vehicle's current frame; example: altitude 5"
        case .heading: "degrees, 0 is east, counter-clockwise; example: heading 90"
        case .record: "this flight to a bag, or to FILE.mcap; without FILE named after vehicle and time, in this folder"
        }
    }

    private func goalHint(_ destinations: VehicleCapabilities.Destinations) -> String {
        if destinations.contains(.frame) {
            return "metres east, north, up; heading in degrees, 0 is east; example: goto 5 0 3"
        }
        if destinations.contains(.body) {
            return "metres forward, left, up; heading in degrees to the left; example: goto 1 0 0.5 --body"
        }
        if destinations.contains(.relative) {
            return "metres added to its place; heading in degrees; example: goto 1 0 0.5 --relative"
        }
        return "latitude, longitude, metres above sea level; example: goto 47.397743 8.545594 350 --latlon"
    }

    /// The command whose name begins the line, with a word boundary after it.
    init?(beginning line: String) {
        guard let word = line.split(separator: " ").first, let found = Self(rawValue: word.lowercased()) else {
            return nil
        }
        self = found
    }

    /// The intent of a line that begins with this command.
    ///
    /// - Throws: ``Mistake`` that names the word.
    func intent(of line: String) throws(Mistake) -> WorkspaceIntent {
        let words = line.split(separator: " ").dropFirst().map(String.init)
        switch self {
        case .goto: return .fly(try valid(.goTo(try goal(words))))
        case .altitude: return .fly(try valid(.altitude(try numbers(words, 1...1)[0])))
        case .heading:
            _ = try numbers(words, 1...1)
            return .fly(try valid(.heading(try radians(ofHeading: words[0]))))
        // A path may contain blanks.
        case .record: return .record(String(line.drop { $0 != " " }.drop { $0 == " " }))
        }
    }

    /// What no vehicle takes, such as a latitude of 91 degrees, is said while the line can still be corrected.
    private func valid(_ action: FlightAction) throws(Mistake) -> FlightAction {
        do throws(LinkError) { try action.command.validate() } catch { throw Mistake(text: error.what) }
        return action
    }

    private func goal(_ words: [String]) throws(Mistake) -> GoalInput {
        let options = words.filter { $0.hasPrefix("--") }
        guard options.count < 2 else { throw Mistake(text: "\(options.joined(separator: " ")): only one of them") }
        let reference: Command.Destination.Reference =
            switch options.first {
            case nil: .frame(.current)
            case "--body": .body
            case "--relative": .relative
            case "--latlon": .frame(.latitudeLongitude)
            case let other?: throw Mistake(text: "'\(other)' is not an option of goto: \(usage)")
            }
        let given = words.filter { !$0.hasPrefix("--") }
        let values = try numbers(given, 3...4)
        return GoalInput(
            reference: reference, position: Vector3(x: values[0], y: values[1], z: values[2]),
            headingRadians: try given.count > 3 ? radians(ofHeading: given[3]) : nil)
    }

    /// A heading in radians, at most one turn: the vehicle refuses others, but in a number that was converted and not as it was typed.
    private func radians(ofHeading word: String) throws(Mistake) -> Double {
        guard let degrees = Double(decimal: word), degrees.magnitude <= 360 else {
            throw Mistake(text: "heading \(word) is outside -360...360 degrees")
        }
        return Heading.radians(degrees: degrees)
    }

    private func numbers(_ words: [String], _ count: ClosedRange<Int>) throws(Mistake) -> [Double] {
        var values: [Double] = []
        for word in words {
            guard let value = Double(decimal: word) else {
                let why = word.contains(",") ? "; a decimal point is needed, and blanks between numbers" : ""
                throw Mistake(text: "'\(word)' is not a number\(why)")
            }
            values.append(value)
        }
        guard count.contains(values.count) else { throw Mistake(text: "found \(values.count) numbers: \(usage)") }
        return values
    }
}
