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
        let world = VehicleWorld(path: "/w.yaml", .document(.file, Array("safety_area".utf8)))
        backend.survey.world = world
        #expect(try await ask(.world(known: 0)).get() == .world(world))
        let known = VehicleWorld.fingerprint(of: .file, Array("safety_area".utf8))
        #expect(try await ask(.world(known: known)).get() == .world(VehicleWorld(path: "/w.yaml", .unchanged)))
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

    private let map = SurveyQuestion.map(MapRequest(topic: "/map"))

    @Test func `maps of silent topics keep no other ground from a map for long`() async throws {
        backend.survey.maps = ["/map": [1, 2, 3]]
        backend.survey.silentTopics = ["/silent"]
        let errors = Errors()
        begin("/silent", from: 2, errors.of("first"))
        await settle()
        #expect(try await ask(map).get() == .map([1, 2, 3]))
        // Bounded: two for a ground, four for all.
        begin("/silent", from: 2, errors.of("second"))
        await settle()
        begin("/silent", from: 2, errors.of("third"))
        await settle()
        #expect(errors.all == ["third unsupported"])
        begin("/silent", from: 3, errors.of("fourth"))
        await settle()
        begin("/silent", from: 3, errors.of("fifth"))
        await settle()
        begin("/map", from: 5, errors.of("early"))
        await settle()
        #expect(errors.all == ["third unsupported", "early unsupported"])
        // After a while the oldest gives its place, and only to another ground.
        clock.advance(by: .seconds(10))
        begin("/map", from: 2, errors.of("again"))
        await settle()
        #expect(errors.all.count == 3)
        #expect(try await ask(map).get() == .map([1, 2, 3]))
        await settle()
        #expect(errors.all.dropFirst(2) == ["again unsupported", "first timedOut"])
        // It has left the place free.
        #expect(try await ask(map).get() == .map([1, 2, 3]))
        #expect(errors.all.count == 4)
    }

    @Test func `a map of which something has arrived keeps its place`() async throws {
        backend.survey.maps = ["/map": [1, 2, 3]]
        backend.survey.stuckTopics = ["/stuck"]
        let ended = Mutex(0)
        for session: UInt64 in [2, 2, 3, 3] { begin("/stuck", from: session) { _ in ended.withLock { $0 += 1 } } }
        await settle()
        clock.advance(by: .seconds(30))
        guard case .failure(let error) = await ask(map) else {
            Issue.record("a fifth map is prepared")
            return
        }
        #expect(error.code == .unsupported)
        #expect(ended.withLock { $0 } == 0)
    }

    @Test func `the backend's failure is the answer`() async {
        backend.survey.failure = LinkError(.timedOut, "silent")
        let answer = await ask(.flightEnvelope)
        #expect(answer == .failure(LinkError(.timedOut, "silent")))
    }
}

/// The questions that failed, as they did: who asked and the kind of failure.
private final class Errors: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }

    func of(_ who: String) -> @Sendable (LinkError?) -> Void {
        { error in
            if let error { self.list.withLock { $0.append("\(who) \(error.code.rawValue)") } }
        }
    }
}
