import FuzzKit
import RouteFiles
import Trajectories

/// Any bytes as GeoJSON: what is read is written and read again as the same, and what is wrong is told in one line.
@main enum FuzzGeoJSON: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let first: ReadRoute
        do throws(RouteFileError) { first = try RouteFiles.read(bytes, name: "fuzz", format: .geoJSON) } catch {
            precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
            return
        }
        precondition(first.notes.allSatisfy { !$0.contains { $0.isNewline } }, "a note of more than one line")
        // Names may lose what the format cannot hold; places and numbers may not.
        do throws(RouteFileError) {
            let again = try RouteFiles.read(
                try RouteFiles.write(first.route, as: .geoJSON).bytes, name: "again", format: .geoJSON)
            let (before, after) = (first.route.points, again.route.points)
            precondition(before.count == after.count, "\(before.count) points became \(after.count)")
            for (one, other) in zip(before, after) {
                precondition(one.place == other.place, "\(one.place) became \(other.place)")
                precondition(one.altitude == other.altitude, "\(String(describing: one.altitude)) changed")
            }
        } catch { preconditionFailure("read, but not written: \(error)") }
    }
}
