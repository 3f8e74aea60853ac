internal import Geodesy
internal import Trajectories
internal import UAVLink

/// Writes QGroundControl plans: a waypoint for each point, with further items before and after it.
struct PlanWriter {
    /// What QGroundControl takes by default, m/s; a route has no speed.
    static let (cruiseSpeed, hoverSpeed) = (15, 5)

    private var items: [String] = []
    private var notes: [String] = []
    private var interest: GeographicCoordinate?
    private var pitch: Double?

    /// A plan of a route.
    ///
    /// The planned home is on the ground, and the altitude of a point is in the air: without a home the place of point 1
    /// is assumed, but never its altitude. An altitude that is not known is `null`, which QGroundControl reads as unknown
    /// (`JsonHelper::loadGeoCoordinate`), as our reader does.
    ///
    /// - Parameter home: what is known of the take-off position.
    static func write(_ route: Route, home: PlannedHome?) throws(RouteFileError) -> WrittenRoute {
        guard let first = route.points.first else { throw RouteFileError("the route has no points") }
        var writer = PlanWriter()
        for (index, point) in route.points.enumerated() { try writer.append(point, number: index + 1) }
        let below = try GeographicOnly.place(of: first, number: 1, format: "a plan")
        let place = home?.place ?? below
        let ground = home?.altitudeMetres.flatMap { $0.isFinite ? $0 : nil }
        if home?.place == nil {
            let height = ground == nil ? ", without an altitude: the ground is not known" : ", on the ground"
            writer.note("the planned home is assumed below point 1" + height)
        }
        let position: [Double?] = [place.latitudeDegrees, place.longitudeDegrees, ground]
        let homeText = Self.list(position)
        let out = """
            {
            "fileType": "Plan",
            "geoFence": {"circles": [], "polygons": [], "version": 2},
            "groundStation": "uavlink",
            "mission": {
            "cruiseSpeed": \(cruiseSpeed),
            "firmwareType": 12,
            "globalPlanAltitudeMode": 0,
            "hoverSpeed": \(hoverSpeed),
            "items": [
            \(writer.items.joined(separator: ",\n"))
            ],
            "plannedHomePosition": [\(homeText)],
            "vehicleType": 13,
            "version": 2
            },
            "rallyPoints": {"points": [], "version": 2},
            "version": 1
            }

            """
        return WrittenRoute(bytes: Array(out.utf8), notes: writer.notes)
    }

    private mutating func append(_ point: RoutePoint, number: Int) throws(RouteFileError) {
        let place = try GeographicOnly.place(of: point, number: number, format: "a plan")
        guard let altitude = point.altitude else {
            throw RouteFileError("point \(number) has no altitude, and a plan needs one")
        }
        let frame: Int
        switch altitude.reference {
        case .meanSeaLevel: frame = MissionFrame.seaLevel
        case .home: frame = MissionFrame.home
        case .ground: frame = MissionFrame.ground
        case .ellipsoid, .frame:
            throw RouteFileError(
                "point \(number): its altitude refers to '\(PointAnnotations.name(altitude.reference).sanitizedLine)', and a plan"
                    + " supports sea level, home and ground only")
        }
        try turn(point.heading, number: number)
        var yaw: Double?
        if case .fixed(let radians) = point.heading {
            let compass = (90 - Heading.degrees(radians: radians)).truncatingRemainder(dividingBy: 360)
            yaw = compass < 0 ? compass + 360 : compass
        }
        if point.heading == .alongPath { note("headings along the path are left out") }
        if !point.name.isEmpty { note("names of points are left out") }
        add(
            .waypoint, frame: frame,
            [point.holdSeconds, 0, 0, yaw, place.latitudeDegrees, place.longitudeDegrees, altitude.metres])
        if let wanted = point.cameraPitchRadians, wanted != pitch {
            pitch = wanted
            add(.mountControl, frame: MissionFrame.mission, [Heading.degrees(radians: wanted), 0, 0, 0, 0, 0, 2])
        }
        if point.cameraPitchRadians == nil, pitch != nil {
            note("a camera pitch also applies to later points without one")
        }
        if point.takesSnapshot { add(.imageStartCapture, frame: MissionFrame.mission, [0, 0, 1, 0, nil, nil, nil]) }
    }

    /// Starts or ends the region of interest.
    private mutating func turn(_ heading: RoutePoint.HeadingRule?, number: Int) throws(RouteFileError) {
        var wanted: GeographicCoordinate?
        if case .towards(let place) = heading {
            guard case .geographic(let target) = place else {
                throw RouteFileError(
                    "point \(number) has a heading target in metres of a frame, and a plan supports geographic places only"
                )
            }
            wanted = target
        }
        guard wanted != interest else { return }
        interest = wanted
        if let wanted {
            add(
                .roiLocation, frame: MissionFrame.seaLevel,
                [0, 0, 0, 0, wanted.latitudeDegrees, wanted.longitudeDegrees, 0])
        } else {
            add(.roiNone, frame: MissionFrame.mission, [0, 0, 0, 0, 0, 0, 0])
        }
    }

    private mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    private mutating func add(_ command: MissionCommand, frame: Int, _ parameters: [Double?]) {
        items.append(
            "{\"autoContinue\": true, \"command\": \(command.rawValue), \"doJumpId\": \(items.count + 1), \"frame\": \(frame),"
                + " \"params\": [\(Self.list(parameters))], \"type\": \"SimpleItem\"}")
    }

    private static func list(_ numbers: [Double?]) -> String {
        numbers.map { $0.map(PlainNumber.text) ?? "null" }.joined(separator: ", ")
    }
}
