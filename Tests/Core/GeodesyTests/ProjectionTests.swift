import Geodesy
import Testing
import UAVLink

@Suite struct ProjectionTests {
    /// 50.076408 N, 14.418019 E = UTM 33N 458357.390 E, 5547288.346 N: published with the flight stack.
    @Test func `the published place lies within a millimetre`() throws {
        let place = GeographicCoordinate(latitudeDegrees: 50.076408, longitudeDegrees: 14.418019)
        let projection = try UTMProjection(containing: place)
        #expect(projection.zone.description == "33N")
        let grid = try projection.grid(place)
        #expect(abs(grid.eastingMetres - 458_357.390) < 0.001)
        #expect(abs(grid.northingMetres - 5_547_288.346) < 0.001)
        let back = try projection.geographic(eastingMetres: 458_357.390, northingMetres: 5_547_288.346)
        #expect(abs(back.latitudeDegrees - place.latitudeDegrees) < 1e-8)
        #expect(abs(back.longitudeDegrees - place.longitudeDegrees) < 1e-8)
    }

    /// The flight recorded from the real stack: its first GNSS position and what the stack made of it.
    @Test func `the real stack's first position agrees with ours`() throws {
        let grid = try UTMProjection(
            containing: GeographicCoordinate(latitudeDegrees: 47.397742979692936, longitudeDegrees: 8.545594132697039)
        ).grid(GeographicCoordinate(latitudeDegrees: 47.397742979692936, longitudeDegrees: 8.545594132697039))
        #expect(grid.zone.description == "32N")
        #expect(abs(grid.eastingMetres - 465_710.76) < 0.1)
        #expect(abs(grid.northingMetres - 5_249_465.43) < 0.1)
    }

    @Test(arguments: [
        (-180.0, 1), (180.0, 1), (-174.000001, 1), (-174.0, 2), (0.0, 31), (5.999999, 31), (6.0, 32), (179.999, 60),
    ])
    func `zones go by longitude`(longitude: Double, number: Int) throws {
        let zone = try UTMZone(containing: .init(latitudeDegrees: 1, longitudeDegrees: longitude))
        #expect(zone.number == number)
        #expect(zone.isNorth)
    }

    @Test func `there are sixty zones`() {
        #expect(UTMZone(number: 0, isNorth: true) == nil)
        #expect(UTMZone(number: 61, isNorth: true) == nil)
        #expect(UTMZone(number: 60, isNorth: false)?.description == "60S")
    }

    @Test func `a forced zone shows places of its neighbour, and the south counts from ten million`() throws {
        let place = GeographicCoordinate(latitudeDegrees: -33.9, longitudeDegrees: 18.4)
        let own = try UTMProjection(containing: place).grid(place)
        #expect(own.zone.description == "34S")
        #expect((6_200_000...6_300_000).contains(own.northingMetres))
        let forced = try UTMProjection(zone: try #require(UTMZone(number: 33, isNorth: false))).grid(place)
        #expect(forced.eastingMetres > 800_000)
    }

    @Test func `places that are none are refused by name`() throws {
        let projection = UTMProjection(zone: try #require(UTMZone(number: 33, isNorth: true)))
        for (latitude, longitude) in [(90.1, 0), (-91, 0), (0, 180.1), (.nan, 0), (0, .infinity)] {
            #expect(throws: GeodesyError.self) {
                try projection.grid(.init(latitudeDegrees: latitude, longitudeDegrees: longitude))
            }
        }
        #expect(throws: GeodesyError.self) { try projection.geographic(eastingMetres: .nan, northingMetres: 0) }
        #expect(throws: GeodesyError.self) { try projection.geographic(eastingMetres: 1e30, northingMetres: 1e30) }
    }

    @Test func `a grid frame goes there and back`() throws {
        let frame = try GridFrame(origin: .init(latitudeDegrees: 49.36225, longitudeDegrees: 14.26143))
        let place = try frame.geographic(xMetres: 100, yMetres: -50)
        let (x, y) = try frame.local(place)
        #expect(abs(x - 100) < 1e-6)
        #expect(abs(y + 50) < 1e-6)
    }

    @Test func `one projection serves many threads`() async throws {
        let frame = try GridFrame(origin: .init(latitudeDegrees: 50, longitudeDegrees: 14))
        await withTaskGroup(of: Bool.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    (0..<200).allSatisfy { index in
                        let (x, y) = (Double(seed * 100 + index), Double(index))
                        guard let place = try? frame.geographic(xMetres: x, yMetres: y),
                            let back = try? frame.local(place)
                        else { return false }
                        return abs(back.xMetres - x) < 1e-5 && abs(back.yMetres - y) < 1e-5
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
