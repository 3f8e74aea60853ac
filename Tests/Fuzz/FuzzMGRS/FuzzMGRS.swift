import FuzzKit
import Geodesy

/// Any text as a reference of the military grid: what is read is a square on earth, and reads as itself again.
@main enum FuzzMGRS: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        do throws(GeodesyError) {
            let square = try MilitaryGridSquare(text: String(decoding: bytes, as: UTF8.self))
            let centre: GeographicCoordinate
            do throws(GeodesyError) {
                centre = try square.centre()
                guard try MilitaryGridSquare(text: square.description) == square else {
                    preconditionFailure("\(square) reads as another")
                }
            } catch { preconditionFailure("\(square) is read once only: \(error)") }
            precondition((-81.0...85.0).contains(centre.latitudeDegrees), "\(square) is at a pole")
        } catch {
            precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
        }
    }
}
