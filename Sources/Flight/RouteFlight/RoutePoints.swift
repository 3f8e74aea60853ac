package import Geodesy
internal import RouteFiles
package import Trajectories
internal import UAVLink

/// Reads and writes the points of routes.
package enum RoutePoints {
    /// Reads a file of points off the caller's actor.
    ///
    /// - Throws: ``FileAccessError`` or ``RouteLoadingError``.
    package static func read(
        _ path: String, from files: any FileAccess, _ resolver: RouteResolver
    ) async throws -> LoadedRoute {
        let bytes = try await files.read(path, atMost: LocalFiles.largest)
        return try await load(bytes, path, resolver)
    }

    @concurrent
    private static func load(
        _ bytes: [UInt8], _ name: String, _ resolver: RouteResolver
    ) async throws -> LoadedRoute {
        try LoadedRoute(bytes, name: name, resolver: resolver)
    }

    /// Writes points in the format that the name of the file says.
    ///
    /// - Parameters:
    ///   - home: what is known of the take-off position, for formats that have one.
    ///   - replacing: whether an existing file is replaced.
    /// - Returns: warnings about what the format cannot represent, and what was assumed.
    /// - Throws: ``FileAccessError``.
    package static func write(
        _ points: [PlannedPoint], to path: String, _ session: WorldSession?, home: RouteHome, on files: any FileAccess,
        replacing: Bool
    ) async throws(FileAccessError) -> [String] {
        guard let format = RouteFormat.named(path) else {
            let known = RouteFormat.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            // Read, but not written: the plan has replaced them.
            for old in [".mission", ".waypoints"] where path.lowercased().hasSuffix(old) {
                throw FileAccessError(
                    "\(path.sanitizedLine): \(old) files are read, not written; write a .plan, or one of \(known)")
            }
            throw FileAccessError("unknown file type of \(path.sanitizedLine); use one of \(known)")
        }
        let written: WrittenRoute
        do {
            written = try RouteFiles.write(
                Route(planned: points, for: format, session: session), as: format, home: home.planned(in: session))
        } catch {
            throw FileAccessError(error.what)
        }
        try await files.write(written.bytes, to: path, replacing: replacing)
        return written.notes
    }
}
