internal import VehicleAccess

/// Which vehicles there are to choose from, wherever they are known from.
struct LoginChoices {
    /// The one that the command line named.
    var named: VehicleProfile?
    /// The saved ones.
    var configuration = Configuration()
    /// Those whose companions run on this machine.
    var here: [String] = []

    /// All of them in the list's order; none stands twice.
    var all: [LoginChoice] {
        let saved = configuration.vehicles
        let named = named.flatMap { saved.contains($0) ? nil : LoginChoice.named($0) }
        return (named.map { [$0] } ?? []) + saved.map(LoginChoice.saved) + here.map(LoginChoice.thisMachine)
            + [.simulator, .other]
    }

    /// Whether a person has set anything up yet.
    var hasVehicles: Bool { !configuration.vehicles.isEmpty || named != nil }

    /// The names that are taken.
    var knownNames: [String] { configuration.vehicles.map(\.name) }

    /// What a choice is called by now: one that the command line named may turn out to be a saved one.
    func current(_ choice: LoginChoice) -> LoginChoice {
        if case .named(let profile) = choice, configuration.vehicles.contains(profile) { return .saved(profile) }
        return choice
    }

    /// What a person who has done nothing yet probably means: the default of the saved vehicles, else the first, else one on
    /// this machine; `nil` when only a typed address is left.
    var likeliest: LoginChoice? {
        let saved = configuration.vehicles
        if let profile = saved.first(where: { $0.name == configuration.defaultVehicle }) ?? saved.first {
            return .saved(profile)
        }
        return here.first.map(LoginChoice.thisMachine)
    }
}
