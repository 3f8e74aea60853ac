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
        let bytes = try WorldFileWriter.bytes(of: world)
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

    @Test func `several polygons are written as the flight stack reads them: x of all, then y of all`() throws {
        let walls = (1...2).map { number in
            SafetyArea.Obstacle(
                name: "polygon_obstacles \(number)", horizontalFrame: .worldOrigin,
                shape: .polygon((1...2 + number).map { .init(x: Double(10 * number + $0), y: Double(-$0)) }))
        }
        #expect(try again(world(walls)) == world(walls))
        let text = String(decoding: try WorldFileWriter.bytes(of: world(walls)), as: UTF8.self)
        let numbers = text.filter { !$0.isWhitespace }
        let expected = [11, 12, 13, 21, 22, 23, 24, -1, -2, -3, -1, -2, -3, -4]
        let spellings = ["", ".0"].map { end in "data:[" + expected.map { "\($0)\(end)" }.joined(separator: ",") + "]" }
        #expect(spellings.contains { numbers.contains($0) }, "\(text)")
    }

    @Test func `what no layout holds is not written`() {
        var world = world([
            .init(
                name: "point_obstacles 1", horizontalFrame: .utm,
                shape: .circle(centre: .init(x: 1, y: -2), radiusMetres: 0.75))
        ])
        #expect(refusal(of: world)?.hasPrefix("no layout of a world file holds these obstacles") == true)
        world.safetyArea?.obstacles[0].heights = Self.heights
        #expect(refusal(of: world)?.hasPrefix("no layout of a world file holds these obstacles") == true)
    }

    private func refusal(of world: WorldFile) -> String? {
        do throws(GeodesyError) { _ = try WorldFileWriter.bytes(of: world) } catch { return error.what }
        return nil
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite is refused, with the place where it stands`(_ bad: Double) {
        func what(_ place: String) -> String { "\(place): found \(bad), expected a finite number" }
        func refusal(_ change: (inout SafetyArea) -> Void) -> String? {
            let prism = SafetyArea.Obstacle(
                name: "shed\u{1B}", horizontalFrame: .worldOrigin, shape: .polygon(Self.corners), heights: Self.heights)
            let column = SafetyArea.Obstacle(
                name: "pond", horizontalFrame: .worldOrigin,
                shape: .circle(centre: .init(x: 1, y: -2), radiusMetres: 0.75))
            var world = world([prism, column])
            if var area = world.safetyArea {
                change(&area)
                world.safetyArea = area
            }
            return self.refusal(of: world)
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.corners[2].y = bad } == what("corner 3 of the safety area"))
        #expect(refusal { $0.minimumZMetres = bad } == what("the heights of the safety area"))
        #expect(refusal { $0.maximumZMetres = bad } == what("the heights of the safety area"))
        let corner = refusal { area in
            var corners = Self.corners
            corners[1].x = bad
            area.obstacles[0].shape = .polygon(corners)
        }
        #expect(corner?.hasPrefix("corner 2 of the obstacle 'shed") == true && corner?.contains("\u{1B}") == false)
        let heights = refusal { $0.obstacles[0].heights?.maximumZMetres = bad }
        #expect(heights?.hasPrefix("the heights of the obstacle 'shed") == true)
        let round = { (x: Double, radius: Double) in
            SafetyArea.Obstacle.Shape.circle(centre: .init(x: x, y: 0), radiusMetres: radius)
        }
        #expect(refusal { $0.obstacles[1].shape = round(bad, 1) } == what("the centre of the obstacle 'pond'"))
        #expect(refusal { $0.obstacles[1].shape = round(0, bad) } == what("the radius of the obstacle 'pond'"))
        for origin in [
            WorldFile.Origin.geographic(.init(latitudeDegrees: bad, longitudeDegrees: 8)),
            .utm(eastingMetres: 458_422.2, northingMetres: bad),
        ] {
            #expect(self.refusal(of: WorldFile(origin: origin)) == what("the origin"))
        }
    }
}
