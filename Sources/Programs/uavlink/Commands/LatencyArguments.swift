import CommandLineKit
import FlightControl
import LatencyMeasurement
import ReportKit
import UAVLink
import VehicleAccess

/// What the options of `uavlink latency` mean.
extension LatencyCommand {
    /// - Returns: at least one.
    static func rates(_ text: String) throws -> [Double] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            guard let rate = Double(decimal: word), MeasuringPlan.rates.contains(rate) else {
                throw UsageError(
                    "--rate: '\(word.sanitizedLine)' is not a number from 1 to 1000", hint: "several are 10,50,200")
            }
            return rate
        }
    }

    static func links(_ text: String) throws -> [MeasuredLink] {
        var links: [MeasuredLink] = []
        for word in text.split(separator: ",") {
            guard let link = MeasuredLink(rawValue: String(word)), !links.contains(link) else {
                throw UsageError(
                    "'\(word)' is not a link, or appears twice",
                    hint: "links are \(MeasuredLink.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            links.append(link)
        }
        return links
    }

    /// The vehicle's present heading, radians.
    static func heading(in session: CommandSession) async throws -> Double {
        let link = try await session.connect()
        defer { Task { await link.close() } }
        let heading = try await link.awaitTelemetry(within: session.timeout, on: session.clock) {
            $0.pose?.value.headingRadians
        }
        guard let heading else {
            throw LinkError(.timedOut, "no heading received from the vehicle", hint: "see 'uavlink status'")
        }
        return heading
    }

    /// The command line as typed, quoted for a shell, with the seed added if it was not given.
    static func reproducibleCommandLine(seed: UInt64) -> String {
        let words = ["uavlink"] + CommandLine.arguments.dropFirst()
        let isPlain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=,.%@:/")
        var quoted = words.map { word in
            !word.isEmpty && word.allSatisfy(isPlain.contains)
                ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
        }
        if !words.contains(where: { $0 == "--seed" || $0.hasPrefix("--seed=") }) { quoted += ["--seed", "\(seed)"] }
        return quoted.joined(separator: " ")
    }
}
