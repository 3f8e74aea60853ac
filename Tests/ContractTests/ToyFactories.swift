import ChannelProtocol
import Companion
import CompanionControl
import IntegrationKit
import SocketTransport
import UAVLink
import UAVTestKit

extension LinkFactory {
    /// A machine that is no MRS one behind a real companion, over UDP.
    static let toyOverUDP = toy(.udp)
    /// The same over TCP.
    static let toyOverTCP = toy(.tcp)

    private static let toyRefusals = [Refusal(command: .land, words: "the toy is on the ground")]

    /// A companion in this process with its sockets, and a ground that has its ticket from the companion's control socket.
    private static func toy(_ carrier: SocketLink.Carrier) -> LinkFactory {
        LinkFactory(
            name: "toy over \(carrier == .udp ? "udp" : "tcp")", vehicle: ToyVehicle.capabilities, refusals: toyRefusals
        ) {
            let clock = SystemMonotonicClock()
            let folder = try TemporaryFolder()
            let runtime = try RuntimeDirectory(folder.path, environment: [:])
            let toy = ToyLink(clock: clock)
            let service = try await CompanionService(
                .init(vehicle: toy.vehicle), channel: .init(vehicle: toy.vehicle, bindAddress: "127.0.0.1"),
                backend: toy, runtime: runtime, clock: clock, log: CompanionLog { _ in })
            let work = Task { await service.run() }
            let control = ControlClient(path: runtime.controlSocketPath(vehicle: toy.vehicle))
            let link = try SocketLink(host: "127.0.0.1", carrier: carrier, clock: clock) { _ throws(LinkError) in
                guard let line = try control.ask(.ticket) else {
                    throw LinkError(.companionUnavailable, "the toy's companion has ended")
                }
                return try ChannelTicket(line: line)
            }
            return LinkRig(
                link: link, silenceVehicle: { toy.silence() }, commandsReceived: { toy.commands.count },
                tearDown: {
                    work.cancel()
                    _ = await work.value
                    withExtendedLifetime(folder) {}
                })
        }
    }
}
