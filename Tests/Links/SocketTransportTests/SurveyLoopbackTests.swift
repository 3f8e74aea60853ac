import ChannelTestKit
import IntegrationKit
import Synchronization
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// Questions over real sockets.
@Suite("Questions over sockets", .timeLimit(.minutes(MachinePace.minutes(1)))) struct SurveyLoopbackTests {
    /// Answers nothing but commands.
    private final class Silent: ChannelHandler {
        func steer(_: VelocitySetpoint, from _: SessionID, arrivedAt _: MonotonicTime) -> SteeringVerdict { .applied }
        func perform(
            _: Command, _: CommandIssue, from _: SessionID, until _: MonotonicTime,
            answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
        ) {}
    }

    /// What a companion was before it knew of world files.
    private final class Older: ChannelHandler {
        let questions = Atomic<Int>(0)
        var vehicleCapabilities: VehicleCapabilities? {
            var capabilities = VehicleCapabilities.mrs
            capabilities.survey.remove(.worldFile)
            return capabilities
        }

        func steer(_: VelocitySetpoint, from _: SessionID, arrivedAt _: MonotonicTime) -> SteeringVerdict { .applied }
        func perform(
            _: Command, _: CommandIssue, from _: SessionID, until _: MonotonicTime,
            answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
        ) {}
        func ask(
            _: SurveyQuestion, from _: SessionID, until _: MonotonicTime,
            answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void
        ) { questions.add(1, ordering: .relaxed) }
    }

    private final class Surveyor: ChannelHandler {
        let map: [UInt8]
        let world: VehicleWorld
        init(map: [UInt8], world: VehicleWorld = VehicleWorld(.noParameter)) { (self.map, self.world) = (map, world) }

        func steer(_: VelocitySetpoint, from _: SessionID, arrivedAt _: MonotonicTime) -> SteeringVerdict { .applied }
        func perform(
            _: Command, _: CommandIssue, from _: SessionID, until _: MonotonicTime,
            answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
        ) { answer(.success(CommandReply(accepted: true, message: "done"))) }
        func ask(
            _ question: SurveyQuestion, from _: SessionID, until _: MonotonicTime,
            answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void
        ) {
            switch question {
            case .flightEnvelope: answer(.success(.flightEnvelope(FlightEnvelope(limits: .medium))))
            case .maps: answer(.success(.maps([AvailableMap(topic: "/map")])))
            case .map: answer(.success(.map(map)))
            case .control: answer(.success(.control(CommandReply(accepted: true, message: "yours"))))
            case .world(let known): answer(.success(.world(world.without(known: known))))
            }
        }
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(1))), arguments: [SocketLink.Carrier.udp, .tcp])
    func `questions are answered over sockets, and a map of megabytes comes whole`(
        _ carrier: SocketLink.Carrier
    ) async throws {
        let map = Samples.map(bytes: 3_000_000)
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: Surveyor(map: map))
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in
            try server.issueTicket()
        }
        try await link.connect(within: .patient(seconds: 5))
        #expect(try await link.flightEnvelope(within: .patient(seconds: 5)) == FlightEnvelope(limits: .medium))
        #expect(try await link.maps(within: .patient(seconds: 5)) == [AvailableMap(topic: "/map")])
        let progress = Mutex<[Double]>([])
        let came = try await link.pullMap(MapRequest(topic: "/map"), within: .patient(seconds: 30)) { fraction in
            progress.withLock { $0.append(fraction) }
        }
        #expect(came == map)
        let reported = progress.withLock { $0 }
        #expect(reported == reported.sorted() && reported.first == 0 && reported.last == 1 && reported.count > 20)
        await #expect(throws: LinkError.self) {
            try await link.pullMap(MapRequest(topic: "no name"), within: .seconds(1)) { _ in }
        }
        await link.close()
        await server.stop()
    }

    @Test(arguments: [SocketLink.Carrier.udp, .tcp])
    func `the largest world file comes whole, once, and a change of it is noticed`(
        _ carrier: SocketLink.Carrier
    ) async throws {
        let bytes = Samples.map(bytes: VehicleWorld.mostBytes)
        let path = "/" + String(repeating: "d/", count: 2000) + "world.yaml"
        let world = VehicleWorld(path: path, .document(.file, bytes))
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: Surveyor(map: [], world: world))
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in
            try server.issueTicket()
        }
        try await link.connect(within: .patient(seconds: 5))
        #expect(try await link.world(knowing: 0, within: .patient(seconds: 30)) == world)
        let known = VehicleWorld.fingerprint(of: .file, bytes)
        let again = try await link.world(knowing: known, within: .patient(seconds: 5))
        #expect(again == VehicleWorld(path: path, .unchanged))
        #expect(try await link.world(knowing: known ^ 1, within: .patient(seconds: 30)) == world)
        await link.close()
        await server.stop()
    }

    /// A companion of before the question: it sends capabilities without it, and drops what it does not know.
    @Test func `an older companion is not asked for the world, and the way out is named`() async throws {
        let handler = Older()
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
        server.publish(Samples.telemetry(at: SystemMonotonicClock().now))
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in try server.issueTicket() }
        try await link.connect(within: .patient(seconds: 5))
        #expect(await eventually { !link.vehicleCapabilities.survey.contains(.worldFile) })
        let error = await #expect(throws: LinkError.self) {
            try await link.world(knowing: 0, within: .patient(seconds: 5))
        }
        #expect(error?.code == .unsupported && error?.hint.contains("older") == true)
        #expect(handler.questions.load(ordering: .relaxed) == 0)
        await link.close()
        await server.stop()
    }

    @Test func `a companion that cannot be asked says so`() async throws {
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: Silent())
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in try server.issueTicket() }
        try await link.connect(within: .patient(seconds: 5))
        let error = await #expect(throws: LinkError.self) { try await link.maps(within: .patient(seconds: 5)) }
        #expect(error?.code == .unsupported)
        await link.close()
        await server.stop()
    }
}
