internal import Geodesy
package import MRSMessages
package import UAVLink

/// The border of the safety area as the flight stack shows it: lines around its lowest and its greatest height, and between them.
///
/// The real stack shows one marker of single lines (`LINE_LIST`) in `local_origin`; a marker of connected lines (`LINE_STRIP`) is read
/// as well. Obstacles that older stacks draw beside the border are left out.
package struct BorderMarkers: Hashable {
    /// The frame of all positions, as the vehicle names it.
    package let frame: String
    /// The corners at the lowest height in order, metres; the last joins the first.
    package let corners: [Vector3]
    /// The first corner at the greatest height.
    package let top: Vector3

    /// The most points of all markers: ten thousand corners have twelve each.
    private static let mostPoints = 120_000
    /// What joins, and what has the same height: transformed coordinates differ by less.
    private static let toleranceMetres = 0.02

    private struct Line {
        let from: Vector3
        let to: Vector3
    }

    /// A closed line at one height.
    private struct Loop {
        let corners: [Vector3]
        let area: Double
        var z: Double { corners[0].z }

        init?(_ corners: [Vector3]) {
            guard corners.count >= 3, let first = corners.first else { return nil }
            var sum = 0.0
            for (here, next) in zip(corners, corners.dropFirst() + [first]) {
                let (a, b) = (here - first, next - first)
                sum += a.x * b.y - b.x * a.y
            }
            guard sum.isFinite, sum != 0 else { return nil }
            self.corners = corners
            area = abs(sum) / 2
        }
    }

    /// The border in a message; `nil` if there is none, or it is drawn in another way.
    package init?(_ message: VisualizationMsgs.MarkerArray) {
        let markers = message.markers.filter { Int32(VisualizationMsgs.Marker.add) == $0.action && $0.points.count > 1 }
        guard let frame = markers.first?.header.frameID, !frame.isEmpty,
            markers.allSatisfy({ $0.header.frameID == frame && Self.isInPlace($0.pose) })
        else { return nil }
        var count = 0
        var lines: [Line] = []
        for marker in markers {
            count += marker.points.count
            guard count <= Self.mostPoints, let more = Self.lines(of: marker) else { return nil }
            lines += more
        }
        let loops = Self.loops(lines)
        guard let largest = loops.map(\.area).max() else { return nil }
        // The border is around all else: at its lowest height and, with the same area, at its greatest.
        let ends = loops.filter { $0.area >= largest * (1 - 1e-3) }.sorted { $0.z < $1.z }
        guard let lowest = ends.first, let greatest = ends.last, greatest.z - lowest.z > Self.toleranceMetres else {
            return nil
        }
        self.frame = frame
        corners = lowest.corners
        top = Vector3(x: lowest.corners[0].x, y: lowest.corners[0].y, z: greatest.z)
    }

    /// The border in the layout of a world file; `nil` for numbers that are not finite.
    ///
    /// - Parameters:
    ///   - places: ``corners`` and then ``top`` in `world_origin`.
    ///   - origin: where that is.
    package static func document(_ places: [Vector3], at origin: FlightEnvelope.WorldOrigin) -> [UInt8]? {
        guard let lowest = places.first, let top = places.last else { return nil }
        let place = GeographicCoordinate(
            latitudeDegrees: origin.latitudeDegrees, longitudeDegrees: origin.longitudeDegrees)
        let area = SafetyArea(
            horizontalFrame: .worldOrigin,
            corners: places.dropLast().map { SafetyArea.Corner(x: rounded($0.x), y: rounded($0.y)) },
            verticalFrame: .worldOrigin, minimumZMetres: rounded(lowest.z), maximumZMetres: rounded(top.z))
        return try? WorldFileWriter.bytes(of: WorldFile(origin: .geographic(place), safetyArea: area))
    }

    /// To the millimetre: a transformation gives other last digits each time, and would count as a change.
    private static func rounded(_ metres: Double) -> Double { (metres * 1000).rounded() / 1000 }

    private static func isInPlace(_ pose: GeometryMsgs.Pose) -> Bool {
        let (position, turn) = (pose.position, pose.orientation)
        return position.x == 0 && position.y == 0 && position.z == 0 && turn.x == 0 && turn.y == 0 && turn.z == 0
    }

    /// `nil` for another kind of marker, and for numbers that are not finite.
    private static func lines(of marker: VisualizationMsgs.Marker) -> [Line]? {
        let points = marker.points.map { Vector3(x: $0.x, y: $0.y, z: $0.z) }
        guard points.allSatisfy(\.isFinite) else { return nil }
        switch marker.type {
        case Int32(VisualizationMsgs.Marker.lineList):
            return stride(from: 0, to: points.count - 1, by: 2).map { Line(from: points[$0], to: points[$0 + 1]) }
        case Int32(VisualizationMsgs.Marker.lineStrip):
            return zip(points, points.dropFirst()).map { Line(from: $0, to: $1) }
        default: return nil
        }
    }

    /// The closed lines among those that are level, each of lines that follow one another.
    private static func loops(_ lines: [Line]) -> [Loop] {
        var found: [Loop] = []
        var corners: [Vector3] = []
        var end: Vector3?
        for line in lines where abs(line.from.z - line.to.z) <= toleranceMetres {
            if let last = end, isSame(last, line.from) {
                corners.append(line.from)
            } else {
                corners = [line.from]
            }
            end = line.to
            if let first = corners.first, isSame(first, line.to) {
                if let loop = Loop(corners) { found.append(loop) }
                (corners, end) = ([], nil)
            }
        }
        return found
    }

    private static func isSame(_ one: Vector3, _ other: Vector3) -> Bool { (one - other).length <= toleranceMetres }
}
