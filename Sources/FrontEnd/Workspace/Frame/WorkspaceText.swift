internal import FlightControl
internal import ReportKit
internal import UAVLink

extension WorkspacePresenter {
    static func linkBar(_ snapshot: VehicleSnapshot) -> LinkBar {
        let quality = snapshot.quality
        let percent = LinkScore.percent(quality, link: snapshot.link, telemetryAge: snapshot.telemetryAge)
        var bar = LinkBar(
            link: snapshot.link.rawValue, grade: LinkScore.grade(percent, isConnected: quality.isConnected))
        bar.percent = percent
        if let median = quality.roundTripMedian {
            let tail = quality.roundTripP99.map { milliseconds($0) } ?? "-"
            bar.roundTrip = "\(milliseconds(median))/\(tail) ms"
        }
        bar.age = snapshot.telemetryAge.map(age)
        bar.lossUp = quality.lossUp.map(percentText)
        bar.lossDown = quality.lossDown.map(percentText)
        return bar
    }

    static func vehicleBar(_ snapshot: VehicleSnapshot, title: String, position: String) -> VehicleBar {
        var bar = VehicleBar(title: title.sanitizedLine)
        bar.position = position
        bar.state = words(snapshot.flightState)
        bar.isAirborne = snapshot.flightState == .unknown ? nil : snapshot.flightState.isAirborne
        bar.isAlarming = snapshot.flightState == .emergency
        if let battery = snapshot.telemetry?.battery?.value {
            bar.batteryShare = battery.remaining
            let share = battery.remaining.map { "\(($0 * 100).formatted(decimals: 0)) % " } ?? ""
            bar.battery = "\(share)\(battery.voltageVolts.formatted(decimals: 1)) V"
        }
        bar.control = control(snapshot)
        bar.isControlledByOther = snapshot.telemetry?.control?.value.pilot.map { !$0.isYou } ?? false
        return bar
    }

    /// The pilot with control authority and for how long, if the link has it; else what moves the vehicle, from its telemetry.
    private static func control(_ snapshot: VehicleSnapshot) -> String {
        if let status = snapshot.telemetry?.control, let pilot = status.value.pilot {
            let held = age(max(.zero, status.at - pilot.since))
            return pilot.isYou ? "you, \(held)" : "\(pilot.name.sanitizedLine), \(held)"
        }
        guard let flight = snapshot.telemetry?.flight?.value else { return "-" }
        guard flight.isOffboard else { return flight.isArmed ? "radio" : "none" }
        guard let tracker = snapshot.telemetry?.tracker?.value else { return "flight stack" }
        if tracker.isTrackingTrajectory { return "trajectory" }
        if tracker.hasGoal { return "goto" }
        return flight.state.isAirborne ? "hovering" : "flight stack"
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
        return value < 10 ? value.formatted(decimals: 1) : value.formatted(decimals: 0)
    }

    static func age(_ duration: Duration) -> String {
        let seconds = duration.inSeconds
        // The clock offset has a bounded error: a slightly negative age counts as zero.
        if seconds < 1 { return "\(max(0, duration.inMilliseconds).formatted(decimals: 0)) ms" }
        return seconds < 100 ? "\(seconds.formatted(decimals: 1)) s" : "> 99 s"
    }

    private static func percentText(_ share: Double) -> String {
        let percent = share * 100
        return percent > 0 && percent < 10
            ? "\(percent.formatted(decimals: 1)) %" : "\(percent.formatted(decimals: 0)) %"
    }
}
