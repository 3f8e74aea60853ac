internal import ChannelProtocol
internal import Synchronization
internal import UAVLink

/// Answers queries from the backend: the flight envelope, the available maps, and the maps themselves.
final class SurveyService: Sendable {
    private let backend: (any SurveyLink)?
    private let clock: any MonotonicClock
    /// The sessions for which maps are being prepared.
    private let preparing = Mutex<[SessionID]>([])

    /// Each map holds its points in memory and a thread that sorts them; a silent topic keeps its slot until the deadline, so
    /// there must be several slots, and one ground must not take all of them.
    private static let maximumMaps = 4
    private static let maximumMapsPerGround = 2

    /// - Parameter backend: `nil` if it cannot be queried.
    init(backend: (any SurveyLink)?, clock: any MonotonicClock) {
        self.backend = backend
        self.clock = clock
    }

    /// Answers in a task, once the backend is connected.
    ///
    /// - Parameter ready: returns when it is connected.
    func answer(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        tell: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void,
        ready: @escaping @Sendable () async throws(LinkError) -> Void
    ) {
        // Below commands and setpoints: a map's points are sorted while others fly.
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
            throw LinkError(.unsupported, "the companion's backend cannot report \(question.name)")
        }
        let left = deadline - clock.now
        switch question {
        case .flightEnvelope: return .flightEnvelope(try await backend.flightEnvelope(within: left))
        case .maps: return .maps(try await backend.maps(within: left))
        case .map(let request):
            guard begin(for: session) else {
                throw LinkError(
                    .unsupported, "the companion is busy with other maps", hint: "try again in a few seconds")
            }
            defer { end(for: session) }
            return .map(try await backend.pullMap(request, within: left) { _ in })
        case .control: throw LinkError(.internalFault, "control requests are not answered by the vehicle")
        }
    }

    private func begin(for session: SessionID) -> Bool {
        preparing.withLock { preparing in
            guard preparing.count < Self.maximumMaps,
                preparing.count(where: { $0 == session }) < Self.maximumMapsPerGround
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
