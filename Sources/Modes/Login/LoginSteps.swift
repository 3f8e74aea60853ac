package import UAVLink
package import VehicleAccess

/// The state of one step of a log-in.
package struct LoginStep: Hashable, Sendable {
    /// The step's state.
    package enum State: Hashable, Sendable {
        /// Not started.
        case pending
        /// In progress.
        case underWay
        /// Done.
        case done
        /// Not needed here.
        case skipped
        /// Failed.
        case failed
    }

    /// Which step.
    package var stage: ConnectStage
    /// The step's state.
    package var state = State.pending
    /// A detail in a few words.
    package var word = ""

    /// Whether a machine without ROS is what sends telemetry.
    fileprivate(set) var isOfMachine = false

    /// A step that has not started.
    package init(_ stage: ConnectStage) { self.stage = stage }

    /// The name of the step.
    package var title: String { isOfMachine ? "machine" : stage.title }
}

/// The steps of one log-in, and the link that was opened.
package struct LoginSteps: Hashable, Sendable {
    /// All steps in order.
    package private(set) var all = ConnectStage.allCases.map(LoginStep.init)
    /// The link that was opened.
    package private(set) var link: LinkKind?
    /// What the link that was tried last bypasses or lacks; `nil` if nothing.
    package private(set) var fallback: LinkFallback?
    /// The ROS master on the vehicle, if commands reach it without a companion.
    package var rosMaster: String?
    private var trying: LinkKind?
    private var abandoned: [String] = []

    /// Steps of which none has started.
    package init() {}

    /// Why earlier links were not used, in one line; empty when the first one was opened.
    package var story: String { abandoned.joined(separator: "; ") }

    /// How far the log-in came, in one line: `network: done; host key: done; log in: failed`. Why a step failed, or an earlier link was
    /// not used, is not in it.
    package var line: String {
        all.filter { $0.state != .pending }.map { step in
            let hasOwnWord = !step.word.isEmpty && step.state != .failed && !step.stage.isOfLink
            return "\(step.title): \(hasOwnWord ? step.word.sanitizedLine : step.state.word)"
        }.joined(separator: "; ")
    }

    /// Applies a progress event.
    package mutating func take(_ event: ConnectProgress) {
        switch event {
        case .trying(let kind):
            trying = kind
            all[ConnectStage.ros.position].isOfMachine = kind == .direct
        case .began(let stage): set(stage, .underWay, stage.isOfLink ? linkDescription : "")
        case .done(let stage): set(stage, .done, stage.isOfLink ? linkDescription : "")
        case .skipped(let stage, let why): set(stage, .skipped, why)
        case .failed(let stage, let error): set(stage, .failed, error.what)
        case .abandoned(let kind, let error): abandoned.append("\(kind.rawValue): \(error.what)")
        // The warning contains the same reasons.
        case .fellBack(let fallback):
            self.fallback = fallback
            abandoned = [fallback.warning]
        case .opened(let kind): link = kind
        }
    }

    /// The link being tried, and why earlier ones were not used.
    private var linkDescription: String { (trying?.rawValue ?? "") + (abandoned.isEmpty ? "" : " (\(story))") }

    /// Marks the companion's step as being installed.
    mutating func installing(_ words: String) { set(.companion, .underWay, words) }

    /// Marks the ROS step as waiting for the first telemetry.
    mutating func beginTelemetryStep() { set(.ros, .underWay, "waiting for the first telemetry") }

    /// Marks the ROS step as done.
    mutating func telemetryReceived() {
        let master = rosMaster.map { ", ROS master \($0)" } ?? ""
        set(.ros, .done, "telemetry received" + (link.map { " over \($0.rawValue)" } ?? "") + master)
    }

    /// Marks the step as done for a machine that need not send any.
    mutating func telemetryNotNeeded() { set(.ros, .done, "not needed") }

    /// Marks the ROS step as failed.
    ///
    /// - Parameter fault: why, if the link knows.
    mutating func telemetryMissing(_ fault: LinkError? = nil) {
        set(.ros, .failed, fault.map { "no telemetry: \($0.what)" } ?? "no telemetry")
    }

    private mutating func set(_ stage: ConnectStage, _ state: LoginStep.State, _ word: String) {
        all[stage.position].state = state
        all[stage.position].word = word
    }
}

extension ConnectStage {
    /// Whether the step is repeated for each link that is tried.
    fileprivate var isOfLink: Bool { self == .companion || self == .ros }

    fileprivate var position: Int {
        switch self {
        case .reach: 0
        case .hostKey: 1
        case .logIn: 2
        case .companion: 3
        case .ros: 4
        }
    }
}

extension ConnectStage {
    /// The name of the step.
    var title: String {
        switch self {
        case .reach: "network"
        case .hostKey: "host key"
        case .logIn: "log in"
        case .companion: "companion"
        case .ros: "ROS"
        }
    }
}

extension LoginStep.State {
    /// The state in a word or two; empty before it has begun.
    var word: String {
        switch self {
        case .pending: ""
        case .underWay: "in progress"
        case .done: "done"
        case .skipped: "not needed"
        case .failed: "failed"
        }
    }
}
