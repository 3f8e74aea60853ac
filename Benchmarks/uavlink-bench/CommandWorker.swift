import BenchmarkKit
import ChannelProtocol
import Foundation
import MRS
import SocketTransport
import UAVLink

/// The ground in a process of its own that commands a goto, on the thread that reads the answers.
///
/// Its arguments are `udp` or `tcp` and a file with a ticket, or `ros`, where the environment names the master. Then it serves runs as
/// every peer does (see `Peers/pace.h`).
enum CommandWorker {
    static func run(_ arguments: [String]) async throws {
        if arguments == ["ros"] {
            let link = try ROSLink(vehicle: VehicleUnderTest.name, environment: ProcessInfo.processInfo.environment)
            try await link.connect(within: .seconds(20))
            try await PeerService.run { count, period in
                try await link.onLinkThread { try await goTo(over: link, count, period) }
            }
            return await link.close()
        }
        guard arguments.count == 2, let ticket = try ChannelTicket(file: arguments[1]) else {
            throw LinkError(.invalidInput, "a carrier and a file with a ticket are needed, or ros")
        }
        let link = try SocketLink(host: "127.0.0.1", carrier: arguments[0] == "tcp" ? .tcp : .udp) {
            _ throws(LinkError) in ticket
        }
        try await link.connect(within: .seconds(10))
        try await PeerService.run { count, period in
            try await link.onLinkThread { try await goTo(over: link, count, period) }
        }
        await link.close()
    }

    private static func goTo(over link: any UAVLink, _ count: Int, _ period: Duration) async throws -> Timings {
        try await Pace.run(count, every: period, on: LinkThreadClock()) { try await link.commandGoal() }
    }
}

/// Serves runs over standard input and output, as every peer does.
enum PeerService {
    static func run(_ body: (_ count: Int, _ period: Duration) async throws -> Timings) async throws {
        say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count >= 3, words[0] == "run", let count = Int(words[1]), let period = Int64(words[2]) else {
                throw LinkError(.invalidInput, "cannot read '\(line)'")
            }
            say(try await body(count, .nanoseconds(period)).answer)
        }
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

extension ChannelTicket {
    /// The first line of a file; `nil` if there is none.
    init?(file: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        guard let line = text.split(separator: "\n").first else { return nil }
        try self.init(line: String(line))
    }
}

extension UAVLink {
    /// The command of the benchmark: a goto to 2 m above the origin, where the vehicle is after the first one.
    func commandGoal() async throws {
        let goal = Command.Destination(
            .frame(.current), position: Vector3(x: 0, y: 0, z: 2), headingRadians: 0)
        let reply = try await perform(.goTo(goal), within: .seconds(5))
        guard reply.accepted else { throw LinkError(.remoteFailed, "goto was refused: \(reply.message)") }
    }
}
