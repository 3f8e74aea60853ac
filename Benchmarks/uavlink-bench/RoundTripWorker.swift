import BenchmarkKit
import ChannelProtocol
import Foundation
import SocketTransport
import UAVLink

/// The ground in a process of its own that asks for round trips, on the link's own thread, which reads the answers.
///
/// Its arguments are the carrier and a file with a ticket. Then it serves runs as every peer does (see `Peers/pace.h`).
enum RoundTripWorker {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 2, let line = try String(contentsOfFile: arguments[1], encoding: .utf8).firstLine
        else {
            throw LinkError(.invalidInput, "a carrier and a file with a ticket are needed")
        }
        let ticket = try ChannelTicket(line: line)
        let link = try SocketLink(host: "127.0.0.1", carrier: arguments[0] == "tcp" ? .tcp : .udp) {
            _ throws(LinkError) in ticket
        }
        try await link.connect(within: .seconds(10))
        say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count >= 3, words[0] == "run", let count = Int(words[1]), let period = Int64(words[2]) else {
                throw LinkError(.invalidInput, "cannot read '\(line)'")
            }
            let timings = try await link.onLinkThread {
                // Between two of them the thread sleeps, as a peer's does.
                try await Pace.run(count, every: .nanoseconds(period), on: ThreadClock()) {
                    _ = try await link.roundTrip(within: .seconds(5))
                }
            }
            say(timings.answer)
        }
        await link.close()
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

extension String {
    fileprivate var firstLine: String? { split(separator: "\n").first.map(String.init) }
}
