internal import ReportKit
public import UAVLink

/// A link's quality as one figure for a person.
///
/// It is the share of setpoints and state frames that arrive, times how fresh the telemetry is: full up to `fresh`, nothing
/// from `stale` on. A link that cannot tell its losses counts as losing none.
public enum LinkScore {
    /// Telemetry comes at 50 Hz over the channel: 0.1 s is five of them missing. Over SSH `rostopic echo` comes through a
    /// pipe in Python, so that half a second is normal.
    static func fresh(_ link: LinkKind) -> Duration { link == .ssh ? .milliseconds(500) : .milliseconds(100) }
    /// From here on what is shown is history.
    static func stale(_ link: LinkKind) -> Duration { link == .ssh ? .seconds(5) : .seconds(2) }

    /// The quality in percent; `nil` before the first telemetry.
    public static func percent(_ quality: LinkQuality, link: LinkKind, telemetryAge: Duration?) -> Int? {
        guard let telemetryAge else { return nil }
        guard quality.isConnected else { return 0 }
        let (fresh, stale) = (fresh(link).inSeconds, stale(link).inSeconds)
        let freshness = 1 - min(max((telemetryAge.inSeconds - fresh) / (stale - fresh), 0), 1)
        let arriving = (1 - (quality.lossUp ?? 0)) * (1 - (quality.lossDown ?? 0))
        return Int(saturating: (100 * freshness * min(max(arriving, 0), 1)).rounded())
    }

    /// The quality in one word of four.
    public static func grade(_ percent: Int?, isConnected: Bool) -> LinkBar.Grade {
        guard isConnected, let percent, percent > 0 else { return .lost }
        switch percent {
        case 90...: return .good
        case 60...: return .fair
        default: return .poor
        }
    }
}
