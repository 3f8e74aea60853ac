internal import Geodesy

/// Reads the text of a `coordinates` element: `longitude,latitude[,altitude]`, separated by blanks. Blanks around the commas
/// are not valid KML, but many programs write them.
enum KMLCoordinates {
    struct Position {
        let place: GeographicCoordinate
        let altitude: Double?
    }

    /// - Parameters:
    ///   - remaining: how many points are accepted.
    ///   - limit: how many the whole file may have, for the error.
    /// - Throws: an error without file and line.
    static func read(_ text: String, remaining: Int, limit: Int) throws(RouteFileError) -> [Position] {
        let bytes = Array(text.utf8)
        var index = 0
        var positions: [Position] = []
        func skipBlanks() {
            while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        }
        while true {
            skipBlanks()
            guard index < bytes.count else { return positions }
            var numbers: [Double] = []
            var goesOn = true
            while goesOn {
                skipBlanks()
                let end = bytes[index...].firstIndex { !PlainNumber.isPart($0) } ?? bytes.count
                guard let number = PlainNumber.double(bytes[index..<end]), numbers.count < 3 else {
                    let found = String(decoding: bytes[index...].prefix(20), as: UTF8.self)
                    throw RouteFileError(
                        "coordinates: found \(RouteFileError.shown(found)), expected longitude,latitude or"
                            + " longitude,latitude,altitude")
                }
                numbers.append(number)
                index = end
                skipBlanks()
                goesOn = index < bytes.count && bytes[index] == UInt8(ascii: ",")
                if goesOn { index += 1 }
            }
            guard numbers.count >= 2 else {
                throw RouteFileError("coordinates: found one number alone, expected a longitude and a latitude")
            }
            guard positions.count < remaining else {
                throw RouteFileError("found another point, expected at most \(limit)")
            }
            let place = try GeographicPlace.make(longitude: numbers[0], latitude: numbers[1]).get()
            positions.append(Position(place: place, altitude: numbers.count == 3 ? numbers[2] : nil))
        }
    }
}
