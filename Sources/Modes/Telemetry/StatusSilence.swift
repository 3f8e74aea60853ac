internal import ReportKit
internal import UAVLink

/// That nothing new comes from a vehicle, though it did.
enum StatusSilence {
    /// One line for users and scripts; `nil` while telemetry comes, or if none ever did.
    static func warning(_ telemetry: Telemetry, over link: LinkKind, now: MonotonicTime) -> String? {
        guard let newest = telemetry.newest, now - newest > MaximumAge.silence(over: link) else { return nil }
        let seconds = (now - newest).inSeconds.formatted(decimals: 0)
        return "no telemetry received from the vehicle for \(seconds) s: the values are its last ones; "
            + "run 'uavlink doctor' to see which part is missing"
    }
}
