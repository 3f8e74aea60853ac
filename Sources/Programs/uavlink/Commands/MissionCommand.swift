import FlightControl
import CommandLineKit
import ReportKit
import UAVLink
import VehicleAccess

/// `uavlink mission`
enum MissionCommand: Subcommand {
    static let links = Argument.option(
        "links", ValueKind.text.called("LIST"), default: "ssh,tcp,udp",
        defaultText: "ssh,tcp,udp; those of a simulated vehicle are sim, or tcp,udp",
        help: "links to fly over, in this order")

    static let spec = CommandSpec(
        "mission", summary: "fly the same short mission over several links and compare them",
        discussion: """
            Takes off (arming over the link), flies 3 m by goto, times commands, steers for 3 s, hovers and lands, once for
            each link. For a simulated vehicle, or a real one in free space.
            """,
        arguments: [links],
        examples: [.init("uavlink mission --links ssh,udp", "SSH against the socket channel")])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let kinds = try self.kinds(arguments, session.connector.profile)
        let isInside = kinds.contains(.sim)
        let target = isInside ? "\(session.connector.profile.vehicle) (simulated)" : session.connector.target
        session.console.name(target)
        var reports: [MissionReport] = []
        for kind in kinds {
            if Task.isCancelled { break }
            session.console.progress("\(target): flying over \(kind.rawValue)")
            reports.append(await fly(kind, in: session))
        }
        await session.connector.close()
        let summary = MissionSummary(reports)
        let problem = Task.isCancelled ? "interrupted" : "the mission was not flown over every link"
        session.console.result(summary.json, failure: problem)
        session.console.result("\(target):")
        session.console.result(summary.table)
        return Task.isCancelled ? .interrupted : summary.isComplete ? .done : .refused
    }

    /// What the mission is made of: a vehicle without one of these would be taken off in vain.
    private static let needed = VehicleRequirement(
        commands: [.takeoff, .land, .hover, .goTo], isSteered: true, telemetry: [.pose, .flight])

    private static func fly(_ kind: LinkKind, in session: CommandSession) async -> MissionReport {
        let console = session.console
        do {
            let link = try await session.connector.connect(.only(kind), within: session.timeout) { console.detail($0) }
            if let lack = link.vehicleCapabilities.lack(of: needed) {
                await link.close()
                throw LinkError(.unsupported, "\(lack): it cannot fly the mission")
            }
            let mission = MissionInteractor(
                FlightDependency(link: link, clock: session.clock), limits: session.limits)
            let report = await mission.fly { console.progress("  \($0)") }
            if let failure = report.failure { console.progress("  failed: \(failure)") }
            await link.close()
            return report
        } catch {
            var report = MissionReport(link: kind)
            report.failure = "\(error)"
            console.progress("  failed: \(error)")
            return report
        }
    }

    /// The links that were asked for, else those that lead to the vehicle. With `--link sim` that is the one in this program: any other
    /// leads to another vehicle.
    private static func kinds(_ arguments: ParsedCommand, _ profile: VehicleProfile) throws -> [LinkKind] {
        let isInside = profile.link == .only(.sim)
        guard arguments.isGiven(links) else {
            if profile.link.machine != nil { return [.direct] }
            return isInside ? [.sim] : profile.isSimulatedOnly ? [.tcp, .udp] : try kinds(try arguments[links])
        }
        let kinds = try kinds(try arguments[links])
        // One table of a simulated vehicle and a real one would compare what is not alike.
        if kinds.contains(.sim), kinds.contains(where: { $0 != .sim }) {
            throw UsageError(
                "the sim link leads to another vehicle than the others: one inside this program",
                hint: "fly it alone: uavlink --link sim mission")
        }
        if isInside, let other = kinds.first(where: { $0 != .sim }) {
            throw UsageError(
                "the \(other.rawValue) link does not lead to the vehicle of --link sim",
                hint: "leave out --links, or fly the vehicle of 'uavlink sim': --vehicle sim --links tcp,udp")
        }
        return kinds
    }

    private static func kinds(_ text: String) throws -> [LinkKind] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            guard let kind = LinkKind(rawValue: String(word)), LinkKind.ofProfiles.contains(kind) else {
                throw UsageError(
                    "'\(word)' is not a link",
                    hint: "links are \(LinkKind.ofProfiles.map(\.rawValue).joined(separator: ", "))")
            }
            return kind
        }
    }
}
