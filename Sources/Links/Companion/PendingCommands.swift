internal import Authority
internal import ChannelProtocol
internal import Synchronization
internal import UAVLink

/// A command that waits until the backend can be given it.
final class WaitingCommand: Sendable {
    typealias Answer = @Sendable (Result<CommandReply, LinkError>, CommandOutcome) -> Void

    private enum State: Sendable {
        case waiting(Answer)
        /// Given to the backend, which may hold it back, too.
        case begun(CommandRecall?)
        case ended
    }

    private let state: Mutex<State>

    init(_ answer: @escaping Answer) { state = Mutex(.waiting(answer)) }

    /// Before it is given to the backend.
    ///
    /// - Returns: its answer; `nil` if it was taken back.
    func begin() -> Answer? {
        state.withLock { state in
            guard case .waiting(let answer) = state else { return nil }
            state = .begun(nil)
            return answer
        }
    }

    /// The backend has it, and can take it back.
    func hold(_ recall: CommandRecall?) {
        let isOver = state.withLock { state in
            guard case .begun = state else { return true }
            state = .begun(recall)
            return false
        }
        if isOver { recall?() }
    }

    /// It is not given to the backend.
    func fail(_ error: LinkError) {
        let answer = state.withLock { state -> Answer? in
            guard case .waiting(let answer) = state else { return nil }
            state = .ended
            return answer
        }
        answer?(.failure(error), .refused)
    }

    func takeBack() {
        let (answer, recall) = state.withLock { state -> (Answer?, CommandRecall?) in
            defer { state = .ended }
            switch state {
            case .waiting(let answer): return (answer, nil)
            case .begun(let recall): return (nil, recall)
            case .ended: return (nil, nil)
            }
        }
        answer?(.failure(LinkError(.remoteFailed, "taken back before it was sent")), .refused)
        recall?()
    }
}

/// The commands under way that must not act after a newer stop: those that still wait on board, for the connection or for their
/// service to be found, are taken back by it.
final class PendingCommands: Sendable {
    /// One of them.
    final class Entry: Sendable {
        fileprivate struct State {
            var recall: CommandRecall?
            /// Why it was taken back.
            var reason: String?
            var hasEnded = false
        }

        fileprivate let session: SessionID
        fileprivate let state = Mutex(State())

        fileprivate init(_ session: SessionID) { self.session = session }

        /// How to take it back; `nil` if it has left.
        func hold(_ recall: CommandRecall?) {
            let isWanted = state.withLock { state in
                // It may hold what was answered, which holds this.
                guard !state.hasEnded else { return false }
                state.recall = recall
                return state.reason != nil
            }
            if isWanted { recall?() }
        }

        fileprivate func end() {
            // It goes outside of the lock.
            let recall = state.withLock { state in
                defer { (state.recall, state.hasEnded) = (nil, true) }
                return state.recall
            }
            withExtendedLifetime(recall) {}
        }

        fileprivate func takeBack(_ reason: String) {
            let recall = state.withLock { state in
                state.reason = state.reason ?? reason
                return state.recall
            }
            recall?()
        }

        /// What its caller is answered: that it was taken back, if it was and nothing of it has left.
        func outcome(
            _ result: Result<CommandReply, LinkError>, _ outcome: CommandOutcome
        ) -> (Result<CommandReply, LinkError>, CommandOutcome) {
            guard case .failure(let error) = result, error.code == .remoteFailed,
                let reason = state.withLock({ $0.reason })
            else { return (result, outcome) }
            return (.success(CommandReply(accepted: false, message: reason)), .refused)
        }
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// A command of a session is about to begin.
    func add(of session: SessionID) -> Entry {
        let entry = Entry(session)
        entries.withLock { $0[ObjectIdentifier(entry)] = entry }
        return entry
    }

    /// It has ended.
    func remove(_ entry: Entry) {
        entries.withLock { $0[ObjectIdentifier(entry)] = nil }
        entry.end()
    }

    /// Takes back what waits.
    ///
    /// - Parameters:
    ///   - reason: what their callers are answered.
    ///   - session: whose commands remain; `nil`: none do.
    func takeBack(_ reason: String, sparing session: SessionID? = nil) {
        let old = entries.withLock { $0.values.filter { $0.session != session } }
        for entry in old { entry.takeBack(reason) }
    }

    var isEmpty: Bool { entries.withLock { $0.isEmpty } }
}
