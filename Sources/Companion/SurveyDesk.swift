internal import SocketTransport
internal import Synchronization
internal import UAVLink

/// Answers questions from the backend: what the vehicle allows, which maps there are, and the maps themselves.
final class SurveyDesk: Sendable {
    private let backend: (any SurveyLink)?
    private let clock: any MonotonicClock
    private let isPreparingMap = Mutex(false)

    /// - Parameter backend: `nil` when it cannot be asked.
    init(backend: (any SurveyLink)?, clock: any MonotonicClock) {
        self.backend = backend
        self.clock = clock
    }

    /// Answers in a task, once the backend is reached.
    ///
    /// - Parameter ready: returns when it is.
    func answer(
        _ question: SurveyQuestion, until deadline: MonotonicTime,
        tell: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void,
        ready: @escaping @Sendable () async throws(LinkError) -> Void
    ) {
        // Below commands and setpoints: a map's points are sorted out while others fly.
        Task(priority: .utility) {
            do throws(LinkError) {
                try await ready()
                tell(.success(try await ask(question, until: deadline)))
            } catch { tell(.failure(error)) }
        }
    }

    private func ask(_ question: SurveyQuestion, until deadline: MonotonicTime) async throws(LinkError) -> SurveyAnswer
    {
        guard let backend else {
            throw LinkError(.unsupported, "the companion's backend cannot be asked \(question.name)")
        }
        let left = deadline - clock.now
        switch question {
        case .flightEnvelope: return .flightEnvelope(try await backend.flightEnvelope(within: left))
        case .maps: return .maps(try await backend.maps(within: left))
        case .map(let request):
            guard begin() else {
                throw LinkError(
                    .unsupported, "the companion prepares another map at the moment", hint: "try again in a few seconds"
                )
            }
            defer { isPreparingMap.withLock { $0 = false } }
            return .map(try await backend.pullMap(request, within: left) { _ in })
        case .control: throw LinkError(.internalFault, "who flies is not asked of the vehicle")
        }
    }

    private func begin() -> Bool {
        isPreparingMap.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
    }
}
