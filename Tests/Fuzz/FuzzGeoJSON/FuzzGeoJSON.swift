import FuzzKit
import RouteFiles
import RouteFuzzKit

/// Any bytes as GeoJSON.
@main enum FuzzGeoJSON: FuzzTarget {
    static func test(_ bytes: [UInt8]) { RouteRoundTrip.check(bytes, as: .geoJSON) }
}
