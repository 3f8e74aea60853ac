import Geodesy
import Testing
import UAVLink

@Suite("World files are written") struct WorldFileWriterTests {
    private static let corners: [SafetyArea.Corner] = [
        .init(x: -1.5, y: -2), .init(x: 1e-7, y: 3), .init(x: 4, y: 0.1),
    ]
    private static let heights = SafetyArea.Obstacle.Heights(
        frame: .worldOrigin, minimumZMetres: -1, maximumZMetres: 2.25)

    private func world(_ obstacles: [SafetyArea.Obstacle] = [], isEnabled: Bool = true) -> WorldFile {
        WorldFile(
            origin: .geographic(.init(latitudeDegrees: -47.397743, longitudeDegrees: 8.545594)),
            safetyArea: SafetyArea(
                isEnabled: isEnabled, horizontalFrame: .worldOrigin, corners: Self.corners,
                verticalFrame: .worldOrigin, minimumZMetres: 0.5, maximumZMetres: 1e3, obstacles: obstacles))
    }

    private func again(_ world: WorldFile) throws -> WorldFile {
        let bytes = try #require(WorldFileWriter.bytes(of: world))
        #expect(VehicleWorld.isWorld(bytes))
        return try WorldFileReader.read(bytes, source: "written.yaml")
    }

    @Test func `a world is read back as it was`() throws {
        for isEnabled in [true, false] {
            let world = world(isEnabled: isEnabled)
            #expect(try again(world) == world)
        }
        let grid = WorldFile(origin: .utm(eastingMetres: 458_422.2, northingMetres: 5_551_241.4))
        #expect(try again(grid) == grid)
        var geographic = world()
        geographic.safetyArea?.horizontalFrame = .latitudeLongitude
        geographic.safetyArea?.verticalFrame = .localOrigin
        #expect(try again(geographic) == geographic)
    }

    @Test func `obstacles are read back: prisms, and those without heights in the oldest layout`() throws {
        let prism = SafetyArea.Obstacle(
            name: "obstacle_0", horizontalFrame: .latitudeLongitude, shape: .polygon(Self.corners),
            heights: Self.heights)
        var other = prism
        (other.name, other.horizontalFrame) = ("obstacle_1", .worldOrigin)
        #expect(try again(world([prism, other])) == world([prism, other]))
        let column = SafetyArea.Obstacle(
            name: "point_obstacles 1", horizontalFrame: .worldOrigin,
            shape: .circle(centre: .init(x: 1, y: -2), radiusMetres: 0.75))
        let wall = SafetyArea.Obstacle(
            name: "polygon_obstacles 1", horizontalFrame: .worldOrigin, shape: .polygon(Self.corners))
        #expect(try again(world([wall, column, prism])) == world([wall, column, prism]))
    }

    @Test func `what no layout holds is not written`() {
        var world = world([
            .init(
                name: "point_obstacles 1", horizontalFrame: .utm,
                shape: .circle(centre: .init(x: 1, y: -2), radiusMetres: 0.75))
        ])
        #expect(WorldFileWriter.bytes(of: world) == nil)
        world.safetyArea?.obstacles[0].heights = Self.heights
        #expect(WorldFileWriter.bytes(of: world) == nil)
    }
}
