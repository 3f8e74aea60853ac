/// What something (a mode, a test) needs a vehicle to have.
public struct VehicleRequirement: Hashable, Sendable {
    /// Commands.
    public var commands: CommandKinds
    /// Whether it must take setpoints, along any axis.
    public var isSteered: Bool
    /// Parts of telemetry.
    public var telemetry: VehicleCapabilities.TelemetryParts
    /// Answers to questions.
    public var survey: VehicleCapabilities.SurveyParts
    /// Whether it must be driven by text.
    public var isDrivenByText = false
    /// Whether it must fly plans of its own commands.
    public var fliesPlans = false

    /// A requirement; nothing unless given.
    public init(
        commands: CommandKinds = [], isSteered: Bool = false, telemetry: VehicleCapabilities.TelemetryParts = [],
        survey: VehicleCapabilities.SurveyParts = []
    ) {
        self.commands = commands
        self.isSteered = isSteered
        self.telemetry = telemetry
        self.survey = survey
    }

    /// That it is driven by text.
    public static let drivenByText: Self = {
        var requirement = Self()
        requirement.isDrivenByText = true
        return requirement
    }()

    /// That it flies plans of its own commands.
    public static let flyingPlans: Self = {
        var requirement = Self()
        requirement.fliesPlans = true
        return requirement
    }()

    /// Both together.
    public func and(_ other: Self) -> Self {
        var both = Self(
            commands: commands.union(other.commands), isSteered: isSteered || other.isSteered,
            telemetry: telemetry.union(other.telemetry), survey: survey.union(other.survey))
        both.isDrivenByText = isDrivenByText || other.isDrivenByText
        both.fliesPlans = fliesPlans || other.fliesPlans
        return both
    }
}

extension VehicleCapabilities {
    private static let telemetryNames: [(TelemetryParts, String)] = [
        (.pose, "position"), (.velocity, "velocity"), (.height, "height"), (.flight, "flight state"),
        (.battery, "battery"), (.gnss, "satellite navigation"), (.tracker, "tracker"),
        (.estimator, "estimator"), (.range, "range finder"), (.topicRates, "topic rates"),
        (.messages, "messages"),
    ]
    private static let surveyNames: [(SurveyParts, String)] = [
        (.limits, "motion limits"), (.worldOrigin, "world origin"), (.maps, "maps"), (.worldFile, "world file"),
    ]

    /// What this machine lacks of a requirement, as words for a message; empty if it has everything.
    public func missing(_ requirement: VehicleRequirement) -> [String] {
        let lacked = requirement.commands.subtracting(commands)
        var words = CommandKinds.names.filter { !$0.kind.isDisjoint(with: lacked) }.map(\.name)
        if requirement.isSteered, steering == nil { words.append("steering") }
        if requirement.isDrivenByText, !isDrivenByText { words.append("text commands") }
        if requirement.fliesPlans, !fliesPlans { words.append("flight plans") }
        let missing = requirement.telemetry.subtracting(telemetry)
        words += Self.telemetryNames.filter { missing.contains($0.0) }.map(\.1)
        let unanswered = requirement.survey.subtracting(survey)
        words += Self.surveyNames.filter { unanswered.contains($0.0) }.map(\.1)
        return words
    }

    /// A sentence that names the machine and what it lacks of a requirement; `nil` if it has everything.
    public func lack(of requirement: VehicleRequirement) -> String? {
        let missing = missing(requirement)
        guard !missing.isEmpty else { return nil }
        return "\(machine.sanitizedLine) has no \(missing.joined(separator: ", no "))"
    }

    /// Why this machine cannot execute a command; `nil` if it can. Every link asks before it sends.
    ///
    /// - Parameter vehicle: the vehicle's name, for the message.
    /// - Returns: an error with ``LinkError/Code/unsupported`` that names the vehicle and what it lacks.
    public func refusal(of command: Command, vehicle: String) -> LinkError? {
        guard let lack = lack(of: command) else { return nil }
        let name = vehicle.sanitizedLine
        return LinkError(.unsupported, name.isEmpty ? lack : "\(name): \(lack)", hint: "'\(command.name)' was not sent")
    }

    /// The error for a setpoint that this machine does not take (``Steering/accepts(_:)``), which says what it takes.
    public func refusal(of setpoint: VelocitySetpoint) -> LinkError {
        guard let steering else {
            return LinkError(.unsupported, "\(machine.sanitizedLine) cannot be steered")
        }
        guard steering.frames.contains(setpoint.frame) else {
            let frame = setpoint.frame == .world ? "body" : "world"
            return LinkError(.unsupported, "\(machine.sanitizedLine) takes velocities in the \(frame) frame only")
        }
        let names: [(Steering.Axes, String)] = [
            (.forward, "forward and back"), (.sideways, "sideways"), (.climb, "up and down"), (.turn, "turning"),
        ]
        let axes = names.filter { steering.axes.contains($0.0) }.map(\.1).joined(separator: ", ")
        return LinkError(.unsupported, "\(machine.sanitizedLine) can only be steered \(axes)")
    }

    private func lack(of command: Command) -> String? {
        guard commands.isSuperset(of: command.kind) else {
            return lack(of: VehicleRequirement(commands: command.kind))
        }
        switch command {
        case .goTo(let destination):
            return lack(of: destination.reference).map { "\(machine.sanitizedLine) has no goto \($0)" }
        case .uploadTrajectory(let trajectory):
            if let lack = lack(of: .frame(trajectory.frame)) {
                return "\(machine.sanitizedLine) has no trajectories \(lack)"
            }
            let count = trajectory.points.count
            return count <= mostTrajectoryPoints
                ? nil
                : "\(machine.sanitizedLine) takes trajectories of at most \(mostTrajectoryPoints) samples, not \(count)"
        default: return nil
        }
    }

    private func lack(of reference: Command.Destination.Reference) -> String? {
        let (needed, words): (Destinations, String) =
            switch reference {
            case .frame(.latitudeLongitude): (.latitudeLongitude, "by latitude and longitude")
            case .frame: (.frame, "in a frame")
            case .relative: (.relative, "relative to its reference")
            case .body: (.body, "in its body frame")
            }
        return destinations.contains(needed) ? nil : words
    }
}
