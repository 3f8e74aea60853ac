internal import PointCloud
public import RouteFiles
public import Trajectories
internal import UAVLink

/// Points of an inspection from a file, and plans into one.
public enum InspectionRoute {
    /// The points of a file, in the map's frame, which is taken for `world_origin`.
    ///
    /// Metres that name no frame are the map's.
    /// - Throws: ``InspectionFailure/request(_:)`` that names file and point.
    public static func points(_ bytes: [UInt8], name: String) throws(InspectionFailure) -> [PlannedPoint] {
        let route: Route
        do { route = try RouteFiles.read(bytes, name: name).route } catch { throw .request(error.what) }
        let resolver = RouteResolver(references: WorldReferences())
        do {
            return try resolver.resolve(
                Route(name: route.name, points: route.points.map(inMap)))
        } catch {
            throw .request("\(name.harmlessLine): \(error.what)")
        }
    }

    /// A file's points; it waits for the disk on a thread of its own.
    ///
    /// - Throws: ``InspectionFailure/request(_:)`` that names file and point.
    public static func points(inFile path: String) async throws(InspectionFailure) -> [PlannedPoint] {
        try await PlanningThread.run { _ throws(InspectionFailure) in
            let bytes: [UInt8]
            do throws(PointCloudError) { bytes = try CloudFile.bytes(path) } catch { throw .request(error.what) }
            return try points(bytes, name: path)
        }
    }

    /// A plan as a file: where the format is one of samples, the samples of the trajectory, else the places of the path.
    ///
    /// - Throws: ``InspectionFailure/request(_:)`` when the name tells no format, or the format cannot hold it.
    public static func file(_ plan: InspectionPlan, name: String) throws(InspectionFailure) -> WrittenRoute {
        guard let format = RouteFormat.named(name) else {
            let known = RouteFormat.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw .request("\(name.harmlessLine): the name must end with one of \(known)")
        }
        let points = format == .mrs ? samples(plan) : plan.path.map(place)
        do { return try RouteFiles.write(Route(name: "inspection", points: points), as: format) } catch {
            throw .request(error.what)
        }
    }

    private static func samples(_ plan: InspectionPlan) -> [RoutePoint] {
        plan.trajectory.generated.trajectory.points.map { sample in
            RoutePoint(
                place: .local(xMetres: sample.position.x, yMetres: sample.position.y, frame: .worldOrigin),
                altitude: .init(metres: sample.position.z, reference: .frame(.worldOrigin)),
                heading: .fixed(radians: sample.headingRadians))
        }
    }

    private static func place(_ point: PlannedPoint) -> RoutePoint {
        let heading: RoutePoint.HeadingRule =
            switch point.heading {
            case .fixed(let radians): .fixed(radians: radians)
            case .alongPath: .alongPath
            case .towards(let x, let y): .towards(.local(xMetres: x, yMetres: y, frame: .worldOrigin))
            }
        return RoutePoint(
            place: .local(xMetres: point.position.x, yMetres: point.position.y, frame: .worldOrigin),
            altitude: .init(metres: point.position.z, reference: .frame(.worldOrigin)), heading: heading,
            holdSeconds: point.holdSeconds, cameraPitchRadians: point.cameraPitchRadians,
            takesSnapshot: point.takesSnapshot)
    }

    private static func inMap(_ point: RoutePoint) -> RoutePoint {
        var point = point
        if case .local(let x, let y, .current) = point.place {
            point.place = .local(xMetres: x, yMetres: y, frame: .worldOrigin)
        }
        if point.altitude?.reference == .frame(.current) { point.altitude?.reference = .frame(.worldOrigin) }
        if case .towards(.local(let x, let y, .current)) = point.heading {
            point.heading = .towards(.local(xMetres: x, yMetres: y, frame: .worldOrigin))
        }
        return point
    }
}
