import FuzzKit
import RouteFiles
import RouteFuzzKit

/// Any bytes as a plan of QGroundControl.
@main enum FuzzPlan: FuzzTarget {
    static func test(_ bytes: [UInt8]) { RouteRoundTrip.check(bytes, as: .plan, cannotHold: "has no altitude") }
}
