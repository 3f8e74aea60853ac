import FuzzKit
import RouteFiles
import RouteFuzzKit

/// Any bytes as a KMZ archive.
@main enum FuzzKMZ: FuzzTarget {
    static func test(_ bytes: [UInt8]) { RouteRoundTrip.check(bytes, as: .kmz) }
}
