extension PlanRunner {
    /// Where it stands.
    package enum Progress: Hashable, Sendable {
        /// Not begun.
        case ready
        /// Flies the step of that index.
        case flying(Int)
        /// Hovers before the step of that index.
        case paused(Int)
        /// Is over.
        case ended(End)
    }

    /// How it ended.
    package enum End: Hashable, Sendable {
        /// Every step was flown.
        case flown
        /// Stopped: the drone hovers, and lands by itself when nobody flies it.
        case stopped
        /// Landed before its end, because the user wanted it.
        case landed
        /// The step of that index failed, in these words; then the drone was told to land.
        case failed(Int, String)
        /// It did not begin, in these words.
        case refused(String)
    }

    /// How the user ends a plan early.
    package enum Wish: Hashable, Sendable { case stop, land }

    /// A wish, with its place among the others.
    package struct Order: Hashable, Sendable {
        let number: UInt64
        let wish: Wish
    }
}
