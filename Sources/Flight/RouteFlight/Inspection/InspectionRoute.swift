package import Geodesy
internal import PointCloud
package import RouteFiles
package import Trajectories
internal import UAVLink

/// Reads inspection points from files and writes plans to files.
package enum InspectionRoute {
    /// The points of a file, in the map's frame, which is taken as `world_origin`, and findings about what is left out.
    ///
    /// Metres without a frame are in the map's frame.
    /// - Parameters:
    ///   - session: the position of `world_origin`; `nil`: geographic places are refused.
    ///   - allowsOmissions: parts left out which the vehicle would have flown are warnings.
    /// - Throws: ``InspectionFailure/request(_:)`` that names file and point.
    package static func points(
        _ bytes: [UInt8], name: String, session: WorldSession? = nil, allowsOmissions: Bool = false
    ) throws(InspectionFailure) -> (points: [PlannedPoint], findings: [TrajectoryFinding]) {
        let read: ReadRoute
        do { read = try RouteFiles.read(bytes, name: name) } catch { throw .request(error.what) }
        let resolver = RouteResolver(references: WorldReferences(session: session))
        do {
            let points = try resolver.resolve(
                Route(name: read.route.name, points: read.route.points.map(inMap)))
            return (
                points,
                [TrajectoryFinding](notes: read.notes, omissions: read.omissions, allowsOmissions: allowsOmissions)
            )
        } catch {
            throw .request("\(name.sanitizedLine): \(error.what)")
        }
    }

    /// Reads a file's points on a dedicated thread, since it blocks on the disk.
    ///
    /// - Throws: ``InspectionFailure/request(_:)`` that names file and point.
    package static func points(
        inFile path: String, session: WorldSession? = nil, allowsOmissions: Bool = false
    ) async throws(InspectionFailure) -> (points: [PlannedPoint], findings: [TrajectoryFinding]) {
        try await PlanningThread.run { _ throws(InspectionFailure) in
            let bytes: [UInt8]
            do throws(PointCloudError) { bytes = try CloudFile.bytes(path) } catch { throw .request(error.what) }
            return try points(bytes, name: path, session: session, allowsOmissions: allowsOmissions)
        }
    }

    /// A plan as a file: the samples of the trajectory if the format is one of samples, else the points of the path.
    ///
    /// - Parameter session: the position of `world_origin`, for formats with geographic places.
    /// - Throws: ``InspectionFailure/request(_:)`` if the name has no known extension, or the format cannot hold the plan.
    package static func file(
        _ plan: InspectionPlan, name: String, session: WorldSession? = nil
    ) throws(InspectionFailure) -> WrittenRoute {
        guard let format = RouteFormat.named(name) else {
            let known = RouteFormat.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw .request("\(name.sanitizedLine): the name must end with one of \(known)")
        }
        do {
            let route =
                format == .mrs
                ? Route(name: "inspection", points: samples(plan))
                : try Route(name: "inspection", planned: plan.path, for: format, session: session)
            return try RouteFiles.write(route, as: format)
        } catch {
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
