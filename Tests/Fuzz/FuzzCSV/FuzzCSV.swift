import FuzzKit
import RouteFiles
import RouteFuzzKit

/// Any bytes as a table of points.
@main enum FuzzCSV: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        RouteRoundTrip.check(bytes, as: .csv, cannotHold: "a table supports only one of them")
    }
}
