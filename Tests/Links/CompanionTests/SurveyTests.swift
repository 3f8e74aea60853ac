import Companion
import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// Questions at the companion: the backend answers, and a few maps are prepared at a time.
@Suite("The companion is asked") struct SurveyTests {
    let clock = FakeClock()
    let backend = FakeLink()
    let companion: Companion

    init() async throws {
        companion = Companion(Companion.Configuration(vehicle: "uav1"), backend: backend, isReached: true, clock: clock)
        try await backend.connect(within: .seconds(1))
    }

    private func ask(_ question: SurveyQuestion) async -> Result<SurveyAnswer, LinkError> {
        await withCheckedContinuation { waiter in
            companion.ask(question, from: SessionID(1), until: clock.now + .seconds(60)) {
                waiter.resume(returning: $0)
            }
        }
    }

    @Test func `what the backend knows is reported`() async throws {
        backend.survey.maps = ["/map": [1, 2, 3]]
        #expect(try await ask(.flightEnvelope).get() == .flightEnvelope(backend.survey.envelope))
        #expect(try await ask(.maps).get() == .maps([AvailableMap(topic: "/map")]))
        let request = MapRequest(topic: "/map", spacingMetres: 0.2, maximumPoints: 10)
        #expect(try await ask(.map(request)).get() == .map([1, 2, 3]))
        #expect(backend.survey.requests == [request])
        // The desk is free again, also after a failure.
        _ = await ask(.map(MapRequest(topic: "/other")))
        #expect(try await ask(.map(request)).get() == .map([1, 2, 3]))
    }

    private func begin(_ topic: String, from session: UInt64, _ tell: @escaping @Sendable (LinkError?) -> Void) {
        companion.ask(
            .map(MapRequest(topic: topic)), from: SessionID(session), until: clock.now + .seconds(60)
        ) { answer in
            if case .failure(let error) = answer { tell(error) } else { tell(nil) }
        }
    }

    @Test func `a map of a silent topic keeps no other ground from a map`() async throws {
        backend.survey.maps = ["/map": [1, 2, 3]]
        backend.survey.silentTopics = ["/silent"]
        let refusals = Mutex<[LinkError]>([])
        begin("/silent", from: 2) { _ in }
        await settle()
        #expect(try await ask(.map(MapRequest(topic: "/map"))).get() == .map([1, 2, 3]))
        // Bounded: two for a ground, four for all.
        begin("/silent", from: 2) { _ in }
        await settle()
        begin("/silent", from: 2) { error in refusals.withLock { $0 += error.map { [$0] } ?? [] } }
        await settle()
        #expect(refusals.withLock { $0.map(\.code) } == [.unsupported])
        begin("/silent", from: 3) { _ in }
        begin("/silent", from: 4) { _ in }
        await settle()
        begin("/map", from: 5) { error in refusals.withLock { $0 += error.map { [$0] } ?? [] } }
        await settle()
        #expect(refusals.withLock { $0.map(\.code) } == [.unsupported, .unsupported])
        backend.survey.silentTopics = []
    }

    @Test func `the backend's failure is the answer`() async {
        backend.survey.failure = LinkError(.timedOut, "silent")
        let answer = await ask(.flightEnvelope)
        #expect(answer == .failure(LinkError(.timedOut, "silent")))
    }
}
