internal import FlightControl
internal import ReportKit
internal import UAVLink

extension WorkspacePresenter {
    static func linkBar(_ snapshot: VehicleSnapshot) -> LinkBar {
        let quality = snapshot.quality
        let age = snapshot.telemetryAge
        let percent =
            snapshot.hasTelemetryRate
            ? LinkScore.percent(quality, link: snapshot.link, telemetryAge: age) : nil
        var bar = LinkBar(
            link: snapshot.link.rawValue,
            grade: snapshot.hasTelemetryRate
                ? LinkScore.grade(percent, isConnected: quality.isConnected)
                : LinkScore.grade(unratedTelemetry: age, isConnected: quality.isConnected))
        bar.percent = percent
        bar.age = age.map(Self.age)
        // What was measured before the link was lost says nothing about it now.
        guard quality.isConnected else { return bar }
        bar.roundTrip = snapshot.presentRoundTrip.map { roundTrip($0, p99: quality.roundTripP99) }
        bar.lossUp = quality.lossUp.map(percentText)
        bar.lossDown = quality.lossDown.map(percentText)
        return bar
    }

    /// The median: the 99th percentile is of use only if it is long, and much longer.
    private static func roundTrip(_ median: Duration, p99: Duration?) -> String {
        let text = "\(milliseconds(median)) ms"
        guard let p99, p99 >= noticeableTail, p99 >= median * 2 else { return text }
        return "\(text) (p99 \(milliseconds(p99)))"
    }

    /// A pilot feels a delay from about 50 ms on.
    private static let noticeableTail: Duration = .milliseconds(50)

    /// All but who has control, which is not in the snapshot.
    ///
    /// - Parameters:
    ///   - isSteered: whether the open screen steers it.
    ///   - isBraking: whether it was steered a moment ago, by anybody.
    static func vehicleBar(
        _ snapshot: VehicleSnapshot, title: String, position: String, isSteered: Bool, isBraking: Bool
    ) -> VehicleBar {
        var bar = VehicleBar(title: title.sanitizedLine)
        bar.position = position
        bar.radio = snapshot.radioFlight
        let isHeard = snapshot.quality.isConnected || snapshot.flightState == .unknown
        let own = isSteered ? nil : ownFlight(snapshot.telemetry, isBraking: isBraking)
        let state =
            bar.radio == .certain
            ? "flown by radio"
            : own.map { isHeard ? $0.rawValue : $0.past } ?? words(snapshot.flightState)
        // What is shown is the last that was received.
        bar.state = isHeard ? state : snapshot.flightState == .emergency ? "was in \(state)" : "was \(state)"
        bar.flight = snapshot.flightState
        bar.isLinkLost = !snapshot.quality.isConnected && snapshot.telemetry != nil
        bar.isAlarming = snapshot.flightState == .emergency
        if let battery = snapshot.telemetry?.battery?.value {
            bar.batteryShare = battery.remaining
            let share = battery.remaining.map { "\(($0 * 100).formatted(decimals: 0)) %" }
            let voltage = battery.voltageVolts.map { "\($0.formatted(decimals: 1)) V" }
            bar.battery = [share, voltage].compactMap(\.self).joined(separator: " ")
        }
        bar.isControlledByOther = snapshot.telemetry?.control?.value.pilot.map { !$0.isYou } ?? false
        return bar
    }

    /// What a vehicle flies by itself.
    private enum OwnFlight: String {
        case goal = "flying, goto"
        case trajectory = "on trajectory"

        /// The same behind "was".
        var past: String {
            switch self {
            case .goal: "flying to a goal"
            case .trajectory: "on a trajectory"
            }
        }
    }

    /// What a vehicle flies by itself; `nil` while it is steered, lands, or is not in the air: its tracker then says nothing new.
    ///
    /// - Parameter isBraking: its tracker then has a goal too, which nobody commanded: where it stops.
    private static func ownFlight(_ telemetry: Telemetry?, isBraking: Bool) -> OwnFlight? {
        guard telemetry?.flight?.value.state == .flying, telemetry?.control?.value.isSteering != true,
            let tracker = telemetry?.tracker?.value
        else { return nil }
        return tracker.isTrackingTrajectory ? .trajectory : tracker.hasGoal && !isBraking ? .goal : nil
    }

    static func words(_ state: FlightState) -> String {
        switch state {
        case .unknown: "unknown"
        case .disarmed: "disarmed"
        case .armed: "armed"
        case .takingOff: "taking off"
        case .flying: "flying"
        case .landing: "landing"
        case .emergency: "EMERGENCY"
        }
    }

    static func milliseconds(_ duration: Duration) -> String {
        let value = duration.inMilliseconds
        // In the same process it is too short to show.
        if value < 0.05 { return "<0.1" }
        return value < 10 ? value.formatted(decimals: 1) : value.formatted(decimals: 0)
    }

    static func age(_ duration: Duration) -> String {
        let seconds = duration.inSeconds
        // The clock offset has a bounded error: a slightly negative age counts as zero.
        if seconds < 1 { return "\(max(0, duration.inMilliseconds).formatted(decimals: 0)) ms" }
        return seconds < 100 ? "\(seconds.formatted(decimals: 1)) s" : Figures.span(duration)
    }

    private static func percentText(_ share: Double) -> String {
        let percent = share * 100
        return percent > 0 && percent < 10
            ? "\(percent.formatted(decimals: 1)) %" : "\(percent.formatted(decimals: 0)) %"
    }
}
