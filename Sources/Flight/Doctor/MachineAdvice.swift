package import MRS
internal import ReportKit
package import UAVLink
internal import VehicleAccess

/// Judges what a machine with its own protocol shows, directly or through a bridge. It has no flight stack and no ROS, and some send
/// nothing until they are asked.
package enum MachineAdvice {
    /// Whether a vehicle is such a machine.
    package static func isMachine(_ capabilities: VehicleCapabilities) -> Bool {
        ![VehicleCapabilities.mrs, .simulatedMRS].map(\.machine).contains(capabilities.machine)
    }

    /// Whether a machine that works may have sent nothing: it reports no state of its own.
    private static func maySayNothing(_ capabilities: VehicleCapabilities) -> Bool {
        !capabilities.telemetry.contains(.flight)
    }

    /// Says that nothing has come from the vehicle for a while, though the link works; `nil` if that is as it should be.
    package static func silence(
        _ telemetry: Telemetry?, of capabilities: VehicleCapabilities, now: MonotonicTime
    ) -> String? {
        guard isMachine(capabilities) else { return TelemetryAdvice.silence(telemetry, now: now) }
        guard !maySayNothing(capabilities) else { return nil }
        return TelemetryAdvice.silence(telemetry, of: "the \(capabilities.machine.sanitizedLine)", now: now)
    }

    /// What is wrong with what comes over a link; `nil` if nothing.
    ///
    /// - Parameter machine: where the machine is, if it is reached directly.
    static func obstacle(
        _ seen: LinkExamination, machine: MachineAddress?
    ) -> (verdict: Finding.Verdict, what: String, advice: String)? {
        let name = seen.capabilities.machine.sanitizedLine
        let computer = machine == nil ? "the bridge's computer" : "this computer"
        if maySayNothing(seen.capabilities) {
            guard seen.telemetry == nil else { return nil }
            return (
                .good, "the \(name) has said nothing, as some programs do until they are asked",
                "ask it for its status, such as: uavlink send 0"
            )
        }
        // A Tello knows one port only; an AR.Drone answers to where it was asked from.
        let port = machine?.kind == .tello ? "port 8890 of " : ""
        let lets = "let UDP in on \(port)\(computer), and end other programs that receive it there"
        let isThere = "is the \(name) switched on, and \(computer) in its Wi-Fi?"
        let hasNothing = "but no telemetry was received"
        guard seen.telemetry?.newest != nil else {
            // Round trips of a link to the machine itself: it answers, and its state does not come.
            let answers = machine != nil && seen.quality.roundTripMedian != nil
            return (.bad, hasNothing, answers ? lets : isThere)
        }
        if let silence = seen.silence { return (.bad, "but \(silence)", isThere) }
        guard let flight = seen.telemetry?.flight?.value, flight.state != .unknown else {
            return (.warning, "but the \(name) does not show what it does", lets)
        }
        return nil
    }

    /// Flight manuals for LiPo batteries: land below 20 %.
    private static let lowBattery = 0.2
    /// The newest of its warnings that are shown.
    private static let mostWarnings = 4

    /// The findings about the machine itself: its battery, an emergency, and what it or its link warns of.
    package static func findings(_ telemetry: Telemetry, of capabilities: VehicleCapabilities) -> [Finding] {
        var findings: [Finding] = []
        if let remaining = telemetry.battery?.value.remaining {
            let percent = "\(Int(saturating: (remaining * 100).rounded())) %"
            findings.append(
                remaining < lowBattery
                    ? Finding(
                        "battery", .warning, "\(percent) left",
                        advice: "charge it: a take-off may be refused, and the flight ends early")
                    : Finding("battery", .good, "\(percent) left"))
        }
        if telemetry.flight?.value.state == .emergency {
            let clears = capabilities.takeOffClearsEmergency
            findings.append(
                Finding(
                    "state", .warning, "an emergency: its motors are cut",
                    advice: clears
                        ? "look at it; then the first 'uavlink takeoff' clears the emergency, and the next one flies"
                        : "look at it, and switch it off and on"))
        }
        let isWarning = { (message: VehicleMessage) in message.severity == .warning || message.severity == .error }
        var warnings: [String] = []
        for message in telemetry.messages.map(\.value) where isWarning(message) && !warnings.contains(message.text) {
            warnings.append(message.text)
        }
        for text in warnings.suffix(mostWarnings) { findings.append(Finding("warning", .warning, text)) }
        return findings
    }
}
