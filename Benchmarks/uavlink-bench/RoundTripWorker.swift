import BenchmarkKit
import ChannelProtocol
import SocketTransport
import UAVLink

/// The ground in a process of its own that asks for round trips, on the link's own thread, which reads the answers.
///
/// Its arguments are the carrier and a file with a ticket. Then it serves runs as every peer does (see `Peers/pace.h`).
enum RoundTripWorker {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 2, let ticket = try ChannelTicket(file: arguments[1]) else {
            throw LinkError(.invalidInput, "a carrier and a file with a ticket are needed")
        }
        let link = try SocketLink(host: "127.0.0.1", carrier: arguments[0] == "tcp" ? .tcp : .udp) {
            _ throws(LinkError) in ticket
        }
        try await link.connect(within: .seconds(10))
        try await PeerService.run { count, period in
            try await link.onLinkThread {
                // Between two of them the thread sleeps, as a peer's does.
                try await Pace.run(count, every: period, on: ThreadClock()) {
                    _ = try await link.roundTrip(within: .seconds(5))
                }
            }
        }
        await link.close()
    }
}
