package import RouteFiles
internal import Trajectories

/// What every format of points promises of any bytes: what is read is written and read again as the same, and what is wrong is
/// reported in one line.
package enum RouteRoundTrip {
    /// Reads the bytes as a format, writes what was read, and reads it again.
    ///
    /// - Parameter cannotHold: a part of the error with which the format refuses to write what it cannot hold.
    package static func check(_ bytes: [UInt8], as format: RouteFormat, cannotHold: String? = nil) {
        let first: ReadRoute
        do throws(RouteFileError) { first = try RouteFiles.read(bytes, name: "fuzz", format: format) } catch {
            precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
            return
        }
        precondition(first.notes.allSatisfy { !$0.contains { $0.isNewline } }, "a note of more than one line")
        // Names may lose what the format cannot hold; places and numbers may not.
        do throws(RouteFileError) {
            let again = try RouteFiles.read(
                try RouteFiles.write(first.route, as: format).bytes, name: "again", format: format)
            let (before, after) = (first.route.points, again.route.points)
            precondition(before.count == after.count, "\(before.count) points became \(after.count)")
            for (one, other) in zip(before, after) {
                precondition(one.place == other.place, "\(one.place) became \(other.place)")
                precondition(one.altitude == other.altitude, "\(String(describing: one.altitude)) changed")
            }
        } catch { precondition(cannotHold.map(error.what.contains) ?? false, "read, but not written: \(error)") }
    }
}
