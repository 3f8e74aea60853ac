public import UAVLink
public import VehicleAccess

/// One step of a log-in as it stands.
public struct LoginStep: Hashable, Sendable {
    /// How far it is.
    public enum State: Hashable, Sendable {
        /// Not begun.
        case pending
        /// Being done.
        case underWay
        /// Done.
        case done
        /// Not needed here.
        case skipped
        /// Did not work.
        case failed
    }

    /// Which step.
    public var stage: ConnectStage
    /// How far it is.
    public var state = State.pending
    /// What there is to say of it, in a few words.
    public var word = ""

    /// A step that has not begun.
    public init(_ stage: ConnectStage) { self.stage = stage }
}

/// The steps of one log-in, and which link came of them.
public struct LoginSteps: Hashable, Sendable {
    /// All of them, in their order.
    public private(set) var all = ConnectStage.allCases.map(LoginStep.init)
    /// The link that was opened.
    public private(set) var link: LinkKind?
    private var trying: LinkKind?
    private var abandoned: [String] = []

    /// Nothing has begun.
    public init() {}

    /// Why it is this link and not one that is tried before it: one line, empty when it was the first.
    public var story: String { abandoned.joined(separator: "; ") }

    /// Takes news in.
    public mutating func take(_ news: ConnectProgress) {
        switch news {
        case .trying(let kind): trying = kind
        case .began(let stage): set(stage, .underWay, stage.isOfLink ? wordsOfLink : "")
        case .done(let stage): set(stage, .done, stage.isOfLink ? wordsOfLink : "")
        case .skipped(let stage, let why): set(stage, .skipped, why)
        case .failed(let stage, let error): set(stage, .failed, error.what)
        case .abandoned(let kind, let error): abandoned.append("\(kind.rawValue): \(error.what)")
        // It has the same reasons in it.
        case .fellBack(let fallback): abandoned = [fallback.warning]
        case .opened(let kind): link = kind
        }
    }

    /// Which link it is, and why not another.
    private var wordsOfLink: String { (trying?.rawValue ?? "") + (abandoned.isEmpty ? "" : " (\(story))") }

    /// Waits for what ROS tells.
    mutating func awaitTelemetry() { set(.ros, .underWay, "waiting for the first telemetry") }

    /// ROS tells something.
    mutating func telemetryCame() { set(.ros, .done, "telemetry comes" + (link.map { " over \($0.rawValue)" } ?? "")) }

    /// ROS tells nothing.
    mutating func telemetryMissing() { set(.ros, .failed, "no telemetry") }

    private mutating func set(_ stage: ConnectStage, _ state: LoginStep.State, _ word: String) {
        all[stage.position].state = state
        all[stage.position].word = word
    }
}

extension ConnectStage {
    /// Whether each link that is tried does this anew.
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
