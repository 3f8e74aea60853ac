internal import JSON
internal import Geodesy
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Reads QGroundControl plans (version 1): waypoints with hold and yaw, regions of interest, gimbal pitch and pictures.
///
/// A yaw is a compass bearing and becomes an ENU heading; true north is taken for grid north, which differs by up to some
/// degrees at a zone's edge. Items that are not supported are left out with a warning.
struct PlanReader {
    private let document: JSONDocument
    private var builder: RouteBuilder
    /// State that items set for those after them.
    private var interest: RoutePoint.Place?
    private var pitch: Double?
    /// The item after which the vehicle would not have flown on: a landing, for example.
    private var end: String?
    /// The take-off and what comes last, with the places that they would have led to.
    private var ends = PlanEnds()

    /// A point may have items beside its own: where to look, the gimbal, a picture.
    private static let itemsPerPoint = 4

    static func read(_ bytes: [UInt8], source: String, limit: Int) throws(RouteFileError) -> ReadRoute {
        if MissionText.begins(TextLines(bytes).first { !$0.isEmpty } ?? []) {
            let mission = try MissionText.read(
                bytes, source: source, limit: itemsPerPoint * limit, points: limit)
            return try read(mission.document, limit: limit, notes: mission.notes)
        }
        let document = try JSONReader.read(bytes, source: source, longestList: itemsPerPoint * limit)
        return try read(OldMission.isOne(document) ? try OldMission.plan(document) : document, limit: limit)
    }

    private static func read(
        _ document: JSONDocument, limit: Int, notes: [String] = []
    ) throws(RouteFileError) -> ReadRoute {
        var reader = PlanReader(document: document, limit: limit)
        for note in notes { reader.builder.note(note) }
        let type = try document.value("fileType", in: document.root, "a plan")
        guard try document.string(type) == "Plan" else { throw document.unexpected(type, "Plan") }
        if let version = document.find("version", in: document.root), try document.number(version) != 1 {
            throw document.unexpected(version, "version 1")
        }
        let mission = try document.value("mission", in: document.root)
        if let home = document.find("plannedHomePosition", in: mission), !home.isNull {
            let values = try document.array(home, "latitude, longitude and altitude")
            guard values.count == 3 else { throw document.unexpected(home, "latitude, longitude and altitude") }
            reader.builder.plannedHome = try PlannedHome(
                place: place(values[0], values[1]),
                altitudeMetres: values[2].isNull ? nil : document.number(values[2], "an altitude"))
        }
        try PlanSurroundings.check(document, mission, &reader.builder)
        for item in try document.array(document.value("items", in: mission), "a list of items") {
            try reader.item(item)
        }
        if let fence = document.find("geoFence", in: document.root), !fence.isNull {
            reader.builder.fence = try PlanFence.read(fence, document)
            PlanFence.noteOther(fence, document, &reader.builder)
        }
        reader.ends.tell(&reader.builder)
        if let rally = document.find("rallyPoints", in: document.root) {
            if reader.hasElements(rally, "points") { reader.builder.note("the rally points are left out") }
            PlanKeys.check(rally, of: "the rally points", ["version", "points"], &reader.builder)
        }
        return reader.builder.finished()
    }

    /// The place of the planned home; `nil` where the file has `null`, or no valid place: it is no point of the route.
    private static func place(_ latitude: JSONNode, _ longitude: JSONNode) -> GeographicCoordinate? {
        guard case .number(let latitude) = latitude.content, case .number(let longitude) = longitude.content else {
            return nil
        }
        return try? GeographicPlace.make(longitude: longitude, latitude: latitude).get()
    }

    private init(document: JSONDocument, limit: Int) {
        self.document = document
        builder = RouteBuilder(source: document.source, limit: limit)
    }

    private func hasElements(_ node: JSONNode, _ keys: String...) -> Bool {
        keys.contains { key in
            if let list = document.find(key, in: node), case .array(let elements) = list.content {
                return !elements.isEmpty
            }
            return false
        }
    }

    private mutating func item(_ node: JSONNode) throws(RouteFileError) {
        let type = try document.value("type", in: node, "an item")
        switch try document.string(type) {
        case "SimpleItem": try simple(node)
        case "ComplexItem":
            let kind = document.find("complexItemType", in: node)
            let name = kind.flatMap { if case .string(let text) = $0.content { text } else { nil } } ?? "complex item"
            // Surveys and corridor scans contain their waypoints as simple items.
            let style = document.find("TransectStyleComplexItem", in: node)
            guard let items = style.flatMap({ document.find("Items", in: $0) }) ?? document.find("Items", in: node)
            else { return builder.omit("a \(name) is left out") }
            PlanKeys.check(complex: node, of: "a \(name)", &builder)
            let before = builder.route.points.count
            for part in try document.array(items, "a list of items") { try simple(part) }
            if builder.route.points.count > before {
                builder.note("a \(name) is read as its waypoints")
            } else {
                builder.omit("a \(name) is left out: the file has none of its waypoints")
            }
        default: throw document.unexpected(type, "SimpleItem or ComplexItem")
        }
    }

    private mutating func simple(_ node: JSONNode) throws(RouteFileError) {
        let commandNode = try document.value("command", in: node, "an item")
        PlanKeys.check(node, of: "an item", PlanKeys.ofItem, &builder)
        let number = try document.number(commandNode, "a command's number")
        guard let command = Int(exactly: number).flatMap({ MissionCommand(rawValue: $0) }) else {
            return leaveOut(number)
        }
        let parameters = try PlanParameters(node, document)
        defer { stopAfter(node) }
        switch command {
        case .waypoint, .splineWaypoint, .loiterTime, .loiterUnlimited:
            try waypoint(command, parameters, node)
        case .takeOff:
            guard builder.route.points.isEmpty else {
                return builder.omit("a take-off after a waypoint is left out")
            }
            ends.takeOff = .some(parameters.possiblePlace)
        case .land:
            ends.last = .landing(parameters.possiblePlace)
            end = "a landing"
        case .returnToLaunch:
            ends.last = .returnToLaunch
            end = "a return to launch"
        case .changeSpeed:
            // Zero and below: no change.
            guard let speed = try parameters.number(1), speed > 0 else {
                return builder.note("a change of speed is left out: the trajectory has its own speed")
            }
            builder.note(
                "a change of speed to \(speed.formatted(decimals: 1)) m/s is left out: the trajectory has its own speed"
            )
            builder.demand(FileSpeed(speed, "a change of speed"))
        // ArduPilot ends the region of interest by three zeros (do_roi), PX4 by the mode 0 (MAV_ROI_NONE) that is written with them.
        case .roi, .roiLocation: interest = try parameters.isZeroPlace ? nil : .geographic(parameters.place())
        case .roiNone: interest = nil
        case .mountControl, .gimbalPitchYaw:
            if let degrees = try parameters.number(0) { pitch = Heading.radians(degrees: degrees) }
            try atLast("a gimbal command") { [pitch] point in point.cameraPitchRadians = pitch }
        case .digicamControl: try atLast("a picture") { $0.takesSnapshot = true }
        case .imageStartCapture:
            let (interval, count) = (try parameters.number(1) ?? 0, try parameters.number(2) ?? 1)
            if interval > 0 || count != 1 {
                builder.note("a series of pictures is read as one picture at its waypoint")
            }
            try atLast("a picture") { $0.takesSnapshot = true }
        case .delay:
            let seconds = try parameters.number(0) ?? 0
            try atLast("a delay") { $0.holdSeconds += max(0, seconds) }
        case .conditionYaw: try yaw(parameters, node)
        }
    }

    /// A turn at the last point: to a bearing, or by an angle (MAV_CMD_CONDITION_YAW).
    private mutating func yaw(_ parameters: PlanParameters, _ node: JSONNode) throws(RouteFileError) {
        guard let degrees = try parameters.number(0) else { return }
        let direction = try parameters.number(2) ?? 0
        let relative = try parameters.number(3) ?? 0
        guard [-1, 0, 1].contains(direction) else {
            throw document.error(
                at: node, "the direction of its yaw, the third parameter, is \(direction), expected -1, 0 or 1")
        }
        guard [0, 1].contains(relative) else {
            throw document.error(
                at: node, "whether its yaw is relative, the fourth parameter, is \(relative), expected 0 or 1")
        }
        guard let last = builder.route.points.last else {
            return builder.note("a yaw before the first waypoint is left out")
        }
        var radians = Self.heading(compassDegrees: degrees)
        if relative == 1 {
            guard case .fixed(let before)? = last.heading else {
                return builder.omit("a yaw by an angle after a waypoint without a yaw is left out")
            }
            // Clockwise unless the direction says otherwise; ENU headings are counter-clockwise.
            radians = Heading.wrapped(before - Heading.radians(degrees: direction < 0 ? -degrees : degrees))
        }
        // The end is as in the file; the way there may be the other one.
        if direction != 0, relative == 0 || abs(degrees) > 180 {
            builder.note("the direction of a yaw is left out: the vehicle turns the shorter way")
        }
        try atLast("a yaw") { $0.heading = .fixed(radians: radians) }
    }

    /// Leaves out a command that is not supported.
    private mutating func leaveOut(_ number: Double) {
        let name = Int(exactly: number).flatMap { LeftOutCommand.names[$0] }.map { " (\($0))" } ?? ""
        let text = "command \(PlainNumber.text(number))\(name) is left out"
        if LeftOutCommand.isFlown(number) { builder.omit(text) } else { builder.note(text) }
    }

    /// Changes the last point, if there is one.
    private mutating func atLast(_ what: String, _ change: (inout RoutePoint) -> Void) throws(RouteFileError) {
        guard let last = builder.route.points.indices.last else {
            if what != "a gimbal command" { builder.note("\(what) before the first waypoint is left out") }
            return
        }
        change(&builder.route.points[last])
    }

    private mutating func waypoint(
        _ command: MissionCommand, _ parameters: PlanParameters, _ node: JSONNode
    ) throws(RouteFileError) {
        var point = RoutePoint(place: .geographic(try parameters.place()), cameraPitchRadians: pitch)
        if let metres = try parameters.number(6) {
            let frameNode = try document.value("frame", in: node)
            let reference: RoutePoint.AltitudeReference
            switch try document.number(frameNode, "a frame's number") {
            case 0, 5: reference = .meanSeaLevel
            case 3, 6: reference = .home
            case 10, 11: reference = .ground
            default: throw document.unexpected(frameNode, "frame 0 (sea level), 3 (home) or 10 (ground)")
            }
            point.altitude = .init(metres: metres, reference: reference)
        }
        if command != .loiterUnlimited, let seconds = try parameters.number(0) {
            guard seconds >= 0 else { throw document.unexpected(node, "a hold of 0 seconds or more") }
            point.holdSeconds = seconds
        }
        if command == .splineWaypoint {
            builder.omit("the curve of a spline waypoint (command 82) is not flown: the way to it is a straight line")
        }
        let radii = [1, 2].map { index in (try? parameters.number(index)) ?? 0 }
        if command == .waypoint || command == .splineWaypoint, radii.contains(where: { $0 != 0 }) {
            builder.note("the radii of waypoints are left out: the trajectory rounds corners by its own rule")
        }
        if let end { builder.omit("\(end) between waypoints is left out") }
        // What follows such an item is no end of the route.
        ends.last = nil
        if command == .loiterUnlimited {
            builder.note("an unlimited loiter is read as a waypoint")
            end = "an unlimited loiter"
        }
        if let interest {
            point.heading = .towards(interest)
        } else if command == .waypoint || command == .splineWaypoint, let yaw = try parameters.number(3) {
            point.heading = .fixed(radians: Self.heading(compassDegrees: yaw))
        }
        guard builder.hasCapacity else { throw document.unexpected(node, "at most \(builder.limit) points") }
        builder.route.points.append(point)
    }

    /// An item after which the mission waits until somebody continues it; at its end nothing follows.
    private mutating func stopAfter(_ node: JSONNode) {
        guard case .bool(false)? = document.find("autoContinue", in: node)?.content else { return }
        builder.note("a wait for the pilot (autoContinue: false) is left out")
        end = end ?? "a wait for the pilot (autoContinue: false)"
    }

    private static func heading(compassDegrees: Double) -> Double {
        Heading.wrapped(Heading.radians(degrees: 90 - compassDegrees))
    }
}
