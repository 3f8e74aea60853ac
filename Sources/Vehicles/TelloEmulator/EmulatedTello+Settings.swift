extension EmulatedTello {
    /// What it is like, and what is wrong with it.
    package struct Settings: Sendable {
        /// The edition of its SDK.
        package var edition = Edition.sdk20
        /// Percent.
        package var battery = 90.0
        /// From the command until it hovers and answers, seconds: 3.9 to 20 are reported.
        package var takeOffSeconds = 4.5
        /// How long it flies on without any command, seconds.
        package var failsafeSeconds = 15.0
        /// Whether a command that comes during a move is dropped instead of answered with `error Not joystick`.
        package var dropsWhenBusy = false
        /// Whether it was activated with the vendor's app; one that was not refuses everything.
        package var isActivated = true
        /// Whether it is too dark for its camera, so that it refuses every move.
        package var isDark = false
        /// Whether a datagram of the vendor's binary protocol comes before the first answer.
        package var isChatty = false
        /// Whether its state never arrives, as behind a firewall.
        package var hidesState = false
        /// Whether its state comes for six seconds of ten only.
        package var pausesState = false
        /// Whether one of three answers is lost, comes two seconds late, or comes twice: each fault has an answer of its own.
        package var losesAnswers = false
        package var delaysAnswers = false
        package var doublesAnswers = false
        /// Whether every move ends with `error Run timeout`.
        package var runsIntoTimeout = false
        /// The mission pads on the floor.
        package var pads: [Pad] = []

        /// A healthy drone of the second edition.
        package init() {}
    }

    /// Whether it sends its state now.
    package var sendsState: Bool {
        guard isInCommandMode, !settings.hidesState else { return false }
        return !settings.pausesState || now.truncatingRemainder(dividingBy: Self.pausePeriod) < Self.speakingSeconds
    }

    /// Of the fault that pauses the state, seconds.
    private static let pausePeriod = 10.0
    private static let speakingSeconds = 6.0
}
