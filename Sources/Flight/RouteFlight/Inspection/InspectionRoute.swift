package import Geodesy
internal import PointCloud
package import RouteFiles
package import Trajectories
internal import UAVLink

/// Reads inspection points from files and writes plans to files.
package enum InspectionRoute {
    /// Reads a file's points on a dedicated thread, since it blocks on the disk.
    ///
    /// - Throws: ``InspectionFailure/request(_:)`` that names the file.
    package static func read(fromFile path: String) async throws(InspectionFailure) -> ReadRoute {
        try await PlanningThread.run { _ throws(InspectionFailure) in
            let bytes: [UInt8]
            do throws(PointCloudError) { bytes = try CloudFile.bytes(path) } catch { throw .request(error.what) }
            do throws(RouteLoadingError) { return try LoadedRoute.read(bytes, name: path) } catch {
                throw .request(error.description)
            }
        }
    }

    /// Resolves what was read from a file.
    ///
    /// The points are in the map's frame, which is taken as `world_origin`; so are metres without a frame.
    /// - Parameters:
    ///   - path: the file's name, for errors.
    ///   - resolver: what is known of the world; a frame that it has for points without one counts.
    /// - Throws: ``InspectionFailure/points(_:)`` that names file and point.
    package static func resolved(
        _ read: ReadRoute, fromFile path: String, _ resolver: RouteResolver
    ) throws(InspectionFailure) -> LoadedRoute {
        var resolver = resolver
        if resolver.defaultFrame == nil { (resolver.defaultFrame, resolver.assumesFrame) = (.worldOrigin, true) }
        do throws(RouteLoadingError) { return try LoadedRoute(read, name: path, resolver: resolver) } catch {
            throw .points(error)
        }
    }

    /// A plan as a file: the samples of the trajectory if the format is one of samples, else the points of the path.
    ///
    /// - Parameters:
    ///   - session: the position of `world_origin`, for formats with geographic places.
    ///   - home: what is known of the take-off position, for formats that have one.
    /// - Throws: ``InspectionFailure/request(_:)`` if the name has no known extension, or the format cannot hold the plan.
    package static func file(
        _ plan: InspectionPlan, name: String, session: WorldSession? = nil, home: RouteHome = RouteHome()
    ) throws(InspectionFailure) -> WrittenRoute {
        guard let format = RouteFormat.named(name) else {
            let known = RouteFormat.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw .request("\(name.sanitizedLine): the name must end with one of \(known)")
        }
        do {
            let route =
                format == .mrs
                ? Route(name: "inspection", points: samples(plan))
                : try Route(name: "inspection", planned: plan.written ?? plan.path, for: format, session: session)
            return try RouteFiles.write(route, as: format, home: home.planned(in: session))
        } catch {
            throw .request(error.what)
        }
    }

    /// The YAML file beside the samples of a plan, without which a reader does not know their frame and their time step.
    ///
    /// - Parameter name: the name of the samples' file.
    /// - Returns: its name and its content; `nil` if the format is not one of samples.
    package static func settingsFile(_ plan: InspectionPlan, besides name: String) -> (name: String, bytes: [UInt8])? {
        guard RouteFormat.named(name) == .mrs, let beside = TrajectoryFile.settingsName(of: name) else { return nil }
        return (beside, TrajectoryFile.write(plan.trajectory.generated.trajectory).settings)
    }

    private static func samples(_ plan: InspectionPlan) -> [RoutePoint] {
        plan.trajectory.generated.trajectory.points.map { sample in
            RoutePoint(
                place: .local(xMetres: sample.position.x, yMetres: sample.position.y, frame: .worldOrigin),
                altitude: .init(metres: sample.position.z, reference: .frame(.worldOrigin)),
                heading: .fixed(radians: sample.headingRadians))
        }
    }
}
