import FuzzKit
import RouteFiles
import RouteFuzzKit

/// Any bytes as KML.
@main enum FuzzKML: FuzzTarget {
    static func test(_ bytes: [UInt8]) { RouteRoundTrip.check(bytes, as: .kml) }
}
