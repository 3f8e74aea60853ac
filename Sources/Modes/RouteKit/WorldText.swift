package import FlightVolume
internal import ReportKit
internal import TextScreen
package import Trajectories
internal import UAVLink

/// The text of the world that routes are checked in.
extension RouteText {
    /// Longer names are shortened: what follows them matters more.
    private static let mostNameCells = 28

    /// Whose world it is and how many obstacles it has: `w1.yaml, 1 obstacle`, `vehicle's world.yaml, no obstacles`.
    ///
    /// - Parameters:
    ///   - world: the world; `nil` if none is known.
    ///   - volume: where it allows flight; `nil` if that is not known.
    package static func world(_ world: CheckedWorld?, _ volume: FlyableVolume?) -> String {
        guard let world else { return "not known" }
        let file = world.path.split(separator: "/").last.map { String($0).sanitizedLine.shortened(to: mostNameCells) }
        let name =
            switch world.source {
            case .user: file ?? "world file"
            case .profile: "profile's \(file ?? "world file")"
            case .vehicle: file.map { "vehicle's \($0)" } ?? "the vehicle's"
            }
        let border = world.content == .border ? ", its border only" : ""
        return "\(name)\(border), \(content(of: volume, world))"
    }

    private static func content(of volume: FlyableVolume?, _ world: CheckedWorld) -> String {
        guard let volume else { return "no safety area" }
        guard volume.isEnabled else { return "safety area switched off" }
        if world.content == .border { return "obstacles not known" }
        return volume.obstacles.isEmpty ? "no obstacles" : volume.obstacles.count.counted("obstacle")
    }
}
