import Geodesy
import Testing

/// Places whose grid coordinates others have published.
@Suite struct PublishedPointTests {
    /// The test points of Chris Veness' geodesy functions (Karney's series to the sixth order, WGS84), each to the decimals
    /// that were published.
    @Test(arguments: [
        (0.0, 0.0, "31N", 166_021.443081, 0.0),
        (1, 1, "31N", 277_438.263521, 110_597.972524),
        (-1, -1, "30S", 722_561.736479, 9_889_402.027476),
        (48.8583, 2.2945, "31N", 448_251.898, 5_411_943.794),
        (-33.857, 151.215, "56S", 334_873.199, 6_252_266.092),
        (38.8977, -77.0365, "18N", 323_394.296, 4_307_395.634),
        (-22.9519, -43.2106, "23S", 683_466.254, 7_460_687.433),
        (60.39135, 5.3249, "32N", 297_508.410, 6_700_645.296),
    ])
    func `a published place lies within a millimetre, there and back`(
        latitude: Double, longitude: Double, zone: String, easting: Double, northing: Double
    ) throws {
        let place = GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        let projection = UTMProjection(zone: try UTMZone(withExceptionsContaining: place))
        #expect(projection.zone.description == zone)
        let grid = try projection.grid(place)
        #expect(abs(grid.eastingMetres - easting) < 0.001)
        #expect(abs(grid.northingMetres - northing) < 0.001)
        let back = try projection.geographic(eastingMetres: easting, northingMetres: northing)
        #expect(abs(back.latitudeDegrees - latitude) < 1e-8)
        #expect(abs(back.longitudeDegrees - longitude) < 2e-8)
    }

    /// PROJ's own documentation of `gie` has these for GRS80, whose pole lies 0.1 mm off WGS84's.
    @Test(arguments: [(55.0, 12.0, 691_875.63214, 6_098_907.82501), (56, 12, 687_071.4391, 6_210_141.3267)])
    func `PROJ's own points lie within a millimetre`(
        latitude: Double, longitude: Double, easting: Double, northing: Double
    ) throws {
        let zone = try #require(UTMZone(number: 32, isNorth: true))
        let grid = try UTMProjection(zone: zone)
            .grid(.init(latitudeDegrees: latitude, longitudeDegrees: longitude))
        #expect(abs(grid.eastingMetres - easting) < 0.001)
        #expect(abs(grid.northingMetres - northing) < 0.001)
    }

    /// The quarter meridian of WGS84 is 10,001,965.7293 m (Karney, "Transverse Mercator with an accuracy of a few
    /// nanometers", 2011), and UTM shrinks it by 0.9996.
    @Test func `the pole is a quarter meridian away`() throws {
        let zone = try #require(UTMZone(number: 33, isNorth: true))
        let pole = try UTMProjection(zone: zone).grid(.init(latitudeDegrees: 90, longitudeDegrees: 15))
        #expect(abs(pole.northingMetres - 0.9996 * 10_001_965.7293) < 0.001)
        #expect(abs(pole.eastingMetres - 500_000) < 0.001)
    }

    @Test(arguments: [
        (55.999, 3.0, 31), (56, 3, 32), (56, 2.999, 31), (63.999, 11.999, 32), (64, 4, 31), (71.999, 8, 32),
        (72, 8.999, 31),
        (72, 9, 33), (78, 20.999, 33), (78, 21, 35), (78, 32.999, 35), (78, 33, 37), (84, 41.999, 37), (78, 42, 38),
        (-60, 5, 31),
    ])
    func `the exceptions of Norway and Svalbard are a choice`(latitude: Double, longitude: Double, number: Int) throws {
        let place = GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        #expect(try UTMZone(withExceptionsContaining: place).number == number)
        #expect(try UTMZone(containing: place).number == Int((longitude + 180) / 6) + 1)
    }
}
