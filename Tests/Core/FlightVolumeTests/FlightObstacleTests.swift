import FlightVolume
import Testing
import UAVLink

@Suite struct FlightObstacleTests {
    static let pond = FlightObstacle(
        name: "pond", shape: .polygon([[40, 40], [60, 40], [60, 60], [40, 60]]), minimumZMetres: 0, maximumZMetres: 10)
    static let mast = FlightObstacle(name: "mast", shape: .circle(centre: [20, 80], radiusMetres: 2))

    static func volume(margin: Double = 0) -> FlyableVolume {
        FlyableVolume(
            corners: [[0, 0], [100, 0], [100, 100], [0, 100]], minimumZMetres: 1, maximumZMetres: 15,
            obstacles: [pond, mast], obstacleMarginMetres: margin)
    }

    private func at(_ x: Double, _ y: Double, _ z: Double = 5) -> Vector3 { Vector3(x: x, y: y, z: z) }

    @Test(
        arguments: [
            (Vector3(x: 50, y: 50, z: 5), -5), (Vector3(x: 41, y: 50, z: 5), -1), (Vector3(x: 50, y: 50, z: 9.5), -0.5),
            (Vector3(x: 30, y: 50, z: 5), 10), (Vector3(x: 50, y: 50, z: 14), 4), (Vector3(x: 37, y: 50, z: 14), 5),
            (Vector3(x: 37, y: 36, z: 5), 5), (Vector3(x: 40, y: 40, z: 5), 0),
        ] as [(Vector3, Double)])
    func `the distance to a prism is that to its nearest face, negative inside`(_ p: Vector3, _ metres: Double) {
        #expect(abs(Self.pond.distance(p) - metres) < 1e-12)
    }

    @Test func `a circle without heights is a column without ends`() {
        #expect(abs(Self.mast.distance(at(25, 80, 5)) - 3) < 1e-12)
        #expect(abs(Self.mast.distance(at(25, 80, 1e6)) - 3) < 1e-12)
        #expect(abs(Self.mast.distance(at(20, 81, -1e6)) + 1) < 1e-12)
        #expect(Self.mast.distance(at(.nan, 0)) == -.infinity)
        #expect(Self.pond.distance(at(0, 0, .infinity)) == -.infinity)
    }

    @Test func `the drawn outline of a circle lies around it`() {
        let outline = Self.mast.outline
        #expect(outline.count == 24)
        for (index, corner) in outline.enumerated() {
            let next = outline[(index + 1) % outline.count]
            let middle = (corner + next) / 2 - [20, 80]
            #expect(abs((middle * middle).sum().squareRoot() - 2) < 1e-9)
        }
        #expect(Self.pond.outline == [[40, 40], [60, 40], [60, 60], [40, 60]])
    }

    @Test func `a place in an obstacle or within its margin is not flyable`() {
        let (bare, kept) = (Self.volume(), Self.volume(margin: 0.5))
        #expect(!bare.contains(at(50, 50)) && bare.contains(at(50, 50, 10.2)) && bare.contains(at(39.8, 50)))
        #expect(!kept.contains(at(50, 50, 10.2)) && !kept.contains(at(39.8, 50)) && kept.contains(at(39.4, 50)))
        #expect(kept.obstacle(at: at(20, 81)) == 1)
        #expect(kept.obstacle(at: at(30, 30)) == nil)
        // Exactly at the margin.
        #expect(kept.contains(at(39.5, 50)))
        #expect(abs(kept.distanceToBorder(at(30, 50)) - 4) < 1e-12, "the floor is nearer")
        #expect(abs(kept.distanceToObstacles(at(30, 50)) - 9.5) < 1e-12)
        #expect(kept.distanceToBorder(at(50, 50)) == -5.5)
    }

    @Test func `a line through an obstacle ends at its margin, and the first obstacle is named`() throws {
        let volume = Self.volume(margin: 0.5)
        let exit = try #require(volume.firstExit(from: at(10, 50), to: at(90, 50)))
        #expect(exit.border == .obstacle(0))
        #expect(abs(exit.position.x - 39.5) < 0.011)
        let mast = try #require(volume.firstExit(from: at(20, 95), to: at(20, 5)))
        #expect(mast.border == .obstacle(1))
        #expect(abs(mast.position.y - 82.5) < 0.011)
        #expect(volume.firstExit(from: at(10, 50, 12), to: at(90, 50, 12)) == nil)
        #expect(volume.firstExit(from: at(10, 30), to: at(90, 30)) == nil)
        // From above, down into it.
        let down = try #require(volume.firstExit(from: at(50, 50, 14), to: at(50, 50, 2)))
        #expect(abs(down.position.z - 10.5) < 0.011)
    }

    @Test func `a line along the margin passes, a little closer does not`() {
        let volume = Self.volume(margin: 0.5)
        #expect(volume.firstExit(from: at(10, 39.5), to: at(90, 39.5)) == nil)
        #expect(volume.firstExit(from: at(10, 39.52), to: at(90, 39.52))?.border == .obstacle(0))
    }

    @Test func `whichever comes first on the line is its end`() {
        let volume = Self.volume()
        #expect(volume.firstExit(from: at(50, 30), to: at(50, 200))?.border == .obstacle(0))
        #expect(volume.firstExit(from: at(70, 50), to: at(-70, 300))?.border == .side(2))
        #expect(volume.firstExit(from: at(50, 50), to: at(50, 90))?.border == .obstacle(0))
        #expect(volume.firstObstacle(from: at(50, -50, -5), to: at(50, 50, 5))?.border == .obstacle(0))
        #expect(volume.firstOutlineExit(from: at(10, 50), to: at(90, 50)) == nil)
    }

    @Test func `switched off, obstacles do not count either`() {
        var off = Self.volume(margin: 1)
        off.isEnabled = false
        #expect(off.contains(at(50, 50)))
        #expect(off.firstExit(from: at(10, 50), to: at(90, 50)) == nil)
        #expect(off.firstObstacle(from: at(10, 50), to: at(90, 50)) == nil)
    }

    @Test func `lines of any length end`() {
        let volume = Self.volume(margin: 0.5)
        #expect(volume.firstExit(from: at(50, 50), to: at(50, 50))?.border == .obstacle(0))
        #expect(volume.firstExit(from: at(10, 50), to: at(1e300, 50))?.border == .obstacle(0))
        #expect(volume.firstExit(from: at(10, 10), to: at(1e8, 10))?.border == .side(1))
        #expect(volume.firstExit(from: at(1e17, 50), to: at(50, 50)) != nil)
        #expect(volume.firstExit(from: at(.infinity, 10), to: at(10, 10)) != nil)
    }

    @Test func `random lines: what is left free stays away, and the end lies at the margin`() throws {
        let volume = Self.volume(margin: 0.5)
        var random = SplitMix64(seed: 7)
        func place() -> Vector3 {
            at(
                .random(in: 2...98, using: &random), .random(in: 2...98, using: &random),
                .random(in: 1...15, using: &random))
        }
        var crossing = 0
        for _ in 0..<300 {
            let (start, end) = (place(), place())
            guard volume.contains(start) else { continue }
            let exit = volume.firstExit(from: start, to: end)
            let most = exit?.fraction ?? 1
            for step in 0...400 {
                let place = start + (end - start) * (most * Double(step) / 400)
                // Within a step of the margin.
                #expect(volume.distanceToObstacles(place) > -0.011)
            }
            guard let exit else { continue }
            crossing += 1
            #expect(abs(volume.distanceToObstacles(exit.position)) < 0.011)
        }
        #expect(crossing > 20)
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var z = (seed ^ (seed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
