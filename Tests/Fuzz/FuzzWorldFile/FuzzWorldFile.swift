import FuzzKit
import Geodesy

/// Any bytes as a world file: what is read is finite, in range and has a zone, and is written and read again as the same; what is
/// wrong is reported in one line.
@main enum FuzzWorldFile: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let world: WorldFile
        do throws(GeodesyError) { world = try WorldFileReader.read(bytes, source: "fuzz.yaml") } catch {
            precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
            return
        }
        // An alias can repeat so much that what is written is larger than what is read.
        if let bytes = try? WorldFileWriter.bytes(of: world), bytes.count <= 1 << 19 {
            do throws(GeodesyError) {
                let again = try WorldFileReader.read(bytes, source: "written.yaml")
                precondition(again == world, "another world is read than was written")
            } catch {
                preconditionFailure("what was written cannot be read: \(error)")
            }
        }
        switch world.origin {
        case .geographic(let place):
            do throws(GeodesyError) { _ = try UTMZone(containing: place) } catch {
                preconditionFailure("a place without a zone: \(error)")
            }
        case .utm(let easting, let northing):
            precondition((0...1e6).contains(easting) && (0...1e7).contains(northing), "a place off the grid")
        }
        guard let area = world.safetyArea else { return }
        precondition(area.minimumZMetres < area.maximumZMetres, "heights the wrong way round")
        precondition((3...WorldFileReader.maximumCorners).contains(area.corners.count), "\(area.corners.count) corners")
        precondition(area.corners.allSatisfy { $0.x.isFinite && $0.y.isFinite }, "a corner nowhere")
    }
}
