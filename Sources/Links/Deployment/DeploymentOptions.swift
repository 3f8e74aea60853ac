/// What a deployment does.
package struct DeploymentOptions: Hashable, Sendable {
    /// One of three things.
    package enum Action: String, Hashable, Sendable {
        /// Installs the companion, or a newer one.
        case install
        /// Goes back to the one before.
        case rollBack = "rollback"
        /// Takes everything away.
        case remove
    }

    /// What is done.
    package var action: Action
    /// Whether nothing is changed, and only said what would be.
    package var isDryRun: Bool
    /// Whether it goes on although the vehicle is armed, or a pilot has control authority.
    package var isForced: Bool
    /// Whether the companion becomes a service.
    package var wantsService: Bool

    /// Installs the companion, unless told otherwise.
    package init(
        _ action: Action = .install, isDryRun: Bool = false, isForced: Bool = false, wantsService: Bool = false
    ) {
        self.action = action
        self.isDryRun = isDryRun
        self.isForced = isForced
        self.wantsService = wantsService
    }
}

/// What a deployment tells while it goes on.
package enum DeploymentEvent: Hashable, Sendable {
    /// The vehicle's computer was examined.
    case examined(HostFacts)
    /// This begins, or with a dry run would be done.
    case step(String)
    /// Bytes that the vehicle has confirmed, of how many, and how many in a second.
    case uploaded(Int, of: Int, bytesPerSecond: Double)
    /// The upload has ended.
    case uploadEnded
    /// Something that the user should know.
    case warning(String)
}
