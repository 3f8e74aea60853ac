internal import Geodesy
internal import Tello
package import Trajectories
package import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A plan as a route of the map mode, and a route as a plan.
///
/// A plan has no place on the earth: its route is in metres from the take-off, in a frame of the vehicle that the user names,
/// x along the nose. A route becomes a plan for a drone that stands at its first point, with its nose along x (to the east
/// for places by latitude and longitude): turns, straight moves forward, and moves up and down, which every edition flies.
package enum PlanRoute {
    /// What a plan became, and what was lost.
    package struct Converted<Value: Sendable>: Sendable {
        /// The plan or the route.
        package var value: Value
        /// What it does not hold: lines for display.
        package var notes: [String]
        /// What would have been flown, or limited the flight, and is left out: lines for display, none of them a note.
        package var omissions: [String] = []
    }

    /// Legs and turns that are shorter the drone does not fly, metres and degrees.
    private static let shortest = 0.2
    private static let longest = 5.0
    private static let takeOffHeight = 0.8
    /// The mean radius of the earth, metres: over the few hundred metres of a Tello's reach more is not needed.
    private static let earthRadius = 6_371_008.8
    /// From a first to a last point a Tello flies no farther, metres; more is a route of another machine.
    private static let reach = 500.0

    // MARK: To a route

    /// The route of a plan: a point where each step that moves the drone ends.
    ///
    /// - Throws: ``PlanProblem`` if the plan flies where its place is not known.
    package static func route(
        of plan: FlightPlan, frame: FrameName = .localOrigin
    ) throws(PlanProblem) -> Converted<Route> {
        var route = Route(name: "flight plan")
        var notes: [String] = []
        var (last, heading) = (Vector3.zero, 0.0)
        for (step, moment) in zip(plan.steps, DryRun(plan).moments) {
            guard let place = moment.place, let turned = moment.heading else {
                throw PlanProblem(
                    line: step.line, "the place is not known from here on: 'pad' lines say where pads lie")
            }
            defer { (last, heading) = (place, turned) }
            switch step.action {
            case .wait(let seconds):
                guard !route.points.isEmpty else { continue }
                route.points[route.points.count - 1].holdSeconds += seconds
            case .send(.land): continue
            case .send(.flip): notes.append("line \(step.line): a route has no flips")
            case .send(.takeoff), .send(.curve):
                for point in moment.path { add(point, turned, frame, to: &route) }
            case .send:
                guard place != last || turned != heading else { continue }
                add(place, turned, frame, to: &route)
            }
        }
        guard !route.points.isEmpty else { throw PlanProblem(line: nil, "the plan flies nowhere") }
        return Converted(value: route, notes: notes)
    }

    private static func add(_ place: Vector3, _ heading: Double, _ frame: FrameName, to route: inout Route) {
        route.points.append(
            RoutePoint(
                place: .local(xMetres: place.x, yMetres: place.y, frame: frame),
                altitude: .init(metres: place.z, reference: .frame(frame)), heading: .fixed(radians: heading)))
    }

    // MARK: From a route

    /// A plan that flies the points of a route.
    ///
    /// - Parameter fence: where the route may be flown; a flight plan has no geofence, so that its areas are omissions.
    /// - Throws: ``PlanProblem`` if a point has no height, its place is in another frame than the first one's, or it is too
    ///   far away.
    package static func plan(
        of route: Route, within fence: Geofence = Geofence()
    ) throws(PlanProblem) -> Converted<FlightPlan> {
        guard let first = route.points.first else { throw PlanProblem(line: nil, "the route has no points") }
        guard route.points.count <= FlightPlan.mostSteps / 4 else {
            throw PlanProblem(line: nil, "the route has \(route.points.count) points, more than a flight plan holds")
        }
        var builder = PlanBuilder(height: takeOffHeight)
        var highest = 0.0
        for (index, point) in route.points.enumerated() {
            let name = "point \(index + 1)"
            let place = try metres(point.place, from: first.place, name)
            let height = try height(of: point, first, name)
            guard place.length <= reach, (0...Double(FlightPlan.heights.upperBound) / 100).contains(height) else {
                throw PlanProblem(line: nil, "\(name) is farther away or higher than a Tello flies")
            }
            highest = max(highest, height)
            builder.rise(to: height)
            builder.fly(to: place)
            if case .fixed(let radians)? = point.heading { builder.turn(to: radians) }
            if point.holdSeconds >= FlightPlan.waits.lowerBound {
                builder.add(.wait(seconds: min(point.holdSeconds, FlightPlan.waits.upperBound)))
            }
            if point.takesSnapshot { builder.notes.append("\(name): a flight plan takes no snapshots") }
            guard builder.actions.count < FlightPlan.mostSteps else {
                throw PlanProblem(line: nil, "the route takes more than \(FlightPlan.mostSteps) commands")
            }
        }
        let actions = [.send(.takeoff)] + builder.actions + [.send(.land)]
        var plan = FlightPlan(actions.enumerated().map { .init($0.element, line: $0.offset + 2) })
        // Room for where take-offs end.
        if let centimetres = Int(exactly: ((highest + 0.3) * 100).rounded(.up)) {
            plan.ceiling = min(max(plan.ceiling, centimetres), FlightPlan.heights.upperBound)
        }
        var notes = builder.notes
        if builder.shortLegs > 0 {
            notes.append("\(builder.shortLegs) legs of less than 0.2 m were added to those that follow")
        }
        return Converted(value: plan, notes: notes, omissions: omissions(of: route, fence))
    }

    /// What was lost on the way from a file to a plan, as problems of the plan.
    ///
    /// - Parameters:
    ///   - omissions: what would have been flown, or limited the flight: errors, unless they are allowed.
    ///   - notes: what else is lost: warnings.
    package static func problems(
        omissions: [String], notes: [String], allowsOmissions: Bool
    ) -> [PlanProblem] {
        omissions.map { PlanProblem(line: nil, $0, isWarning: allowsOmissions) }
            + notes.map { PlanProblem(line: nil, $0, isWarning: true) }
    }

    private static func omissions(of route: Route, _ fence: Geofence) -> [String] {
        var lines: [String] = []
        for (isInclusion, verb) in [(true, "left"), (false, "entered")] {
            let count = fence.areas.count { $0.isInclusion == isInclusion }
            guard count > 0 else { continue }
            let areas = count == 1 ? "an area" : "\(count) areas"
            lines.append(
                "\(areas) of the geofence that must not be \(verb) \(count == 1 ? "is" : "are") left out: "
                    + "a flight plan has no geofence")
        }
        for (index, point) in route.points.enumerated() where lines.count < PlanReader.mostProblems {
            if case .towards? = point.heading {
                lines.append("point \(index + 1): its heading towards a place is left out")
            }
            if point.holdSeconds > FlightPlan.waits.upperBound {
                lines.append(
                    "point \(index + 1): its hold is cut to \(FlightPlan.spelled(FlightPlan.waits.upperBound)) s")
            }
        }
        return lines
    }

    /// Metres from the first point: x east or along the frame's x, y north or along its y.
    private static func metres(
        _ place: RoutePoint.Place, from first: RoutePoint.Place, _ name: String
    ) throws(PlanProblem) -> Vector3 {
        switch (place, first) {
        case (.local(let x, let y, let frame), .local(let firstX, let firstY, let firstFrame)) where frame == firstFrame:
            return Vector3(x: x - firstX, y: y - firstY, z: 0)
        case (.geographic(let here), .geographic(let origin)):
            let radian = Double.pi / 180
            return Vector3(
                x: (here.longitudeDegrees - origin.longitudeDegrees).remainder(dividingBy: 360) * radian * earthRadius
                    * cos(origin.latitudeDegrees * radian),
                y: (here.latitudeDegrees - origin.latitudeDegrees) * radian * earthRadius, z: 0)
        default: throw PlanProblem(line: nil, "\(name) is in another frame than the first point")
        }
    }

    /// Metres above the floor of the take-off.
    private static func height(
        of point: RoutePoint, _ first: RoutePoint, _ name: String
    ) throws(PlanProblem) -> Double {
        guard let altitude = point.altitude else { return takeOffHeight }
        switch altitude.reference {
        case .ground, .home, .frame: return altitude.metres
        case .meanSeaLevel, .ellipsoid:
            throw PlanProblem(
                line: nil, "\(name) has its height above sea level: a Tello knows that above the floor only")
        }
    }

    /// The moves of a drone that has taken off at the origin, with its nose along x.
    private struct PlanBuilder {
        var actions: [FlightPlan.Action] = []
        var notes: [String] = []
        /// Legs that were too short to be flown by themselves.
        var shortLegs = 0
        private var place = Vector3.zero
        private var height: Double
        /// Whole degrees, as it was really turned.
        private var heading = 0

        init(height: Double) { self.height = height }

        mutating func add(_ action: FlightPlan.Action) { actions.append(action) }

        mutating func rise(to wanted: Double) {
            let flown = straight(wanted - height) { up, centimetres in .move(up ? .up : .down, centimetres: centimetres)
            }
            height += flown
        }

        mutating func fly(to target: Vector3) {
            let way = Vector3(x: target.x - place.x, y: target.y - place.y, z: 0)
            guard way.length >= PlanRoute.shortest else {
                if way.length > 0.01 { shortLegs += 1 }
                return
            }
            turn(to: atan2(way.y, way.x))
            let flown = straight(way.length) { ahead, centimetres in
                .move(ahead ? .forward : .back, centimetres: centimetres)
            }
            let radians = Heading.radians(degrees: Double(heading))
            place = place + Vector3(x: flown * cos(radians), y: flown * sin(radians), z: 0)
        }

        mutating func turn(to radians: Double) {
            guard radians.isFinite else { return }
            let wanted = Heading.degrees(radians: radians) - Double(heading)
            guard let degrees = Int(exactly: wanted.remainder(dividingBy: 360).rounded()), degrees != 0 else { return }
            heading += degrees
            actions.append(.send(.turn(clockwise: degrees < 0, degrees: abs(degrees))))
        }

        /// - Returns: metres that are flown, with their sign.
        private mutating func straight(_ metres: Double, _ move: (Bool, Int) -> TelloCommand) -> Double {
            guard var left = Int(exactly: (abs(metres) * 100).rounded()), left >= 20 else { return 0 }
            let whole = left
            while left > 0 {
                // What would be left for the last move must be a move too.
                let piece = left <= 500 ? left : left - 500 < 20 ? 400 : 500
                actions.append(.send(move(metres >= 0, piece)))
                left -= piece
            }
            return Double(metres >= 0 ? whole : -whole) / 100
        }
    }
}
