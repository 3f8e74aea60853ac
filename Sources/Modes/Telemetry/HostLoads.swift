package import FlightControl
internal import ReportKit
package import VehicleAccess

/// How busy the user's and the vehicle's computers are.
package struct HostLoads: Hashable, Sendable {
    /// Examines both computers.
    package typealias Query = @MainActor @Sendable (LoggedInVehicle) async -> HostLoads
    /// The interval of queries: each starts three small programs on both.
    static let period: Duration = .seconds(5)
    /// From here on, processes wait for a processor.
    private static let fullLoad = 1.0
    /// Below this, packets are resent often (802.11n needs about -70 dBm for its lower rates).
    private static let weakSignalDecibels = -75.0

    /// The user's computer; `nil` if not known.
    package var ground: HostLoad?
    /// The vehicle's computer; `nil` if not known.
    package var vehicle: HostLoad?

    package init(ground: HostLoad? = nil, vehicle: HostLoad? = nil) { (self.ground, self.vehicle) = (ground, vehicle) }

    /// The lines of the panel; those that are not known are left out.
    var lines: [TelemetryLine] {
        let hosts = [("here", ground), ("vehicle", vehicle)].compactMap { name, load in load.map { (name, $0) } }
        guard !hosts.isEmpty else { return [] }
        let loads = hosts.map { "\($0) \(($1.load * 100).formatted(decimals: 0)) %" }.joined(separator: ", ")
        let isBusy = hosts.contains { $0.1.load >= Self.fullLoad }
        var lines = [TelemetryLine("CPU load", loads, mark: isBusy ? .warning : .plain)]
        let signals = hosts.compactMap { name, load in load.signalDecibels.map { (name, $0) } }
        if !signals.isEmpty {
            let text = signals.map { "\($0) \($1.formatted(decimals: 0)) dBm" }.joined(separator: ", ")
            let isWeak = signals.contains { $0.1 < Self.weakSignalDecibels }
            lines.append(TelemetryLine("Wi-Fi", text, mark: isWeak ? .warning : .plain))
        }
        return lines
    }
}
