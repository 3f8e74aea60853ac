internal import ReportKit
internal import UAVLink

/// That nothing is heard of the vehicle while a command's effect is waited for: what was seen last is not the present.
enum LinkSilence {
    /// A link that says itself that it is lost loses single packets for less.
    static let lost: Duration = .seconds(1)
    /// Telemetry over SSH comes up to a few seconds apart.
    static let silent: Duration = .seconds(5)

    /// What is lost and what was seen last, with its age; `nil` while the vehicle is heard.
    static func text(
        _ telemetry: Telemetry, of machine: VehicleCapabilities, isConnected: Bool, now: MonotonicTime
    ) -> String? {
        guard let newest = telemetry.newest else { return nil }
        let age = now - newest
        guard age > (isConnected ? silent : lost) else { return nil }
        let what = isConnected ? "no telemetry" : "link lost"
        let seen = telemetry.flight.map { ", \(seconds(now - $0.at)) ago" } ?? ""
        return "\(what) for \(seconds(age)); last \(EffectWait.summary(telemetry, of: machine))\(seen)"
    }

    fileprivate static func seconds(_ duration: Duration) -> String { "\(Int(saturating: duration.inSeconds)) s" }
}

extension Fleet {
    /// That the flight state of a vehicle was received too long ago to be the present one, and how long; `nil` if it was not, or
    /// none was received.
    package func flightSilence(of vehicle: LoggedInVehicle?) -> String? {
        guard let flight = vehicle?.link.latestTelemetry?.flight else { return nil }
        let age = clock.now - flight.at
        return age > LinkSilence.silent ? "no flight state received for \(LinkSilence.seconds(age))" : nil
    }
}
