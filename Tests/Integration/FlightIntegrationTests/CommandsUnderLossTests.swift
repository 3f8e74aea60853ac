import Foundation
import Impairment
import IntegrationKit
import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink

/// A thousand commands over bad networks, from the real channel through the real companion to a vehicle made of rospy, which
/// prints each that it is asked: each is executed exactly once.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(4))))
struct CommandsUnderLossTests {
    /// What lies between the ground and the companion; both ways alike.
    enum Network: CaseIterable {
        /// Datagrams are lost, doubled and overtake one another, and once a second they come from another port.
        case lossyAndRoaming
        /// A connection that is cut once a second.
        case cut

        var carrier: SocketLink.Carrier { self == .cut ? .tcp : .udp }

        var impairment: Impairment {
            switch self {
            case .lossyAndRoaming: Impairment(jitter: .milliseconds(50), loss: 0.3, duplication: 0.05)
            case .cut: Impairment(jitter: .milliseconds(50))
            }
        }

        func disturb(_ relay: ImpairedRelay) { self == .cut ? relay.cut() : relay.roam() }
    }

    private static let count = 1000
    private static let stops = 50
    /// As many as a session may have in flight.
    private static let inFlight = 32

    @Test(arguments: Network.allCases)
    func `a thousand commands over a bad network are executed exactly once each`(network: Network) async throws {
        try await withROSMaster(.roscore) { master in
            let vehicle = try await RospyVehicle(master: master)
            let process = try await vehicle.start()
            let folder = try TemporaryFolder()
            let companion = CompanionProcess(runtimeDirectory: folder.path, environment: vehicle.environment)
            let running = try await companion.start()
            let answers = try await Self.performAll(over: network, companion)
            await running.stop()
            // Ended first: then all that it printed has been read.
            await process.stop()
            try Self.judge(answers, process.output)
        }
    }

    /// What became of the commands, by their numbers.
    private struct Answers {
        var next = 0
        var failures: [Int: String] = [:]
        var accepted: Set<Int> = []
        var acceptedStops = 0
    }

    private final class Tally: Sendable {
        let answers = Mutex(Answers())

        /// The next command's number, until all have been given out.
        func takeNumber() -> Int? {
            answers.withLock { answers in
                guard answers.next < CommandsUnderLossTests.count else { return nil }
                defer { answers.next += 1 }
                return answers.next
            }
        }

        func note(_ outcome: Result<CommandReply, LinkError>, of number: Int) {
            answers.withLock { answers in
                switch outcome {
                case .success(let reply) where reply.accepted: answers.accepted.insert(number)
                case .success(let reply): answers.failures[number] = "refused: \(reply.message)"
                case .failure(let error): answers.failures[number] = error.description
                }
            }
        }

        func note(stop outcome: Result<CommandReply, LinkError>) {
            answers.withLock { if case .success(let reply) = outcome, reply.accepted { $0.acceptedStops += 1 } }
        }
    }

    private static func performAll(over network: Network, _ companion: CompanionProcess) async throws -> Answers {
        let ticket = try ChannelTicket.find(in: try await companion.run("bootstrap").output)
        let relay = try #require(
            ImpairedRelay(
                network.carrier == .udp ? .udp : .tcp,
                to: network.carrier == .udp ? ticket.udpPort : ticket.tcpPort, seed: 12, up: network.impairment,
                down: network.impairment))
        let relayed = ticket.through(udpPort: relay.port, tcpPort: relay.port)
        let link = try SocketLink(host: "127.0.0.1", carrier: network.carrier) { (_: Duration) throws(LinkError) in
            relayed
        }
        try await link.connect(within: .patient(seconds: 30))
        let tally = Tally()
        let begun = ContinuousClock.now
        let disturber = Task {
            while (try? await Task.sleep(for: .seconds(1))) != nil { network.disturb(relay) }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    while let number = tally.takeNumber() {
                        var result = await outcome(of: command(number), over: link)
                        // A stop that was given later came first: it is not executed, and given again.
                        while case .success(let reply) = result, !reply.accepted, reply.message.contains("is newer") {
                            result = await outcome(of: command(number), over: link)
                        }
                        tally.note(result, of: number)
                    }
                }
            }
            // Stops have places of their own beside them.
            group.addTask {
                for _ in 0..<stops { tally.note(stop: await outcome(of: .hover, over: link)) }
            }
        }
        disturber.cancel()
        let seconds = (ContinuousClock.now - begun).inSeconds
        // What is still under way of the repeated ones has come when a later exchange is over.
        _ = try await link.perform(.land, within: .patient(seconds: 60))
        let quality = link.quality
        print(
            "\(network): \(count) commands in \(Int(seconds)) s, lost up \(quality.lossUp as Any), "
                + "down \(quality.lossDown as Any)")
        await link.close()
        relay.stop()
        return tally.answers.withLock { $0 }
    }

    /// Each tells its number to the vehicle by a coordinate.
    private static func command(_ number: Int) -> Command {
        number.isMultiple(of: 2)
            ? .altitude(metres: Double(number))
            : .goTo(.init(.relative, position: Vector3(x: Double(number), y: 0, z: 0), headingRadians: 0))
    }

    static func outcome(
        of command: Command, over link: SocketLink
    ) async -> Result<CommandReply, LinkError> {
        // Longer than the whole takes: none of them is to run out of time.
        do throws(LinkError) {
            return .success(try await link.perform(command, within: .patient(seconds: 90)))
        } catch { return .failure(error) }
    }

    private static func judge(_ answers: Answers, _ asked: String) throws {
        var executed: [Int: Int] = [:]
        var hovers = 0
        for line in asked.split(separator: "\n") {
            if line.hasPrefix("control_manager/hover ") { hovers += 1 }
            guard line.hasPrefix("control_manager/goto_relative ") || line.hasPrefix("control_manager/goto_altitude "),
                let colon = line.firstIndex(of: ":"),
                let number = Double(line[colon...].drop { ": [".contains($0) }.prefix { !",]}".contains($0) })
            else { continue }
            executed[Int(number), default: 0] += 1
        }
        #expect(answers.failures.isEmpty, "\(answers.failures.sorted { $0.key < $1.key }.prefix(10))")
        let twice = executed.filter { $0.value > 1 }
        #expect(twice.isEmpty, "executed more than once: \(twice)")
        #expect(answers.accepted == Set(0..<count))
        let unexecuted = answers.accepted.subtracting(executed.keys)
        #expect(unexecuted.isEmpty, "accepted and not executed: \(unexecuted)")
        #expect(executed.count == count)
        #expect(answers.acceptedStops == stops)
        #expect(hovers == stops)
    }
}
