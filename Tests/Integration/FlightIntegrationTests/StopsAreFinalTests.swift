import ChannelProtocol
import Impairment
import IntegrationKit
import SocketTransport
import Synchronization
import Testing
import UAVLink

/// A stop is final, and never waits: the real channel and companion, and a vehicle made of rospy, which prints what it is asked.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(3))))
struct StopsAreFinalTests {
    private static let goto = Command.goTo(.init(.relative, position: Vector3(x: 7, y: 0, z: 0), headingRadians: 0))

    private static func connect(_ ticket: ChannelTicket, udpPort: UInt16) async throws -> SocketLink {
        let relayed = ticket.through(udpPort: udpPort, tcpPort: ticket.tcpPort)
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { (_: Duration) throws(LinkError) in relayed }
        try await link.connect(within: .patient(seconds: 30))
        return link
    }

    /// A vehicle, its companion, a ground behind a relay that can be dark, and another beside it.
    private static func run(
        _ body: (_ ground: SocketLink, _ relay: ImpairedRelay, _ other: SocketLink) async throws -> Void
    ) async throws -> String {
        try await withROSMaster(.roscore) { master in
            let vehicle = try await RospyVehicle(master: master)
            let process = try await vehicle.start()
            let folder = try TemporaryFolder()
            let companion = CompanionProcess(runtimeDirectory: folder.path, environment: vehicle.environment)
            let running = try await companion.start()
            let tickets = [
                try ChannelTicket.find(in: try await companion.run("bootstrap").output),
                try ChannelTicket.find(in: try await companion.run("bootstrap").output),
            ]
            let relay = try #require(
                ImpairedRelay(.udp, to: tickets[0].udpPort, seed: 3, up: Impairment(), down: Impairment()))
            let ground = try await connect(tickets[0], udpPort: relay.port)
            let other = try await connect(tickets[1], udpPort: tickets[1].udpPort)
            try await body(ground, relay, other)
            await ground.close()
            await other.close()
            relay.stop()
            await running.stop()
            // Ended first: then all that it printed has been read.
            await process.stop()
            return process.output
        }
    }

    /// Counts events of several tasks.
    private final class Count: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .acquiring) }
        func increase() { count.add(1, ordering: .releasing) }
    }

    /// What becomes of a command, counted before it is given.
    private static func outcome(
        of command: Command, over link: SocketLink, _ begun: Count
    ) async -> Result<CommandReply, LinkError> {
        begun.increase()
        return await CommandsUnderLossTests.outcome(of: command, over: link)
    }

    @Test func `a goto that was lost for a while is not flown after a stop of another ground`() async throws {
        let asked = try await Self.run { ground, relay, other in
            relay.setDark(true)
            let begun = Count()
            async let late = Self.outcome(of: Self.goto, over: ground, begun)
            #expect(await eventually { begun.value == 1 })
            #expect(try await other.perform(.hover, within: .patient(seconds: 10)).accepted)
            relay.setDark(false)
            let reply = try (await late).get()
            #expect(!reply.accepted && reply.message.contains("hover by another ground is newer"), "\(reply)")
            // Given again it is flown as soon as its ground has heard of the stop, within 200 ms.
            let isTaken = try await eventually {
                try await ground.perform(.altitude(metres: 3), within: .patient(seconds: 10)).accepted
            }
            #expect(isTaken)
        }
        #expect(asked.contains("control_manager/hover "))
        #expect(!asked.contains("control_manager/goto_relative "), "\(asked)")
    }

    @Test func `a stop of another ground ends what is left of several commands that are one for the user`() async throws
    {
        let asked = try await Self.run { ground, _, other in
            let refused = try await CommandSequence.run(over: ground) {
                #expect(try await ground.perform(Self.goto, within: .patient(seconds: 10)).accepted)
                let known = ground.knownStops
                #expect(try await other.perform(.hover, within: .patient(seconds: 10)).accepted)
                // This ground has heard of it, and its own stops are sent all the same.
                #expect(await eventually { ground.knownStops != known })
                #expect(try await ground.perform(.emergencyLand, within: .patient(seconds: 10)).accepted)
                return try await ground.perform(.altitude(metres: 3), within: .patient(seconds: 10))
            }
            #expect(!refused.accepted && refused.message.contains("hover by another ground is newer"), "\(refused)")
            // Outside of it the next command is as new as what is known by then.
            let isTaken = try await eventually {
                try await ground.perform(.heading(radians: 1), within: .patient(seconds: 10)).accepted
            }
            #expect(isTaken)
        }
        #expect(!asked.contains("control_manager/goto_altitude "), "\(asked)")
    }

    @Test func `an emergency landing is sent though a stop was given many times during an outage`() async throws {
        let asked = try await Self.run { ground, relay, _ in
            relay.setDark(true)
            let begun = Count()
            let replaced = Count()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let result = await CommandsUnderLossTests.outcome(of: .hover, over: ground)
                        if case .failure(let error) = result, error.code == .cancelled { replaced.increase() }
                    }
                }
                // Eight of them have a place each, so all have been pressed when the others have given theirs up.
                let arePressed = await eventually { replaced.value == 12 }
                group.addTask {
                    let result = await Self.outcome(of: .emergencyLand, over: ground, begun)
                    #expect((try? result.get())?.accepted == true, "\(result)")
                }
                let isGiven = await eventually { begun.value == 1 }
                #expect(arePressed && isGiven)
                relay.setDark(false)
            }
        }
        #expect(asked.contains("control_manager/eland "), "\(asked)")
        let hovers = asked.split(separator: "\n").count { $0.hasPrefix("control_manager/hover ") }
        #expect((1...8).contains(hovers), "\(hovers)")
    }
}
