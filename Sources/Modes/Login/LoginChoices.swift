internal import VehicleAccess

/// The vehicles to choose from, from all sources.
struct LoginChoices {
    /// The vehicle given on the command line.
    var named: VehicleProfile?
    /// The configuration with the saved vehicles.
    var configuration = Configuration()
    /// The vehicles whose companions run on this machine.
    var here: [String] = []

    /// All choices in the list's order, without duplicates.
    var all: [LoginChoice] {
        let saved = configuration.vehicles
        let named = named.flatMap { saved.contains($0) ? nil : LoginChoice.named($0) }
        return (named.map { [$0] } ?? []) + saved.map(LoginChoice.saved) + here.map(LoginChoice.thisMachine)
            + [.simulator, .other]
    }

    /// Whether a vehicle is saved or was given on the command line.
    var hasVehicles: Bool { !configuration.vehicles.isEmpty || named != nil }

    /// The names in use.
    var knownNames: [String] { configuration.vehicles.map(\.name) }

    /// The current form of a choice: the vehicle of the command line becomes a saved one when the configuration has it.
    func current(_ choice: LoginChoice) -> LoginChoice {
        if case .named(let profile) = choice, configuration.vehicles.contains(profile) { return .saved(profile) }
        return choice
    }

    /// The initial choice: the default of the saved vehicles, else the first, else one on this machine; `nil` when there is
    /// none of these.
    var initialChoice: LoginChoice? {
        let saved = configuration.vehicles
        if let profile = saved.first(where: { $0.name == configuration.defaultVehicle }) ?? saved.first {
            return .saved(profile)
        }
        return here.first.map(LoginChoice.thisMachine)
    }
}
