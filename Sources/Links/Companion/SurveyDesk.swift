internal import SocketTransport
internal import Synchronization
internal import UAVLink

/// Answers questions from the backend: what the vehicle allows, which maps there are, and the maps themselves.
final class SurveyDesk: Sendable {
    private let backend: (any SurveyLink)?
    private let clock: any MonotonicClock
    /// Whose maps are being prepared.
    private let preparing = Mutex<[SessionID]>([])

    /// Each holds a map's points in memory and a thread that sorts them out; a topic that is silent holds its place until the
    /// deadline, and so must not have the only one, nor one ground all of them.
    private static let mostMaps = 4
    private static let mostMapsOfOneGround = 2

    /// - Parameter backend: `nil` when it cannot be asked.
    init(backend: (any SurveyLink)?, clock: any MonotonicClock) {
        self.backend = backend
        self.clock = clock
    }

    /// Answers in a task, once the backend is reached.
    ///
    /// - Parameter ready: returns when it is.
    func answer(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        tell: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void,
        ready: @escaping @Sendable () async throws(LinkError) -> Void
    ) {
        // Below commands and setpoints: a map's points are sorted out while others fly.
        Task(priority: .utility) {
            do throws(LinkError) {
                try await ready()
                tell(.success(try await ask(question, from: session, until: deadline)))
            } catch { tell(.failure(error)) }
        }
    }

    private func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime
    ) async throws(LinkError) -> SurveyAnswer {
        guard let backend else {
            throw LinkError(.unsupported, "the companion's backend cannot be asked \(question.name)")
        }
        let left = deadline - clock.now
        switch question {
        case .flightEnvelope: return .flightEnvelope(try await backend.flightEnvelope(within: left))
        case .maps: return .maps(try await backend.maps(within: left))
        case .map(let request):
            guard begin(for: session) else {
                throw LinkError(
                    .unsupported, "the companion prepares other maps at the moment", hint: "try again in a few seconds")
            }
            defer { end(for: session) }
            return .map(try await backend.pullMap(request, within: left) { _ in })
        case .control: throw LinkError(.internalFault, "who flies is not asked of the vehicle")
        }
    }

    private func begin(for session: SessionID) -> Bool {
        preparing.withLock { preparing in
            guard preparing.count < Self.mostMaps,
                preparing.count(where: { $0 == session }) < Self.mostMapsOfOneGround
            else { return false }
            preparing.append(session)
            return true
        }
    }

    private func end(for session: SessionID) {
        preparing.withLock { preparing in
            if let place = preparing.firstIndex(of: session) { preparing.remove(at: place) }
        }
    }
}
