internal import ChannelProtocol
internal import Synchronization
internal import UAVLink

/// Answers queries from the backend: the flight envelope, the vehicle's world, the available maps, and the maps themselves.
final class SurveyService: Sendable {
    private let backend: (any SurveyLink)?
    private let clock: any MonotonicClock
    private let desk = Mutex(Desk())

    /// A map that is being prepared, or waited for.
    private struct Place {
        let number: UInt64
        let session: SessionID
        let since: MonotonicTime
        /// Its end ends the preparation.
        let turn: AsyncStream<Never>.Continuation
        /// Whether a part of the map has arrived.
        var hasData = false
    }

    private struct Desk {
        /// In order of their beginning.
        var places: [Place] = []
        var newest: UInt64 = 0
    }

    /// Each map holds its points in memory and a thread that sorts them, so one ground must not take all places.
    private static let maximumMaps = 4
    private static let maximumMapsPerGround = 2
    /// A map of which nothing has arrived after this long gives its place to another ground: a topic may be silent until the
    /// deadline. Longer than the largest map takes to arrive from another node.
    private static let longestSilence: Duration = .seconds(10)

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
        case .world(let known): return .world(try await backend.world(knowing: known, within: left))
        case .maps: return .maps(try await backend.maps(within: left))
        case .map(let request):
            return .map(try await pull(request, from: backend, for: session, within: left))
        case .control: throw LinkError(.internalFault, "control requests are not answered by the vehicle")
        }
    }

    // MARK: Maps

    private func pull(
        _ request: MapRequest, from backend: any SurveyLink, for session: SessionID, within timeout: Duration
    ) async throws(LinkError) -> [UInt8] {
        let (turn, ending) = AsyncStream<Never>.makeStream()
        guard let place = begin(for: session, ending) else {
            throw LinkError(.unsupported, "the companion is busy with other maps", hint: "try again in a few seconds")
        }
        defer { end(place) }
        let result = await withTaskGroup(of: Result<[UInt8], LinkError>?.self) { group in
            group.addTask { () async -> Result<[UInt8], LinkError>? in
                do throws(LinkError) {
                    let map = try await backend.pullMap(request, within: timeout) { fraction in
                        if fraction > 0 { self.noteData(place) }
                    }
                    return .success(map)
                } catch { return .failure(error) }
            }
            group.addTask { () async -> Result<[UInt8], LinkError>? in
                for await _ in turn {}
                return nil
            }
            let first: Result<[UInt8], LinkError>? = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let result else {
            throw LinkError(
                .timedOut, "nothing arrived on '\(request.topic)', and another ground asked for a map",
                hint: "a mapping node that does not latch its map publishes it rarely: try again when it does")
        }
        return try result.get()
    }

    /// Takes a place, which may be that of another ground's map of which nothing has arrived for long.
    ///
    /// - Returns: its number; `nil` if there is none.
    private func begin(for session: SessionID, _ turn: AsyncStream<Never>.Continuation) -> UInt64? {
        let now = clock.now
        var yielding: AsyncStream<Never>.Continuation?
        let number = desk.withLock { desk -> UInt64? in
            guard desk.places.count(where: { $0.session == session }) < Self.maximumMapsPerGround else { return nil }
            if desk.places.count >= Self.maximumMaps {
                let silent = desk.places.firstIndex {
                    $0.session != session && !$0.hasData && now - $0.since >= Self.longestSilence
                }
                guard let silent else { return nil }
                yielding = desk.places.remove(at: silent).turn
            }
            desk.newest += 1
            desk.places.append(Place(number: desk.newest, session: session, since: now, turn: turn))
            return desk.newest
        }
        yielding?.finish()
        return number
    }

    private func noteData(_ place: UInt64) {
        desk.withLock { desk in
            guard let index = desk.places.firstIndex(where: { $0.number == place }) else { return }
            desk.places[index].hasData = true
        }
    }

    private func end(_ place: UInt64) { desk.withLock { $0.places.removeAll { $0.number == place } } }
}
