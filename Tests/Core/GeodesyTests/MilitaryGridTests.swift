import Geodesy
import Testing

@Suite struct MilitaryGridTests {
    /// Published with Chris Veness' geodesy functions; 33U VR follows from the flight stack's published place.
    @Test(arguments: [
        (0.0, 0.0, "31N AA 66021 00000"), (1, 1, "31N BB 77438 10597"), (-1, -1, "30M YD 22561 89402"),
        (48.8583, 2.2945, "31U DQ 48251 11943"), (-33.857, 151.215, "56H LH 34873 52266"),
        (38.8977, -77.0365, "18S UJ 23394 07395"), (-22.9519, -43.2106, "23K PQ 83466 60687"),
        (60.39135, 5.3249, "32V KN 97508 00645"), (50.076408, 14.418019, "33U VR 58357 47288"),
        (33.3, 44.4, "38S MB 44140 84706"),
    ])
    func `published references come out, and go back to within their metre`(
        latitude: Double, longitude: Double, text: String
    ) throws {
        let place = GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        #expect(try MilitaryGridSquare(containing: place).description == text)
        let read = try MilitaryGridSquare(text: text)
        #expect(read.description == text)
        let centre = try read.centre()
        #expect(abs(centre.latitudeDegrees - latitude) < 1e-5)
        #expect(abs(centre.longitudeDegrees - longitude) < 2e-5)
    }

    /// GeographicLib's manual of `GeoConvert` has 38SMB4488 as 33.33424 N, 44.40363 E.
    @Test func `a published square of a kilometre has its published middle`() throws {
        let centre = try MilitaryGridSquare(text: "38SMB4488").centre()
        #expect(abs(centre.latitudeDegrees - 33.33424) < 5e-6)
        #expect(abs(centre.longitudeDegrees - 44.40363) < 5e-6)
    }

    @Test(arguments: [
        (1, "33U VR 5 4"), (2, "33U VR 58 47"), (3, "33U VR 583 472"), (4, "33U VR 5835 4728"),
        (9, "33U VR 58357 47288"),
    ])
    func `fewer digits cut off, they do not round`(pairs: Int, text: String) throws {
        let place = GeographicCoordinate(latitudeDegrees: 50.076408, longitudeDegrees: 14.418019)
        #expect(try MilitaryGridSquare(containing: place, digitPairs: pairs).description == text)
    }

    @Test func `small letters and blanks may stand where they like`() throws {
        #expect(try MilitaryGridSquare(text: " 33u vr5835747288 ").description == "33U VR 58357 47288")
        #expect(try MilitaryGridSquare(text: "4QFJ15").digitPairs == 1)
    }

    @Test(arguments: [
        ("", "a zone from 1 to 60"), ("61U VR 5 4", "a zone from 1 to 60"), ("VR54", "a zone from 1 to 60"),
        ("123U VR 5 4", "a zone from 1 to 60"), ("33", "a band from C to X"), ("33I VR 5 4", "a band from C to X"),
        ("33A VR 5 4", "a band from C to X"), ("32X MB 5 4", "band X has no zone 32"),
        ("33U AR 5 4", "two letters of a 100 km square"), ("33U VI 5 4", "two letters of a 100 km square"),
        ("33U V", "two letters"),
        ("33U VR 583 47", "2, 4, 6, 8 or 10 digits"), ("33U VR", "2, 4, 6, 8 or 10 digits"),
        ("33U VR 583574 472881", "2, 4, 6, 8 or 10 digits"), ("33U VR 5x", "2, 4, 6, 8 or 10 digits"),
        ("33U VF 5 4", "a 100 km square within 33U"), ("33Ü VR 5 4", "letters and digits only"),
        (String(repeating: "3", count: 65), "at most 64 characters"),
    ])
    func `what is no reference is refused with what was expected`(text: String, expected: String) {
        do {
            Issue.record("read \(try MilitaryGridSquare(text: text))")
        } catch {
            #expect("\(error)".contains(expected), "\(error)")
        }
    }

    @Test(arguments: [-80.001, 84.001, 90])
    func `the polar caps are not covered`(latitude: Double) {
        #expect(throws: GeodesyError.self) {
            try MilitaryGridSquare(containing: .init(latitudeDegrees: latitude, longitudeDegrees: 10))
        }
    }

    @Test func `every place of the covered earth is found again by its own reference`() throws {
        var random = Shuffled(state: 4)
        for _ in 0..<2000 {
            let place = GeographicCoordinate(
                latitudeDegrees: random.next(in: -80...84), longitudeDegrees: random.next(in: -180...180))
            let pairs = 1 + Int(random.next(in: 0...4.999))
            let square = try MilitaryGridSquare(containing: place, digitPairs: pairs)
            #expect(try MilitaryGridSquare(text: square.description) == square, "\(place) \(square)")
        }
    }

    @Test(arguments: [-1e-9, -1e-12, 0, 1e-12])
    func `a hair beside the equator keeps to its own side`(latitude: Double) throws {
        let square = try MilitaryGridSquare(containing: .init(latitudeDegrees: latitude, longitudeDegrees: 3))
        #expect(square.band == (latitude < 0 ? "M" : "N"))
        #expect(try MilitaryGridSquare(text: square.description) == square)
    }
}

/// Numbers that look random and are the same every time.
struct Shuffled {
    var state: UInt64

    mutating func next(in range: ClosedRange<Double>) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11) / Double(1 << 53)
    }
}
