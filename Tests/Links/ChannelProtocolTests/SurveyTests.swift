import ChannelTestKit
import Impairment
import IntegrationKit
import Synchronization
import Impairment
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

@Suite("Questions over the channel") struct SurveyTests {
    private func read(_ bytes: [UInt8]) throws(WireError) -> QuestionAnswer {
        try EncodedPayload.read(bytes) { reader throws(WireError) in
            guard try reader.integer(UInt8.self) == FrameKind.questionAnswer.rawValue else { throw .invalid }
            return try QuestionAnswer(&reader)
        }
    }

    @Test func `every question and answer comes back as it was, and cut anywhere it is nothing`() throws {
        for (_, id, question) in Samples.questions {
            let request = QuestionRequest(id: id, deadline: -5, remainingMicroseconds: 7, question: question)
            let bytes = EncodedPayload.bytes(capacity: 512) { request.write(&$0) }
            func decode(_ bytes: [UInt8]) throws(WireError) -> QuestionRequest {
                try EncodedPayload.read(bytes) { reader throws(WireError) in
                    _ = try reader.integer(UInt8.self)
                    return try QuestionRequest(&reader)
                }
            }
            #expect(try decode(bytes) == request)
            for length in 1..<bytes.count { #expect(throws: WireError.self) { try decode(Array(bytes[..<length])) } }
            #expect(throws: WireError.self) { try decode(bytes + [0]) }
        }
        for (_, id, result) in Samples.surveyAnswers + Samples.worldAnswers {
            let answer = QuestionAnswer(id: id, result: result)
            #expect(try read(answer.payload) == answer)
            // The bytes of a file end where the payload does, so only its head can be cut.
            var fixed = answer.payload.count
            if case .success(.map(let map)) = result { fixed -= map.count }
            if case .success(.world(let world)) = result, case .document(_, let bytes) = world.content {
                fixed -= bytes.count
            }
            for length in 1..<fixed { #expect(throws: WireError.self) { try read(Array(answer.payload[..<length])) } }
        }
    }

    @Test func `as many maps as are reported come through, and a count beyond is refused`() throws {
        let maps = (0..<AvailableMap.maximumAvailableMaps + 5).map {
            AvailableMap(topic: "/" + String(repeating: "t", count: AvailableMap.longestTopic - 1), points: $0)
        }
        let answer = QuestionAnswer(id: 1, result: .success(.maps(maps)))
        var bytes = answer.payload
        #expect(try read(bytes).result == .success(.maps(Array(maps.prefix(AvailableMap.maximumAvailableMaps)))))
        // The count stands behind kind, number, status and code.
        bytes[11] = UInt8(AvailableMap.maximumAvailableMaps + 1)
        #expect(throws: WireError.invalid) { try read(bytes) }
    }

    @Test func `limits that are none and places that are nowhere are refused`() throws {
        var limits = MotionLimits.medium
        limits.ascending.speed = 0
        let still = QuestionAnswer(id: 1, result: .success(.flightEnvelope(FlightEnvelope(limits: limits))))
        #expect(throws: WireError.invalid) { try read(still.payload) }
        let nowhere = FlightEnvelope.WorldOrigin(
            latitudeDegrees: 91, longitudeDegrees: 0, altitudeMetres: 0, source: .satelliteFix)
        let lost = QuestionAnswer(id: 1, result: .success(.flightEnvelope(FlightEnvelope(worldOrigin: nowhere))))
        #expect(throws: WireError.invalid) { try read(lost.payload) }
    }

    private func read(_ world: VehicleWorld) throws(WireError) -> VehicleWorld? {
        guard
            case .success(.world(let read)) = try read(QuestionAnswer(id: 1, result: .success(.world(world))).payload)
                .result
        else { return nil }
        return read
    }

    @Test func `every world and every reason comes back as it was`() throws {
        let bytes = Array("safety_area".utf8)
        for source in VehicleWorld.Source.allCases {
            let world = VehicleWorld(path: "/w.yaml", .document(source, bytes), obstruction: .elsewhere, details: "a")
            #expect(try read(world) == world)
        }
        for reason in VehicleWorld.Obstruction.allCases {
            let world = VehicleWorld(path: "/žluťoučký.yaml", reason)
            #expect(try read(world) == world)
        }
        #expect(try read(VehicleWorld(.unchanged)) == VehicleWorld(.unchanged))
        let empty = VehicleWorld(path: "/w.yaml", .document(.file, []))
        #expect(try read(empty) == empty)
    }

    @Test func `a world is bounded, and what no version sends is refused`() throws {
        let most = VehicleWorld(path: "/w", .document(.file, [UInt8](repeating: 7, count: VehicleWorld.mostBytes)))
        #expect(try read(most) == most)
        var larger = most
        larger.content = .document(.file, [UInt8](repeating: 7, count: VehicleWorld.mostBytes + 1))
        #expect(throws: WireError.invalid) { try read(larger) }
        // A path is cut where it is written, so a longer one never comes.
        let long = VehicleWorld(path: "/" + String(repeating: "d", count: VehicleWorld.longestPath), .missing)
        #expect(try read(long)?.path.utf8.count == VehicleWorld.longestPath)
        var bytes = QuestionAnswer(id: 1, result: .success(.world(VehicleWorld(path: "", .missing)))).payload
        // What it is, and why, stand behind kind, number, status and code.
        bytes[12] = 200
        #expect(try read(bytes).result == .success(.world(VehicleWorld(path: "", .failed))))
        bytes[12] = 0
        #expect(throws: WireError.invalid) { try read(bytes) }
        bytes[12] = 1
        bytes[11] = 5
        #expect(throws: WireError.invalid) { try read(bytes) }
        let unchanged = QuestionAnswer(id: 1, result: .success(.world(VehicleWorld(.unchanged)))).payload
        #expect(throws: WireError.trailing) { try read(unchanged + [1]) }
    }

    @Test func `a world arrives whole over a bad network, and an answer larger than any world is not received`() throws
    {
        let ends = try TwoEnds(.bad)
        let world = VehicleWorld(path: "/w", .document(.file, Samples.map(bytes: 100_000)))
        ends.survey = { _ in .success(.world(world)) }
        ends.open()
        let question = SurveyQuestion.world(known: 0)
        let id = try ends.ground.begin(question, deadline: ends.now + .seconds(120), now: ends.now)
        for _ in 0..<1200 where ends.information[id] == nil { ends.run(for: .milliseconds(100)) }
        #expect(try read(try #require(ends.information[id])).result == .success(.world(world)))
        #expect(ends.questions == [question])
        let others = try TwoEnds()
        others.survey = { _ in .success(.map([UInt8](repeating: 1, count: ChannelLimits.world + 1))) }
        others.open()
        let other = try others.ground.begin(question, deadline: others.now + .seconds(5), now: others.now)
        others.run(for: .seconds(2))
        #expect(others.questions == [question])
        #expect(others.information[other] == nil && others.progress[other] == nil)
    }

    private static let request = SurveyQuestion.map(MapRequest(topic: "/map"))

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a map arrives whole over a bad network, once, with progress that only grows`(seed: UInt64) throws {
        let ends = try TwoEnds(seed: seed, .bad)
        let map = Samples.map(bytes: 400_000)
        ends.survey = { _ in .success(.map(map)) }
        ends.open()
        let id = try ends.ground.begin(Self.request, deadline: ends.now + .seconds(120), now: ends.now)
        for _ in 0..<1200 where ends.information[id] == nil { ends.run(for: .milliseconds(100)) }
        #expect(try read(try #require(ends.information[id])).result == .success(.map(map)))
        #expect(ends.questions == [Self.request])
        let progress = try #require(ends.progress[id])
        #expect(progress == progress.sorted() && progress.count > 10)
        // The companion keeps nothing of what has been delivered.
        ends.run(for: .seconds(3))
        #expect(ends.vehicle.answerBytesHeld == 0)
    }

    @Test func `while a map comes, state frames keep their rate and setpoints their delay`() throws {
        var network = Impairment.none
        network.delay = .milliseconds(20)
        let ends = try TwoEnds(network)
        ends.telemetry = Samples.telemetry(at: ends.vehicleNow)
        ends.open()
        ends.survey = { _ in .success(.map(Samples.map(bytes: 4_000_000))) }
        let id = try ends.ground.begin(Self.request, deadline: ends.now + .seconds(60), now: ends.now)
        var states = 0
        var last = ends.ground.received.lastAt
        var asked: [MonotonicTime] = []
        ends.run(for: .seconds(1)) {
            if ends.ground.received.lastAt != last {
                states += 1
                last = ends.ground.received.lastAt
            }
            // As fast as odometry comes.
            if (ends.now.nanoseconds / 1_000_000) % 10 == 0 { ends.telemetry = Samples.telemetry(at: ends.vehicleNow) }
            if (ends.now.nanoseconds / 1_000_000) % 20 == 0 {
                asked.append(ends.now)
                _ = try? ends.ground.steer(Samples.setpoint(x: 1, at: ends.now), now: ends.now)
            }
        }
        #expect((ends.progress[id] ?? []).count > 10)
        #expect(ends.information[id] == nil, "the map must still be under way")
        #expect(states >= 49)
        let delays = zip(asked, ends.setpoints).map { asked, came in (came.at - ends.offset) - asked }
        #expect(delays.count >= 45)
        #expect(delays.allSatisfy { $0 <= .milliseconds(21) })
    }

    @Test func `a map that is not waited for any more is not sent on`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.survey = { _ in .success(.map(Samples.map(bytes: 8_000_000))) }
        let id = try ends.ground.begin(Self.request, deadline: ends.now + .seconds(60), now: ends.now)
        ends.run(for: .milliseconds(200))
        #expect(ends.vehicle.answerBytesHeld > 0)
        ends.ground.forget(id)
        ends.run(for: .milliseconds(200))
        #expect(ends.vehicle.answerBytesHeld == 0)
        let sent = try #require(ends.vehicle.cipher).nextSequence
        ends.run(for: .milliseconds(200))
        #expect(try #require(ends.vehicle.cipher).nextSequence - sent < 10)
        // And the next one comes.
        ends.survey = { _ in .success(.map([1, 2, 3])) }
        let next = try ends.ground.begin(Self.request, deadline: ends.now + .seconds(60), now: ends.now)
        ends.run(for: .milliseconds(500))
        #expect(try read(try #require(ends.information[next])).result == .success(.map([1, 2, 3])))
    }

    @Test func `a question does not end steering, and asks nothing after its deadline`() throws {
        let ends = try TwoEnds()
        ends.open()
        try ends.ground.steer(Samples.setpoint(x: 1, at: ends.now), now: ends.now)
        _ = try ends.ground.begin(SurveyQuestion.maps, deadline: ends.now + .seconds(1), now: ends.now)
        ends.run(for: .milliseconds(50))
        #expect(ends.setpoints.count == 1 && ends.questions == [.maps])
        _ = try ends.ground.begin(SurveyQuestion.maps, deadline: ends.now, now: ends.now)
        ends.run(for: .milliseconds(50))
        #expect(ends.questions.count == 1)
    }

    @Test func `a trajectory's progress is what has been acknowledged`() throws {
        let ends = try TwoEnds()
        ends.open()
        let id = try ends.ground.begin(
            .uploadTrajectory(Samples.trajectory(points: 20_000)), deadline: ends.now + .seconds(60), now: ends.now)
        ends.run(for: .seconds(2))
        let progress = try #require(ends.progress[id])
        #expect(progress == progress.sorted() && (progress.first ?? 1) < 0.2 && (progress.last ?? 0) > 0.8)
        #expect(ends.answers[id] != nil)
    }
}
