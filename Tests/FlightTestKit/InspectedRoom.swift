internal import Foundation
internal import IntegrationKit
package import PointCloud
internal import Testing
package import Trajectories
package import UAVLink

/// A room that was scanned, placed so that its floor is the vehicle's ground, and places to inspect in it.
package struct InspectedRoom: Sendable, CustomTestStringConvertible {
    /// What the tests call it.
    package var testDescription: String
    /// What the scanner saw.
    package var map: @Sendable () throws -> PointCloud
    /// Where the vehicle stands.
    package var start: Vector3
    /// Places to inspect, with the heading that the camera needs, in no clever order.
    package var places: [(place: Vector3, headingRadians: Double)]
    /// A place that cannot be reached.
    package var unreachable: Vector3

    /// The same places as points of a plan; a snapshot is taken at each.
    package var points: [PlannedPoint] {
        places.map {
            PlannedPoint(position: $0.place, heading: .fixed(radians: $0.headingRadians), takesSnapshot: true)
        }
    }

    /// A scan of a flat, which lies beside the checkout; it is not ours to publish. Its scanner stood 1.36 m above the floor.
    package static let scanned = InspectedRoom(
        testDescription: "room_scan1.pcd",
        map: {
            var map = try CloudFile.read(scanFile.path).cloud
            let lift = Vector3(x: 0, y: 0, z: 1.36)
            map.origin = map.origin + lift
            map.viewpoint = map.viewpoint.map { $0 + lift }
            return map
        }, start: Vector3(x: 1.2, y: -0.4, z: 0),
        places: [
            (Vector3(x: -1.3, y: 1.8, z: 1.65), 2), (Vector3(x: 2.9, y: 0.9, z: 1.6), 0.5),
            (Vector3(x: 4.6, y: -0.3, z: 1.6), 0), (Vector3(x: 3.2, y: -2.2, z: 1.5), -1.5),
            (Vector3(x: -1.2, y: -0.3, z: 1.5), 3.1),
        ], unreachable: Vector3(x: 6.6, y: 0, z: 1.6))

    private static let scanFile = URL(filePath: SharedFiles.path("data/room_scan1.pcd"))

    /// Of our own making: 8 m by 6 m and 3 m high with a pillar, scanned from one place.
    package static let ours = InspectedRoom(
        testDescription: "our own room", map: { scan() }, start: Vector3(x: 2, y: 1.5, z: 0),
        places: [
            (Vector3(x: 4.3, y: 5.2, z: 1.4), 0), (Vector3(x: 6.8, y: 1.6, z: 1.6), 0),
            (Vector3(x: 1.2, y: 4.6, z: 1.5), 2),
        ], unreachable: Vector3(x: 4.5, y: 3.3, z: 1.5))

    /// Those whose files are here.
    package static let present: [InspectedRoom] = {
        guard FileManager.default.fileExists(atPath: scanFile.path) else {
            print("➜ the inspection of room_scan1.pcd is skipped: the file is not beside the checkout")
            return [ours]
        }
        return [ours, scanned]
    }()

    /// Where the rays of a scanner end: at the walls, or at the pillar before them.
    private static func scan() -> PointCloud {
        let eye = SIMD3<Double>(1, 1, 1.5)
        let room = (low: SIMD3<Double>(0, 0, 0), high: SIMD3<Double>(8, 6, 3))
        let pillar = (low: SIMD3<Double>(4, 2.8, 0), high: SIMD3<Double>(5, 3.8, 3))
        var offsets: [SIMD3<Float>] = []
        for row in 0..<180 {
            let elevation = (Double(row) + 0.5) / 180 * .pi - .pi / 2
            let count = max(1, Int(360 * cos(elevation)))
            for column in 0..<count {
                let azimuth = Double(column) / Double(count) * 2 * .pi
                let ray = SIMD3(cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation))
                var reach = crossings(eye, ray, room).leave
                let (enter, leave) = crossings(eye, ray, pillar)
                if enter <= leave, enter > 0 { reach = min(reach, enter) }
                offsets.append(SIMD3<Float>(eye + reach * ray))
            }
        }
        return PointCloud(offsets: offsets, viewpoint: Vector3(x: eye.x, y: eye.y, z: eye.z))
    }

    /// Where a ray enters a box and where it leaves it.
    private static func crossings(
        _ eye: SIMD3<Double>, _ ray: SIMD3<Double>, _ box: (low: SIMD3<Double>, high: SIMD3<Double>)
    ) -> (enter: Double, leave: Double) {
        var (enter, leave) = (-Double.infinity, Double.infinity)
        for axis in 0..<3 where abs(ray[axis]) > 1e-12 {
            let (one, other) = ((box.low[axis] - eye[axis]) / ray[axis], (box.high[axis] - eye[axis]) / ray[axis])
            enter = max(enter, min(one, other))
            leave = min(leave, max(one, other))
        }
        return (enter, leave)
    }
}
