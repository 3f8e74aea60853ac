import CommandLineKit
import LatencyMeasurement
import ReportKit
import UAVLink
import VehicleAccess

/// `uavlink latency` of a machine that is reached by its own protocol.
extension LatencyCommand {
    private static let usualPeriod: Duration = .seconds(20)

    /// What compares links, or needs to know when something has reached the vehicle.
    private static let ofComparisons: [any ArgumentDeclaration] = [
        links, peer, impair, rounds, rate, commandRate, command, motion, pushes, box, agree, seed, csv, hdr, html,
        repeated,
    ]

    static func measureDirect(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let target = session.connector.target
        if let option = ofComparisons.first(where: { arguments.isGiven($0) }) {
            throw UsageError(
                "\(option.spec.label) means nothing for \(target): its own protocol is the only link to it",
                hint: "give --for only; or put 'uavlink bridge' in front of it, and measure tcp and udp")
        }
        let period = try arguments[Self.period] ?? usualPeriod
        return try await session.withLink { link in
            session.console.progress(
                "measuring \(target) for \(Int(saturating: period.inSeconds)) s; nothing is sent that moves it")
            let figures = await DirectMeasurement(clock: session.clock).run(over: link, for: period)
            let machine = link.vehicleCapabilities.machine
            for line in figures.lines(machine: machine) { session.console.result(line) }
            let problem =
                Task.isCancelled
                ? "interrupted: the results are those until then"
                : figures.hasContent ? nil : "nothing was received from \(machine.sanitizedLine)"
            session.console.success(figures.json, failure: problem)
            if Task.isCancelled { return .interrupted }
            return figures.hasContent ? .done : .refused
        }
    }
}
