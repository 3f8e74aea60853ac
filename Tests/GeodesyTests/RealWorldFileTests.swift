import Geodesy
import Testing
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// World files of real test fields, where they lie beside the checkout; they are not ours to publish.
@Suite struct RealWorldFileTests {
    static let folder = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/shared/data/worlds/"
    static let names = ["world_cisar.yaml", "world_kn_yard.yaml", "world_temesvar_field.yaml"]
    static var arePresent: Bool { names.allSatisfy { access(folder + $0, R_OK) == 0 } }

    @Test(.enabled(if: arePresent), arguments: names)
    func `each is read and has a safety area around its origin`(_ name: String) throws {
        let world = try WorldFileReader.read(try bytes(Self.folder + name), source: name)
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

    private func bytes(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw CancellationError() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }
}
