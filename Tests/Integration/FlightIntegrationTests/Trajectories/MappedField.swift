import Foundation
import Geodesy
import IntegrationKit
import Testing
import Trajectories
import UAVLink

/// A field with a safety area and a route inside it.
struct MappedField: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The world file, for the simulator and for the plan alike.
    var world: @Sendable () throws -> [UInt8]
    /// Corners of a route that keeps clear of the border: metres east and north of the origin, and up.
    var corners: [Vector3]
    /// A place outside, between two that are inside.
    var outside: Vector3

    /// A place of a route as a user gives it on a map: on the globe, its height above the world's origin.
    static func point(_ place: Vector3, _ session: WorldSession) throws -> RoutePoint {
        RoutePoint(
            place: .geographic(try session.grid.geographic(xMetres: place.x, yMetres: place.y)),
            altitude: .init(metres: place.z, reference: .frame(.worldOrigin)))
    }

    /// Of our own making; as the files of test fields are written, with the area on the globe.
    static let ours = MappedField(
        testDescription: "our own field",
        world: {
            Array(
                """
                mrs_uav_managers:
                  world_origin:
                    units: LATLON
                    origin_x: 49.40000
                    origin_y: 14.20000
                  safety_area_manager:
                    safety_area:
                      enabled: true
                      horizontal:
                        frame_name: latlon_origin
                        points: [49.3998, 14.1995, 49.3998, 14.2006, 49.4005, 14.2007, 49.4006, 14.1996]
                      vertical:
                        frame_name: world_origin
                        min_z: 1.0
                        max_z: 15.0
                """.utf8)
        },
        corners: [
            Vector3(x: 0, y: 0, z: 3), Vector3(x: 26, y: 4, z: 4), Vector3(x: 18, y: 30, z: 6),
            Vector3(x: -6, y: 22, z: 4),
        ], outside: Vector3(x: 80, y: 10, z: 4))

    /// A field that is really flown over, whose file lies beside the checkout: it is not ours to publish.
    static let temesvar = MappedField(
        testDescription: "world_temesvar_field.yaml", world: { Array(try Data(contentsOf: temesvarFile)) },
        corners: [
            Vector3(x: 0, y: 0, z: 3), Vector3(x: 24, y: 10, z: 4), Vector3(x: 26, y: 36, z: 6),
            Vector3(x: -2, y: 30, z: 4),
        ], outside: Vector3(x: 20, y: -75, z: 4))

    private static let temesvarFile = URL(filePath: SharedFiles.path("data/worlds/world_temesvar_field.yaml"))

    /// Those whose files are here.
    static let present: [MappedField] = {
        guard FileManager.default.fileExists(atPath: temesvarFile.path) else {
            print("➜ the flight over world_temesvar_field.yaml is skipped: the file is not beside the checkout")
            return [ours]
        }
        return [ours, temesvar]
    }()
}
