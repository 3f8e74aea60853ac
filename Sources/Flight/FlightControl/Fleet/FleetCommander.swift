internal import RefusalWords
internal import ReportKit
package import UAVLink

/// Performs a command on one or several vehicles concurrently, and returns each answer as a line.
package struct FleetCommander: Sendable {
    /// The timeout of an answer. `rosservice call` over SSH takes 1.3 s on an idle machine and several on a busy one.
    package static let answer: Duration = .seconds(15)

    package init() {}

    /// Performs the command on every target concurrently.
    ///
    /// - Returns: one line for each target, in their order.
    package func perform(_ command: Command, on targets: [LoggedInVehicle]) async -> [Notice] {
        await withTaskGroup(of: (Int, Notice).self) { group in
            for (position, target) in targets.enumerated() {
                group.addTask { (position, await Self.perform(command, on: target)) }
            }
            var notices: [(Int, Notice)] = []
            for await notice in group { notices.append(notice) }
            return notices.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// What is said at once of a command that goes over lost links, since no answer may come for long; `nil` where none is lost.
    package func announcement(of command: Command, on targets: [LoggedInVehicle]) -> Notice? {
        let lost = targets.filter(\.isLinkLost)
        guard let first = lost.first else { return nil }
        let titles = lost.map(\.title).joined(separator: ", ")
        let attempt = "\(titles): link lost; \(command.title(on: lost)) \(first.lostLinkAttempt(within: Self.answer))"
        return Notice(.warning, "\(attempt). Meanwhile \(first.lostLinkConduct)", scope: .vehicle)
    }

    private static func perform(_ command: Command, on target: LoggedInVehicle) async -> Notice {
        let what = "\(target.title): \(command.title(on: [target]))"
        do {
            let reply = try await target.link.perform(command, within: answer)
            let trip = "\(reply.roundTrip.inMilliseconds.formatted(decimals: 1)) ms"
            if reply.accepted { return Notice(.success, "\(what) accepted in \(trip)") }
            let reason = RefusalWords.shown(reply.message.sanitizedLine, of: command.name)
            return Notice(.error, "\(what) refused: \(reason)")
        } catch  where error.code == .notConnected {
            return Notice(.error, "\(what) was not sent: link lost; \(target.lostLinkAdvice)")
        } catch  where error.code == .timedOut {
            // The hints of links name subcommands and options of the command line.
            let isLost = !target.link.quality.isConnected
            let advice =
                isLost
                ? "give it again when the link is restored; link lost: \(target.lostLinkAdvice)"
                : "it may not have been executed: look at what the vehicle does, and give it again"
            return Notice(.error, "\(what): \(error.what); \(advice)")
        } catch {
            return Notice(.error, "\(what): \(error.description)")
        }
    }
}

extension Command {
    /// Its name on a screen, where the one on the command line is an abbreviation.
    package var title: String {
        switch self {
        case .emergencyLand: "emergency landing"
        case .emergencyHover: "emergency hover"
        default: name
        }
    }

    /// The same, named by what these vehicles do: an emergency landing of some machines stops their motors, and they fall; what
    /// drives on the ground stops where others hover.
    package func title(on targets: [LoggedInVehicle]) -> String {
        let able = targets.map(\.link.vehicleCapabilities).filter { $0.commands.contains(kind) }
        guard !able.isEmpty else { return title }
        if self == .emergencyLand, able.allSatisfy(\.emergencyStopsMotors) { return "emergency stop of the motors" }
        if self == .hover, able.allSatisfy(\.isDrivenByText) { return "stop" }
        return title
    }
}
