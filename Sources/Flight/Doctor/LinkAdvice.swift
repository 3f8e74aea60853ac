package import MRS
internal import ReportKit
package import UAVLink
package import VehicleAccess

/// What a link has shown while it was measured.
package struct LinkExamination: Sendable {
    /// Its measurements.
    package var quality = LinkQuality(isConnected: false)
    /// What its vehicle can do.
    package var capabilities: VehicleCapabilities
    /// The newest telemetry, if any part was received from the vehicle.
    package var telemetry: Telemetry?
    /// That the vehicle was silent then; `nil` if it was not.
    package var silence: String?

    /// One that could not be opened.
    package init(capabilities: VehicleCapabilities) { self.capabilities = capabilities }

    /// A link as it is now.
    package init(_ link: any UAVLink, now: MonotonicTime) {
        let newest = link.latestTelemetry
        (quality, capabilities) = (link.quality, link.vehicleCapabilities)
        silence = MachineAdvice.silence(newest, of: capabilities, now: now)
        if newest?.newest != nil || newest?.messages.isEmpty == false { telemetry = newest }
    }

    /// The median of the round trips.
    package var roundTrip: Duration? { quality.roundTripMedian }
}

/// Judges a link by what it has shown.
package enum LinkAdvice {
    /// The finding about a link.
    ///
    /// - Parameter profile: how the vehicle is reached.
    package static func finding(_ kind: LinkKind, _ seen: LinkExamination, of profile: VehicleProfile) -> Finding {
        let check = "link \(kind.rawValue)"
        let quality = seen.quality
        var words = ["connected"]
        if let trip = quality.roundTripMedian { words.append("round trip \(text(trip)) ms") }
        if let bound = quality.clockOffsetBound {
            words.append("clock offset known within \(text(bound)) ms")
        }
        func finding(_ verdict: Finding.Verdict, _ more: String, advice: String) -> Finding {
            Finding(check, verdict, (words + [more]).joined(separator: ", "), advice: advice)
        }
        if let loss = quality.lossDown, loss > 0.01 {
            return finding(
                .warning, "\(Int(saturating: loss * 100)) % of the frames from the vehicle are lost",
                advice: "move closer, or use another Wi-Fi channel")
        }
        if let fault = quality.telemetryFault { return finding(.bad, "but \(fault.what)", advice: fault.hint) }
        if MachineAdvice.isMachine(seen.capabilities) {
            if let (verdict, what, advice) = MachineAdvice.obstacle(seen, machine: profile.link.machine) {
                return finding(verdict, what, advice: advice)
            }
        } else if seen.telemetry?.newest == nil {
            return finding(.bad, "but no telemetry was received", advice: adviceOnNothing(kind, profile))
        } else if let silence = seen.silence {
            return finding(
                .bad, "but \(silence)",
                advice: "is the flight stack running on the vehicle? See its terminal or its log")
        }
        // The running companion may be older than the file on the vehicle.
        if let warning = quality.versionWarning {
            return Finding(check, .warning, warning, advice: profile.deployAdvice)
        }
        return Finding(check, .good, words.joined(separator: ", "))
    }

    /// What to do where the link works and nothing comes from the vehicle, so that not even what kind it is of is known.
    private static func adviceOnNothing(_ kind: LinkKind, _ profile: VehicleProfile) -> String {
        if kind == .ros { return "see the findings from the ground above" }
        if profile.isBridged {
            return "is the machine switched on, and the bridge's computer in its Wi-Fi? See the bridge's terminal"
        }
        if profile.isLocal { return "see the terminal or the log of the companion, which says what it waits for" }
        return "see the findings about ROS on the vehicle above"
    }

    private static func text(_ duration: Duration) -> String { duration.inMilliseconds.formatted(decimals: 2) }
}
