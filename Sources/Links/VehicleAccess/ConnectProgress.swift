internal import SSHTransport
internal import Synchronization
public import UAVLink

/// What stands between a person and a vehicle, in the order in which it is overcome.
public enum ConnectStage: String, Hashable, Sendable, CaseIterable {
    /// The host has such a name and takes a connection.
    case reach
    /// Its key is the one that is known.
    case hostKey
    /// It lets us in.
    case logIn
    /// The companion runs and the channel to it is open.
    case companion
    /// ROS is there. Whether it tells anything yet is for the caller to see.
    case ros
}

/// News while a link is opened.
public enum ConnectProgress: Hashable, Sendable {
    /// This link is tried now.
    case trying(LinkKind)
    /// This is under way now.
    case began(ConnectStage)
    /// This is done.
    case done(ConnectStage)
    /// This is not needed, for that reason.
    case skipped(ConnectStage, String)
    /// This failed; another link may be tried yet.
    case failed(ConnectStage, LinkError)
    /// This link could not be made, and another is tried if there is one.
    case abandoned(LinkKind, LinkError)
    /// The link that is tried next is one over which nobody decides who flies; nobody asked for it by name.
    case fellBack(LinkFallback)
    /// This link is open.
    case opened(LinkKind)
}

/// Tells stages in their order, and remembers which one is under way so that an error falls on it.
///
/// Links keep what they were made with and may log in again much later; from ``end()`` on nobody is told.
final class StageReporter: Sendable {
    private struct State {
        var tell: (@Sendable (ConnectProgress) -> Void)?
        var current: ConnectStage?
    }

    private let state: Mutex<State>

    init(_ tell: @escaping @Sendable (ConnectProgress) -> Void) { state = Mutex(State(tell: tell)) }

    func tell(_ news: ConnectProgress) { state.withLock { $0.tell }?(news) }

    /// What was under way is done, and this begins.
    func begin(_ stage: ConnectStage) {
        finish()
        state.withLock { $0.current = stage }
        tell(.began(stage))
    }

    /// What is under way is done.
    func finish() {
        if let stage = takeCurrent() { tell(.done(stage)) }
    }

    /// What is under way failed.
    func fail(_ error: LinkError) {
        if let stage = takeCurrent() { tell(.failed(stage, error)) }
    }

    func skip(_ stages: [ConnectStage], _ why: String) {
        for stage in stages { tell(.skipped(stage, why)) }
    }

    func begin(_ phase: SSHConnectPhase) {
        switch phase {
        case .reaching: begin(ConnectStage.reach)
        case .checkingHostKey: begin(.hostKey)
        case .loggingIn: begin(.logIn)
        }
    }

    func end() { state.withLock { $0.tell = nil } }

    private func takeCurrent() -> ConnectStage? {
        state.withLock { state in
            defer { state.current = nil }
            return state.current
        }
    }
}
