import FlightTestKit
import IntegrationKit
import ChannelProtocol
import SocketTransport
import Testing
import UAVLink

/// The channel of the real companion against other people: a ground in another language, and those who have no key.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct ChannelPeerTests {
    /// A ticket from the companion, which is started first, the way a ground starts it.
    private func ticket(_ stack: FlightStack) async throws -> ChannelTicket {
        let status = try await stack.uavlink("status", "--link", "udp", "--quiet")
        guard status.status == 0 else { throw ProcessFailure("\(status)") }
        return try ChannelTicket.find(in: try await stack.companion("bootstrap").output)
    }

    @Test(arguments: ["udp", "tcp"])
    func `a ground in Python flies the vehicle from a ticket`(carrier: String) async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        let before = try await witness.account()
        let peer = try ChildProcess([
            "/usr/bin/python3", BuiltPrograms.repository + "/Tests/Peers/channel_peer.py", "--whole", "--carrier",
            carrier,
        ])
        peer.send(line: try await ticket(stack).unwipedLine)
        let status = try await peer.exit(within: .seconds(180))
        #expect(status == 0, "\(peer.output) \(peer.errors)")
        #expect(peer.output.contains(#""done": true"#), "\(peer.output)")
        let after = try await witness.sees("the vehicle landed") { $0.isLanded }
        #expect(after.setpoints > before.setpoints)
        #expect((after.position?[0] ?? 0) - (before.position?[0] ?? 0) > 0.8)
    }

    @Test func `forged, cut, replayed and senseless datagrams are counted and change nothing`() async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        let genuine = try await ticket(stack)
        let relay = try ChildProcess(["/usr/bin/python3", "-c", Self.relay, "\(genuine.udpPort)"])
        let port = try await relay.line(containing: "port ").dropFirst(5)
        let bent = try ChannelTicket(
            line: genuine.unwipedLine.replacing(" udp=\(genuine.udpPort) ", with: " udp=\(port) "))
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { (_: Duration) throws(LinkError) in bent }
        try await link.connect(within: .patient(seconds: 20))
        let flight = Flight(link)
        try await flight.takeOff()
        try await flight.steer(Vector3(x: 1, y: 0, z: 0)) { seen, start in seen.x > start.x + 1 }
        // Where a pause outlasted the lease, the brake is repeated for half a second: what is counted begins after it.
        var before = try await witness.account()
        try await witness.sees("the vehicle at rest for a second without setpoints") { seen in
            if seen.speed >= 0.2 || seen.setpoints != before.setpoints { before = seen }
            return seen.odometry >= before.odometry + 100
        }

        // Steering, arming, take-off: all of it again, and worse.
        relay.send(line: "attack")
        let report = try await relay.line(containing: "sent ", within: .seconds(60))
        let counts = report.split(separator: " ").compactMap { Int($0) }
        try #require(counts.count == 4 && counts[0] > 100)
        var status = ""
        let isCounted = try await eventually(within: .seconds(20)) {
            status = try await stack.companion("status").output
            return Self.number("frames_replayed", in: status) >= counts[0]
                && Self.number("frames_forged", in: status) > 0 && Self.number("frames_malformed", in: status) > 0
        }
        #expect(isCounted, "\(report): \(status)")
        let after = try await witness.sees("half a second of flight") { $0.odometry >= before.odometry + 50 }
        #expect(after.setpoints == before.setpoints)
        #expect(after.flying == true && after.speed < 0.3, "\(after)")
        #expect(link.quality.isConnected)

        // The flight goes on.
        try await flight.steer(Vector3(x: -1, y: 0, z: 0)) { seen, start in seen.x < start.x - 0.5 }
        try await flight.land()
        try await witness.sees("the vehicle landed") { $0.isLanded }
        await link.close()
        await relay.stop()
    }

    @Test func `strangers on the TCP port are sent away and disturb no session`() async throws {
        let stack = try await sharedStack()
        let genuine = try await ticket(stack)
        let strangers = try ChildProcess([
            "/usr/bin/python3", "-c", Self.strangers, "\(genuine.tcpPort)", "\(MachinePace.factor)",
        ])
        try await strangers.line(containing: "in", within: .seconds(20))
        try await stack.withLink(.tcp) { link in
            for _ in 0..<20 {
                let reply = try await link.perform(.land, within: .patient(seconds: 10))
                #expect(reply.message == "can not land, 'NullTracker' is active!")
            }
        }
        let left = try await strangers.line(containing: "left ", within: .seconds(40))
        #expect(left == "left 0")
        await strangers.stop()
    }

    private static func number(_ key: String, in json: String) -> Int {
        guard let place = json.firstRange(of: "\"\(key)\":") else { return -1 }
        return Int(json[place.upperBound...].drop { $0 == " " }.prefix { $0.isNumber }) ?? -1
    }

    /// Hands datagrams on, keeps those of the ground, and on demand sends them again: as they were, from another address
    /// too, cut, with a bit changed; and noise.
    private static let relay = #"""
        import os, random, select, socket, sys, time
        random.seed(7)
        front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        front.bind(('127.0.0.1', 0))
        def toward():
            one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            one.connect(('127.0.0.1', int(sys.argv[1])))
            return one
        back, stranger = toward(), toward()
        print('port %d' % front.getsockname()[1], flush=True)
        kept, ground = [], None
        def pass_on(wait):
            global ground
            ready = select.select([front, back, sys.stdin], [], [], wait)[0]
            if front in ready:
                data, ground = front.recvfrom(2048)
                kept.append(data)
                back.send(data)
            if back in ready:
                front.sendto(back.recv(2048), ground)
            return sys.stdin in ready
        def waiting():
            # How many bytes wait for the companion, where the system tells: what does not fit is lost, and no fault.
            for table in ('/proc/net/udp', '/proc/net/udp6'):
                try:
                    for line in open(table):
                        fields = line.split()
                        if fields[1].endswith(':%04X' % int(sys.argv[1])): return int(fields[4].split(':')[1], 16)
                except OSError:
                    pass
            return 0
        def give(one, data):
            while waiting() > 50000: pass_on(0.001)
            one.send(data)
            pass_on(0.001)
        while True:
            if not pass_on(1): continue
            if sys.stdin.readline().strip() != 'attack': break
            # Behind the companion's window a frame is too old to be distinguished from a replay: take the newest.
            old = kept[-2000:]
            for number, data in enumerate(old):
                give(back if number % 2 else stranger, data)
            for data in old[-300:]:
                give(stranger, data[:random.randrange(len(data))])
            for data in old[-300:]:
                changed = bytearray(data)
                changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
                give(stranger, bytes(changed))
            for _ in range(300):
                give(stranger, os.urandom(random.randrange(1, 1472)))
            print('sent %d %d %d %d' % (len(old), 300, 300, 300), flush=True)
        """#

    /// Connections that say nothing, noise, a length that is too large, or half a frame; tells how many of them are still
    /// open after a while.
    private static let strangers = #"""
        import os, select, socket, sys, time
        them = []
        for number in range(24):
            one = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
            try:
                if number % 4 == 1: one.sendall(os.urandom(65536))
                if number % 4 == 2: one.sendall(b'\xff\xff' + bytes(100))
                if number % 4 == 3: one.sendall(b'\x40\x00' + bytes(10))
            except OSError:
                pass
            them.append(one)
        print('in', flush=True)
        end = time.monotonic() + 25 * float(sys.argv[2])
        while them and time.monotonic() < end:
            for one in select.select(them, [], [], 0.2)[0]:
                try:
                    if one.recv(65536): continue
                except OSError:
                    pass
                them.remove(one)
        print('left %d' % len(them), flush=True)
        sys.stdin.readline()
        """#
}
