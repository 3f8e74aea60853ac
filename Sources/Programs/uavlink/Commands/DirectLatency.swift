import CommandLineKit
import Impairment
import LatencyMeasurement
import ReportKit
import UAVLink
import VehicleAccess

/// `uavlink latency` of a machine that is reached by its own protocol.
extension LatencyCommand {
    private static let usualPeriod: Duration = .seconds(20)
    /// A machine answers fewer commands than a flight stack, and each is a datagram in its Wi-Fi.
    private static let usualCommandHertz = 10.0

    /// What a machine cannot be asked for: it has no position to return to.
    private static let ofMotion: [any ArgumentDeclaration] = [motion, pushes, box, agree]

    /// What only a comparison has.
    private static let ofComparisons: [any ArgumentDeclaration] = [
        links, impair, rounds, runs, rate, commandRate, command, seed, csv, hdr, html, repeated,
    ]

    static func measureMachine(
        _ machine: MachineAddress, _ arguments: ParsedCommand, in session: CommandSession
    ) async throws -> ExitCode {
        let target = session.connector.target
        if let option = ofMotion.first(where: { arguments.isGiven($0) }) {
            throw UsageError(
                "\(option.spec.label) means nothing for \(target): it has no position to be flown back to",
                hint: "leave it out; nothing moves the machine then")
        }
        if arguments.isGiven(peer) {
            throw UsageError(
                "\(peer.spec.label) means nothing for \(target): it has no ROS master", hint: "leave it out")
        }
        guard ofComparisons.contains(where: { arguments.isGiven($0) }) else {
            return try await measureAlone(arguments, in: session)
        }
        return try await compare(machine, arguments, in: session)
    }

    // MARK: Beside the channel of a companion

    private static func compare(
        _ address: MachineAddress, _ arguments: ParsedCommand, in session: CommandSession
    ) async throws -> ExitCode {
        // Before anything is connected.
        _ = try machineLinks(arguments)
        if try arguments[command] != "hover" {
            throw UsageError(
                "--command \(try arguments[command]) means nothing for \(session.connector.target): it knows no heading",
                hint: "leave it out; hover is measured then")
        }
        let bridged = try await BridgedMachine(
            address, of: session.connector.profile, isImpaired: try arguments[impair].contains { !$0.isNone },
            seed: UInt64(try arguments[seed]), within: session.timeout
        ) { session.console.detail($0) }
        session.console.progress(
            "a companion in front of \(session.connector.target) runs for the length of this measurement")
        let own = bridged.session(like: session)
        do {
            let code = try await measure(arguments, in: own, with: bridged.machine)
            await own.connector.close()
            await bridged.end()
            return code
        } catch {
            await own.connector.close()
            await bridged.end()
            throw error
        }
    }

    /// The links of a machine that were asked for, or all.
    static func machineLinks(_ arguments: ParsedCommand) throws -> [MeasuredLink] {
        guard arguments.isGiven(links) else { return MeasuredLink.ofMachines }
        let wanted = try links(try arguments[links])
        if let other = wanted.first(where: { !MeasuredLink.ofMachines.contains($0) }) {
            throw UsageError(
                "a machine with its own protocol has no link '\(other.rawValue)'",
                hint: "links are \(MeasuredLink.ofMachines.map(\.rawValue).joined(separator: ", "))")
        }
        return wanted
    }

    static func commandHertz(_ arguments: ParsedCommand, isMachine: Bool) throws -> Double {
        try isMachine && !arguments.isGiven(commandRate) ? usualCommandHertz : arguments[commandRate]
    }

    // MARK: Alone

    private static func measureAlone(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let period = try arguments[Self.period] ?? usualPeriod
        return try await session.withLink { link in
            session.console.progress(
                "measuring \(session.connector.target) for \(Int(saturating: period.inSeconds)) s; "
                    + "nothing is sent that moves it")
            let figures = await DirectMeasurement(clock: session.clock).run(over: link, for: period)
            let machine = link.vehicleCapabilities.machine
            session.console.head()
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
