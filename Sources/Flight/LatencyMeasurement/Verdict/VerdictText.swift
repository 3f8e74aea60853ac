internal import LatencyStatistics
internal import ReportKit

package enum VerdictText {
    static func sentence(_ link: FlightVerdict.Link, _ thresholds: FlightThresholds) -> String {
        var parts: [String] = []
        switch link.fitness {
        case .unknown:
            let wait = groundWait(link).map { " \($0.prefix(1).uppercased())\($0.dropFirst())." } ?? ""
            return "\(link.name): not enough data (\(link.reasons.joined(separator: "; "))).\(wait)"
        case .sticks: parts.append("\(link.name): yes, manual steering")
        case .slowSticks: parts.append("\(link.name): manual steering, but only slowly")
        case .commands: parts.append("\(link.name): commands and trajectories only, no manual steering")
        case .nothing: parts.append("\(link.name): no")
        }
        if !link.reasons.isEmpty { parts[0] += " (\(link.reasons.joined(separator: "; ")))" }
        // What is a reason already is not said twice.
        let said = link.reasons.joined(separator: " ")
        var facts: [String] = []
        if let holds = link.sustainedHertz, !said.contains("sustained") {
            facts.append("\(rate(holds)) setpoints a second sustained even in the worst second")
        }
        if let age = link.worstAgeNanoseconds, !said.contains("newest setpoint") {
            facts.append("the oldest setpoint was \(milliseconds(age)) old")
        }
        if !facts.isEmpty { parts.append(facts.joined(separator: "; ")) }
        if let bound = link.lapsesPerHourBound {
            let count = link.lapses == 0 ? "no lapse" : link.lapses == 1 ? "1 lapse" : "\(link.lapses) lapses"
            parts.append(
                "\(count) in \(link.exposureSeconds.formatted(decimals: 0)) s of steering: fewer than "
                    + "\(bound.formatted(decimals: 0)) an hour (95 %)")
        }
        if let way = travel(link, metresPerSecond: thresholds.speedMetresPerSecond) { parts.append(way) }
        if let travel = link.commandTravelMetres {
            parts.append("a hover command takes effect after \(metres(travel))")
        }
        if let wait = groundWait(link) { parts.append(wait) }
        // Each part is a sentence; the first begins with the link's name, which is not capitalized.
        let sentences = parts.prefix(1) + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return sentences.joined(separator: ". ") + "."
    }

    /// How far the vehicle travels after link loss; `nil` where that is not known.
    package static func travel(_ link: FlightVerdict.Link, metresPerSecond speed: Double) -> String? {
        link.travelMetres.map { travel in
            "At \(speed.formatted(decimals: 1)) m/s the vehicle travels at most \(metres(travel)) after link loss until it "
                + "brakes, and \(metres(link.brakingMetres)) more until it stops"
        }
    }

    /// That most of a link's time is the wait on this computer; `nil` where it is not.
    package static func groundWait(_ link: FlightVerdict.Link) -> String? {
        link.groundWait.map { wait in
            "most of it is not the link: \(milliseconds(wait.nanoseconds)) of \(milliseconds(wait.wholeNanoseconds)) per "
                + "\(wait.kind.rawValue) value passed before this computer sent it"
        }
    }

    /// The answer where only a machine's own protocol was measured.
    static let unjudged = "Not judged: nothing tells when setpoints over the machine's own protocol arrive."

    static func answer(_ links: [FlightVerdict.Link]) -> String {
        // What to do about it is the same for all links, and is said once.
        let isWaiting = links.contains { $0.groundWait != nil }
        let advice = isWaiting ? " This computer is busy: close other programs and measure again." : ""
        return fitnessAnswer(links) + advice
    }

    private static func fitnessAnswer(_ links: [FlightVerdict.Link]) -> String {
        func names(_ fitness: FlightVerdict.Fitness) -> String {
            list(links.filter { $0.fitness == fitness }.map(\.name))
        }
        if links.contains(where: { $0.fitness == .unknown }) {
            return "Not enough data of \(names(.unknown)): measure more rounds."
        }
        if links.contains(where: { $0.fitness == .sticks }) { return "Yes: manual steering over \(names(.sticks))." }
        if links.contains(where: { $0.fitness == .slowSticks }) {
            return "With care: slow manual steering over \(names(.slowSticks))."
        }
        if links.contains(where: { $0.fitness == .commands }) {
            return "No manual steering; commands and trajectories work over \(names(.commands))."
        }
        return "No: neither commands nor setpoints get through."
    }

    static func modes(_ links: [FlightVerdict.Link]) -> [String] {
        guard !links.contains(where: { $0.fitness == .unknown }) else { return [] }
        func line(_ mode: String, _ fit: (FlightVerdict.Link) -> Bool, otherwise: String) -> String {
            let names = links.filter(fit).map(\.name)
            return names.isEmpty ? "\(mode): \(otherwise)" : "\(mode): \(list(names))"
        }
        return [
            line("joystick", { $0.fitness == .sticks }, otherwise: "no link is fast and steady enough"),
            line(
                "joystick, slowly", { $0.fitness == .sticks || $0.fitness == .slowSticks },
                otherwise: "no link sustains the lease"),
            line(
                "map trajectory, goto and indoor navigation (flown by the vehicle on its own)",
                { $0.answersCommands && $0.fitness != .nothing }, otherwise: "no command was answered"),
        ]
    }

    /// Names as a list: `a`, `a and b`, `a, b and c`.
    package static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "no link" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    static func milliseconds(_ nanoseconds: Int64) -> String {
        let value = Double(nanoseconds) / 1e6
        return value.formatted(decimals: abs(value) < 10 ? 1 : 0) + " ms"
    }

    static func rate(_ hertz: Double) -> String { hertz.formatted(decimals: hertz < 10 ? 1 : 0) }

    static func metres(_ metres: Double) -> String { metres.formatted(decimals: 2) + " m" }
}
