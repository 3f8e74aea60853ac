internal import Geodesy
public import UAVLink

/// Resolves a route to the vehicle's world: metres in `world_origin`.
///
/// A missing altitude or an unknown reference is an error that names the point and what is expected.
public struct RouteResolver: Sendable {
    /// What is known of the vehicle's world.
    public var references: WorldReferences
    /// Altitude of points without one, given by the user; `nil`: such a point is an error.
    public var defaultAltitude: RoutePoint.Altitude?
    /// Frame of points without one, given by the user; `nil`: such a point is an error.
    public var defaultFrame: FrameName?
    /// Whether ``defaultFrame`` is assumed, and not given by the user.
    public var assumesFrame = false
    /// Heading of points without one.
    public var defaultHeading: RoutePoint.HeadingRule

    /// Creates a resolver.
    public init(
        references: WorldReferences, defaultAltitude: RoutePoint.Altitude? = nil,
        defaultFrame: FrameName? = nil, defaultHeading: RoutePoint.HeadingRule = .alongPath
    ) {
        self.references = references
        self.defaultAltitude = defaultAltitude
        self.defaultFrame = defaultFrame
        self.defaultHeading = defaultHeading
    }

    /// Resolves the route's points to the vehicle's world.
    ///
    /// - Throws: ``RouteError`` that names the first point that cannot be resolved.
    public func resolve(_ route: Route) throws(RouteError) -> [PlannedPoint] {
        guard !route.points.isEmpty else { throw RouteError(.empty, "the route has no points") }
        guard route.points.count <= Route.maximumPoints else {
            throw RouteError(.tooLong, "the route has \(route.points.count) points, more than \(Route.maximumPoints)")
        }
        var planned: [PlannedPoint] = []
        planned.reserveCapacity(route.points.count)
        for (index, point) in route.points.enumerated() {
            let subject = Subject(index: index, name: point.name)
            let ground = try horizontal(point.place, subject)
            let z = try height(point.altitude, subject)
            guard point.holdSeconds.isFinite, point.holdSeconds >= 0 else {
                throw subject.error(.invalid, "a hold of \(point.holdSeconds) s; expected 0 or more")
            }
            guard point.cameraPitchRadians?.isFinite ?? true else {
                throw subject.error(.invalid, "the camera's pitch is not a finite number")
            }
            planned.append(
                PlannedPoint(
                    position: Vector3(x: ground.x, y: ground.y, z: z),
                    heading: try heading(point.heading ?? defaultHeading, subject), holdSeconds: point.holdSeconds,
                    cameraPitchRadians: point.cameraPitchRadians, takesSnapshot: point.takesSnapshot))
        }
        return planned
    }

    private struct Subject {
        let index: Int
        let name: String

        func error(_ code: RouteError.Code, _ what: String) -> RouteError {
            RouteError(code, point: index, name: name, what)
        }
    }

    private func heading(
        _ rule: RoutePoint.HeadingRule, _ subject: Subject
    ) throws(RouteError) -> PlannedPoint.Heading {
        switch rule {
        case .alongPath: return .alongPath
        case .fixed(let radians):
            guard radians.isFinite else { throw subject.error(.invalid, "the heading is not a finite number") }
            return .fixed(radians: Heading.wrapped(radians))
        case .towards(let place):
            let there = try horizontal(place, subject)
            return .towards(xMetres: there.x, yMetres: there.y)
        }
    }

    private func horizontal(
        _ place: RoutePoint.Place, _ subject: Subject
    ) throws(RouteError) -> (x: Double, y: Double) {
        let place = try named(place, subject)
        if case .local(let x, let y, .worldOrigin) = place {
            guard x.isFinite, y.isFinite else { throw subject.error(.invalid, "its place is not a finite number") }
            return (x, y)
        }
        guard let session = references.session else { throw originMissing(subject) }
        let found: (xMetres: Double, yMetres: Double)
        do {
            switch place {
            case .geographic(let coordinate): found = try session.world(coordinate)
            case .local(let x, let y, let frame): found = try session.world(x: x, y: y, frame: frame)
            }
        } catch {
            throw subject.error(error.code == .frame ? .frameUnknown : .invalid, error.what)
        }
        guard found.xMetres.isFinite, found.yMetres.isFinite else {
            throw subject.error(.invalid, "its place is not a finite number")
        }
        return (found.xMetres, found.yMetres)
    }

    /// The position with the current frame replaced by a named one.
    private func named(_ place: RoutePoint.Place, _ subject: Subject) throws(RouteError) -> RoutePoint.Place {
        guard case .local(let x, let y, .current) = place else { return place }
        return .local(xMetres: x, yMetres: y, frame: try frame(subject))
    }

    private func frame(_ subject: Subject) throws(RouteError) -> FrameName {
        guard let defaultFrame else {
            throw subject.error(
                .frameMissing, "its coordinates have no frame; name one, such as world_origin or local_origin")
        }
        return defaultFrame
    }

    private func originMissing(_ subject: Subject) -> RouteError {
        subject.error(
            .frameUnknown,
            "it is not in world_origin, whose location is unknown; connect the vehicle, "
                + "or give a world file (--world FILE) or an origin (--origin LAT,LON)")
    }

    private func height(_ given: RoutePoint.Altitude?, _ subject: Subject) throws(RouteError) -> Double {
        guard let altitude = given ?? defaultAltitude else {
            throw subject.error(.altitudeMissing, "it has no altitude, and none is given for such points")
        }
        guard altitude.metres.isFinite else {
            throw subject.error(.invalid, "its altitude is not a finite number")
        }
        return altitude.metres + (try zero(of: altitude.reference, subject))
    }

    /// z in `world_origin` of an altitude's reference.
    private func zero(
        of reference: RoutePoint.AltitudeReference, _ subject: Subject
    ) throws(RouteError) -> Double {
        let zeroAltitude = references.session?.altitudeMetres
        func known(
            _ value: Double?, _ base: String, needs what: String, of unknown: RoutePoint.AltitudeReference? = nil
        ) throws(RouteError) -> Double {
            guard let value, value.isFinite else {
                throw subject.error(.heightUnknown, "its altitude is above \(base), but \(what) is unknown")
                    .about(unknown ?? reference, lacksWorldAltitude: zeroAltitude?.isFinite != true)
            }
            return value
        }
        if case .frame(.current) = reference { return try zero(of: .frame(try frame(subject)), subject) }
        let worldZero = "the altitude of world_origin"
        switch reference {
        case .meanSeaLevel: return -(try known(zeroAltitude, "mean sea level", needs: worldZero))
        case .ellipsoid:
            let separation = try known(
                references.geoidSeparationMetres, "the ellipsoid", needs: "the height of the geoid")
            return -separation
                - (try known(zeroAltitude, "the ellipsoid", needs: worldZero, of: .meanSeaLevel))
        case .ground: return try known(references.groundZMetres, "the ground", needs: "z of the ground in world_origin")
        case .home:
            return try known(references.homeZMetres, "home", needs: "z of the take-off position in world_origin")
        case .frame(.worldOrigin): return 0
        case .frame(let frame):
            guard let session = references.session else { throw originMissing(subject) }
            do {
                return try session.worldZ(0, frame: frame)
            } catch {
                throw subject.error(.heightUnknown, "its altitude cannot be resolved: \(error.what)")
            }
        }
    }
}
