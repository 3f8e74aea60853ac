internal import TextSearch

/// The refusals of uav_core (MRS), as its nodes write them (facts: a conversation with the real flight stack).
enum MRSRefusals {
    /// Parts that a text contains, and what it means; the first that fits counts.
    struct Entry {
        let parts: [String]
        /// Whether the text is the one part and no more.
        let isWhole: Bool
        let plain: String

        init(_ parts: String..., means plain: String) { (self.parts, isWhole, self.plain) = (parts, false, plain) }
        init(whole text: String, means plain: String) { (parts, isWhole, self.plain) = ([text], true, plain) }

        func fits(_ message: String) -> Bool {
            isWhole ? parts == [message] : parts.allSatisfy { message.includes($0) }
        }
    }

    /// The words of ``RefusalWords/onGround(_:)``.
    static let onGround = "it is on the ground already"
    /// A landing is refused by a flight stack that flies nothing.
    static let notFlown = Entry(
        "can not land,", "'NullTracker' is active",
        means: "its flight stack does not fly it: it is on the ground, or flown by radio")

    /// What the words of ``RefusalWords/ofFrame(_:_:)`` begin with.
    static let unknownFramePrefix = "unknown frame '"
    /// The flight stack has no transformation from the frame of a goal to its own: `could not be transformed`, `Could not transform`.
    static let unknownFrame = Entry(
        "ould not", "transform", means: "unknown frame: the vehicle has no transformation for it")

    private static let notFlying = "not flying: take off first"
    private static let notArmed = "not armed: arm first"

    /// What it means when a command, by its name on the command line, is refused without a text.
    static let silent = [
        "output-on":
            "after an emergency landing the control output stays off until the flight stack is restarted; otherwise wait "
            + "until the flight stack is ready"
    ]

    static let table = [
        Entry("can not takeoff", "not armed", means: notArmed),
        Entry("can not takeoff", "offboard", means: "not in offboard mode: 'takeoff --arm' sets it"),
        Entry(
            "can not takeoff", "output is disabled", means: "its control output is off: 'takeoff --arm' switches it on"),
        Entry("can not takeoff", "'NullTracker'", means: "not on the ground: it flies, lands or hovers"),
        notFlown,
        Entry(
            "can not land home", "did not takeoff",
            means: "no home: it has not taken off since its flight stack started"),
        // Also of a landing at home, after a hover has interrupted a landing.
        Entry(
            "can not land, already landing",
            means: "landing already, or holding after an interrupted landing: then only 'land' is accepted"),
        Entry("while not flying", means: "not flying"),
        // A relative goal or heading on the ground.
        Entry(whole: "not flying", means: notFlying),
        Entry("the tracker 'NullTracker' does not implement", means: notFlying),
        Entry(
            "the tracker 'LandoffTracker' does not implement",
            means: "taking off or landing, or in an emergency: no goal is accepted now"),
        Entry("switch to offboard", "not armed", means: notArmed),
        Entry(
            "switch to offboard", "missing control input",
            means: "no control input yet: switch the control output on, and wait a second"),
        // An emergency hover, or a hover that ends the goto before a landing, leaves them disabled.
        Entry(
            "the callbacks are disabled",
            means: "no goal is accepted now: it takes off, lands, is in an emergency, or holds after an emergency "
                + "hover or an interrupted landing (then land, and take off again)"),
        Entry(
            "failed to set the reference", "outside of the safety area",
            means: "the goal is outside of the safety area, too high or too low, or in an unknown frame"),
        unknownFrame,
        Entry("load trajectory with size 0", means: "the trajectory has no points"),
        Entry("trajectory is not set", means: "no trajectory is loaded: send one first"),
        Entry("trajectory is already finished", means: "the trajectory was flown to its end: start it again"),
        // The tracker measures the step of its loop, 0.01 s on a computer that has the time.
        Entry(
            "the trajectory dt", "is too small",
            means: "its control loop is slower than the time between the samples, perhaps since its computer is busy: "
                + "send it again, or with a larger --dt and --spacing"),
        Entry("contains NaNs/infs", means: "a value is not a finite number"),
        Entry("is not finite", means: "a value is not a finite number"),
    ]
}
