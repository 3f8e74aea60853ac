internal import ReportKit
package import UAVLink

/// A link's quality as a single value.
///
/// The share of setpoints and state frames that arrive, multiplied by the freshness of the telemetry: 1 up to the age
/// `fresh`, 0 from `stale` on. A link that does not measure loss counts as having none.
package enum LinkScore {
    /// Over the channel telemetry arrives at 50 Hz: 0.1 s is five missing messages. Over SSH the output of `rostopic echo`
    /// is buffered in a pipe, so that 0.5 s is normal.
    static func fresh(_ link: LinkKind) -> Duration { link.runsPrograms ? .milliseconds(500) : .milliseconds(100) }
    /// The age from which telemetry counts as stale.
    static func stale(_ link: LinkKind) -> Duration { link.runsPrograms ? .seconds(5) : .seconds(2) }

    /// The quality in percent; `nil` before the first telemetry.
    package static func percent(_ quality: LinkQuality, link: LinkKind, telemetryAge: Duration?) -> Int? {
        guard let telemetryAge else { return nil }
        guard quality.isConnected else { return 0 }
        let (fresh, stale) = (fresh(link).inSeconds, stale(link).inSeconds)
        let freshness = 1 - min(max((telemetryAge.inSeconds - fresh) / (stale - fresh), 0), 1)
        let arriving = (1 - (quality.lossUp ?? 0)) * (1 - (quality.lossDown ?? 0))
        return Int(saturating: (100 * freshness * min(max(arriving, 0), 1)).rounded())
    }

    /// The grade of a link to a machine that promises no rate of telemetry: it has no percent. One that never spoke has no telemetry.
    static func grade(unratedTelemetry age: Duration?, isConnected: Bool) -> LinkBar.Grade {
        guard isConnected else { return .lost }
        return age == nil ? .silent : .good
    }

    /// The grade of a link. A working link over which no telemetry is received has no telemetry; it is not lost.
    package static func grade(_ percent: Int?, isConnected: Bool) -> LinkBar.Grade {
        guard isConnected else { return .lost }
        guard let percent, percent > 0 else { return .silent }
        switch percent {
        case 90...: return .good
        case 60...: return .fair
        default: return .poor
        }
    }
}
