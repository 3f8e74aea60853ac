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
    /// - Parameter replacing: whether an existing file is replaced.
    /// - Returns: warnings about what the format cannot represent.
    /// - Throws: ``FileAccessError``.
    package static func write(
        _ points: [PlannedPoint], to path: String, _ session: WorldSession?, on files: any FileAccess, replacing: Bool
    ) async throws(FileAccessError) -> [String] {
        guard let format = RouteFormat.named(path) else {
            let known = RouteFormat.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw FileAccessError("unknown file type of \(path.sanitizedLine); use one of \(known)")
        }
        let written: WrittenRoute
        do {
            written = try RouteFiles.write(Route(planned: points, for: format, session: session), as: format)
        } catch {
            throw FileAccessError(error.what)
        }
        try await files.write(written.bytes, to: path, replacing: replacing)
        return written.notes
    }
}
