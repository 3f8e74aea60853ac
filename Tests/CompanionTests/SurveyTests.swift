import Companion
import SocketTransport
import Testing
import UAVLink
import UAVTestKit

/// Questions at the companion: the backend answers, and one map is prepared at a time.
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

    @Test func `what the backend knows is told`() async throws {
        backend.survey.maps = ["/map": [1, 2, 3]]
        #expect(try await ask(.flightEnvelope).get() == .flightEnvelope(backend.survey.envelope))
        #expect(try await ask(.maps).get() == .maps([MapOffer(topic: "/map")]))
        let request = MapRequest(topic: "/map", spacingMetres: 0.2, maximumPoints: 10)
        #expect(try await ask(.map(request)).get() == .map([1, 2, 3]))
        #expect(backend.survey.requests == [request])
        // The desk is free again, also after a failure.
        _ = await ask(.map(MapRequest(topic: "/other")))
        #expect(try await ask(.map(request)).get() == .map([1, 2, 3]))
    }

    @Test func `the backend's failure is the answer`() async {
        backend.survey.failure = LinkError(.timedOut, "silent")
        let answer = await ask(.flightEnvelope)
        #expect(answer == .failure(LinkError(.timedOut, "silent")))
    }
}
