/// How far a deployment has come when something refuses to let it go on.
enum DeploymentStage: Hashable, Sendable {
    /// Nothing was changed.
    case unchanged
    /// The deployed program is in its place; a companion that runs is the one before.
    case switched

    /// What was not done, as a clause.
    var outcome: String {
        switch self {
        case .unchanged: "nothing was changed"
        case .switched: "the running companion was not restarted"
        }
    }

    /// A hint, with what holds at this stage.
    func hint(_ hint: String) -> String {
        switch self {
        case .unchanged: hint
        case .switched:
            [hint, "the deployed one is used from its next start on"].filter { !$0.isEmpty }.joined(separator: "; ")
        }
    }
}
