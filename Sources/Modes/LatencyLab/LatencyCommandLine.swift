internal import LatencyMeasurement
internal import Impairment
internal import ReportKit
internal import UAVLink
internal import VehicleAccess

/// The command line that repeats a measurement, quoted for a shell.
enum LatencyCommandLine {
    static func text(_ plan: MeasuringPlan, for profile: VehicleProfile) -> String {
        var words = ["uavlink", "latency"] + vehicle(profile)
        words += ["--links", plan.links.map(\.rawValue).joined(separator: ",")]
        for condition in plan.conditions { words += ["--impair", condition.text] }
        if let rounds = plan.rounds { words += ["--rounds", "\(rounds)"] }
        if let duration = plan.duration { words += ["--for", "\(Int(saturating: duration.inSeconds))s"] }
        words += ["--rate", plan.rateHertz.formatted(decimals: plan.rateHertz == plan.rateHertz.rounded() ? 0 : 3)]
        if plan.measuresMotion { words.append("--motion") }
        words += ["--seed", "\(plan.seed)"]
        return words.map(quoted).joined(separator: " ")
    }

    /// A saved vehicle is given by its profile name; otherwise host, vehicle, port and user are given.
    private static func vehicle(_ profile: VehicleProfile) -> [String] {
        guard let host = profile.host else { return profile.vehicle == "uav1" ? [] : ["--uav", profile.vehicle] }
        guard profile.name == host else { return ["--vehicle", profile.name] }
        var words = ["--host", host, "--uav", profile.vehicle]
        if profile.port != 22 { words += ["--port", "\(profile.port)"] }
        if let user = profile.user { words += ["--user", user] }
        return words
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=,.%@:/")
        return !word.isEmpty && word.allSatisfy(isPlain.contains)
            ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
