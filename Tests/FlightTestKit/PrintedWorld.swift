internal import Foundation
package import IntegrationKit
internal import Testing

/// What `uavlink map world --json` printed.
package struct PrintedWorld {
    /// From what the vehicle's world was read: `file`, `markers`, `simulation`.
    package let source: String
    /// The file on the vehicle.
    package let path: String
    /// What is missing; empty if nothing is.
    package let warning: String
    /// The corners of the safety area, in its frame.
    package let corners: [[Double]]
    /// The lowest height, metres.
    package let lowest: Double
    /// The greatest height, metres.
    package let greatest: Double
    /// The names of the obstacles.
    package let obstacles: [String]

    /// - Throws: where it failed, or printed something else.
    package init(_ outcome: FlightStack.Outcome) throws {
        #expect(outcome.status == 0, "\(outcome)")
        let all = try json(outcome)
        let area = try #require(all["safety_area"] as? [String: Any], "\(outcome)")
        source = all["source"] as? String ?? ""
        path = all["path"] as? String ?? ""
        warning = all["warning"] as? String ?? ""
        corners = (area["corners"] as? [[Any]] ?? []).map { $0.compactMap { Self.number($0) } }
        lowest = try #require(Self.number(area["min_z_m"]), "\(outcome)")
        greatest = try #require(Self.number(area["max_z_m"]), "\(outcome)")
        obstacles = (area["obstacles"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    private static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }
}
