import FuzzKit
import RouteFiles
import RouteFuzzKit

/// Any bytes as GPX.
@main enum FuzzGPX: FuzzTarget {
    static func test(_ bytes: [UInt8]) { RouteRoundTrip.check(bytes, as: .gpx) }
}
