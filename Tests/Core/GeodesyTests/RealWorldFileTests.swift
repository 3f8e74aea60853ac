import FlightVolume
import Geodesy
import IntegrationKit
import Testing
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// World files of real test fields, where they lie beside the checkout; they are not ours to publish.
@Suite struct RealWorldFileTests {
    static let names = ["world_cisar.yaml", "world_kn_yard.yaml", "world_temesvar_field.yaml"]
    static var arePresent: Bool { names.allSatisfy { SharedFiles.arePresent("data/worlds/" + $0) } }

    @Test(.enabled(if: arePresent, "the world files do not lie beside the checkout"), arguments: names)
    func `each is read and has a safety area around its origin`(_ name: String) throws {
        let world = try WorldFileReader.read(try bytes(SharedFiles.path("data/worlds/" + name)), source: name)
        let area = try #require(world.safetyArea)
        #expect(area.isEnabled)
        #expect(area.corners.count >= 4)
        let frame = try world.frame(zone: try #require(UTMZone(number: 33, isNorth: true)))
        for corner in area.corners {
            var (x, y) = (corner.x, corner.y)
            if area.horizontalFrame == .latitudeLongitude {
                (x, y) = try frame.local(.init(latitudeDegrees: corner.x, longitudeDegrees: corner.y))
            }
            #expect((x * x + y * y).squareRoot() < 300)
        }
    }

    @Test(.enabled(if: arePresent, "the world files do not lie beside the checkout"), arguments: names)
    func `each gives a volume that holds the middle of its first side, moved inwards, and not 10 km off`(
        _ name: String
    ) throws {
        let world = try WorldFileReader.read(try bytes(SharedFiles.path("data/worlds/" + name)), source: name)
        let zone = try #require(UTMZone(number: 33, isNorth: true))
        let session = try WorldSession(worldFile: world, zone: zone)
        let volume = try session.volume(try #require(world.safetyArea))
        let (one, other) = (volume.corners[0], volume.corners[1])
        let (middle, side) = ((one + other) / 2, other - one)
        let inwards = SIMD2(-side.y, side.x) / (side * side).sum().squareRoot()
        let z = (volume.minimumZMetres + volume.maximumZMetres) / 2
        let near = [0.5, -0.5].map { Vector3(x: middle.x + inwards.x * $0, y: middle.y + inwards.y * $0, z: z) }
        #expect(near.filter { volume.contains($0) }.count == 1)
        #expect(near.allSatisfy { abs(abs(volume.distanceToBorder($0)) - 0.5) < 0.01 })
        #expect(volume.firstExit(from: near[0], to: near[1]) != nil)
        #expect(!volume.contains(Vector3(x: 10_000, y: 0, z: z)))
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw CancellationError() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }
}
