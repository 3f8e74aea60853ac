internal import SSHTransport
internal import Synchronization
package import UAVLink

/// The stages of connecting to a vehicle, in order.
package enum ConnectStage: String, Hashable, Sendable, CaseIterable {
    /// The host's name is resolved and it accepts a connection.
    case reach
    /// The host's key is trusted.
    case hostKey
    /// The login succeeds.
    case logIn
    /// The companion runs and the channel to it is open.
    case companion
    /// ROS is reachable; whether it sends anything is for the caller to check.
    case ros
}

/// Progress of opening a link.
package enum ConnectProgress: Hashable, Sendable {
    /// This link is being tried.
    case trying(LinkKind)
    /// This stage has begun.
    case began(ConnectStage)
    /// This stage is done.
    case done(ConnectStage)
    /// This stage is not needed, with the reason.
    case skipped(ConnectStage, String)
    /// This stage failed; another link may still be tried.
    case failed(ConnectStage, LinkError)
    /// This link could not be opened; the next one is tried, if there is one.
    case abandoned(LinkKind, LinkError)
    /// The next link to try is one without control authority, and was not requested by name.
    case fellBack(LinkFallback)
    /// This link is open.
    case opened(LinkKind)
}

/// Reports stages in order, and remembers the current one, to which an error is attributed.
///
/// Links keep the reporter and may log in again much later; after ``end()`` nothing is reported.
final class StageReporter: Sendable {
    private struct State {
        var tell: (@Sendable (ConnectProgress) -> Void)?
        var current: ConnectStage?
    }

    private let state: Mutex<State>

    init(_ tell: @escaping @Sendable (ConnectProgress) -> Void) { state = Mutex(State(tell: tell)) }

    func tell(_ progress: ConnectProgress) { state.withLock { $0.tell }?(progress) }

    /// Completes the current stage and begins this one.
    func begin(_ stage: ConnectStage) {
        finish()
        state.withLock { $0.current = stage }
        tell(.began(stage))
    }

    /// Completes the current stage.
    func finish() {
        if let stage = takeCurrent() { tell(.done(stage)) }
    }

    /// Fails the current stage.
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
