import IntegrationKit
import MRS
import SSHTransport
import ChannelProtocol
import SocketTransport
import UAVLink

/// A command to a ROS service and back over UDP beside rosbridge and rospy, and over TCP inside SSH beside TCP alone.
struct LinksBenchmark: Sendable {
    private static let period = Duration.milliseconds(50)
    private static let goal = Command.Destination(
        .frame(.current), position: Vector3(x: 0, y: 0, z: 2), headingRadians: 0)

    private let setting: Setting
    private let udp: SocketLink
    private let tcp: SocketLink
    private let tunnel: SocketLink
    private let rospy: Peer
    private let rosbridge: Peer?
    /// The floor: as many processes, threads and sockets on the way, and nothing else.
    private let hops: Peer

    static func run(_ setting: Setting) async throws -> [Section] {
        try await withCrew { crew in
            let vehicle = try await VehicleUnderTest(setting, crew)
            try await vehicle.takeOff()
            let benchmark = try await Self(setting, crew, vehicle)
            return [try await benchmark.gateways(), try await benchmark.tunnels()]
        }
    }

    private init(_ setting: Setting, _ crew: Crew, _ vehicle: VehicleUnderTest) async throws {
        self.setting = setting
        udp = try await crew.link(.udp, to: try await vehicle.ticket())
        tcp = try await crew.link(.tcp, to: try await vehicle.ticket())
        tunnel = try await Self.tunnel(crew, vehicle)
        let python = vehicle.master.environment.merging(["PYTHONPATH": setting.messages]) { $1 }
        let goal = [try VehicleNames(vehicle: VehicleUnderTest.name).name(of: VehicleService.goTo), "0", "0", "2", "0"]
        rospy = try await crew.peer(
            "rospy", [Setting.python, setting.scripts + "/rospy_call.py"] + goal, environment: python)
        hops = try await crew.peer("hops", [setting.peers + "/command_hops"], environment: Setting.environment)
        if let interpreter = setting.peerPython {
            rosbridge = try await crew.peer(
                "rosbridge", [interpreter, setting.scripts + "/rosbridge_call.py"] + goal, environment: python)
        } else {
            rosbridge = nil
        }
    }

    /// The channel inside an SSH session to a real sshd.
    private static func tunnel(_ crew: Crew, _ vehicle: VehicleUnderTest) async throws -> SocketLink {
        let server = try await SSHServer()
        await crew.atEnd { await server.stop() }
        try await server.start()
        let session = try await server.warmSession()
        await crew.atEnd { await session.close() }
        let ticket = try await vehicle.ticket()
        let forward = try SSHPortForward(session, toHost: "127.0.0.1", port: ticket.tcpPort)
        await crew.atEnd { forward.close() }
        return try await crew.link(.tcp, to: ticket.through(udpPort: 0, tcpPort: forward.port))
    }

    private func gateways() async throws -> Section {
        var section = Section(
            key: "command_gateways", title: "Command over UDP to a ROS service and back, beside rosbridge and rospy")
        let count = 40
        let blocks = setting.amount(15, quick: 3)
        var (ours, proxy, bridge, floor): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
        _ = try await call(udp, 100, every: .zero)
        for block in 0..<blocks {
            // By turns who goes first.
            if block % 2 == 0 { ours += try await call(udp, count, every: Self.period) }
            proxy += try await rospy.run(count, every: Self.period)
            floor += try await hops.run(count, every: Self.period)
            if let rosbridge { bridge += try await rosbridge.run(count, every: Self.period) }
            if block % 2 == 1 { ours += try await call(udp, count, every: Self.period) }
        }
        section.notes.append("goto at 20 Hz, in \(blocks) blocks of \(count) by turns")
        section.add("udp", "uavlink over UDP", Latencies(nanoseconds: ours))
        section.add("rospy", "rospy, persistent proxy", Latencies(nanoseconds: proxy))
        section.add("hops", "our four wake-ups alone, in C", Latencies(nanoseconds: floor))
        section.figures = Self.figures(ours, beside: proxy, "rospy")
        guard rosbridge != nil else {
            section.notes.append("without roslibpy from PyPI there is no rosbridge to compare with")
            return section
        }
        section.notes.append("rosbridge's server is a stand-in of ours, kinder than the original (rosbridge_server.py)")
        section.add("rosbridge", "rosbridge with roslibpy", Latencies(nanoseconds: bridge))
        section.figures += Self.figures(ours, beside: bridge, "rosbridge")
        return section
    }

    private static func figures(_ ours: [Int64], beside theirs: [Int64], _ name: String) -> [Figure] {
        let (ours, theirs) = (Latencies(nanoseconds: ours), Latencies(nanoseconds: theirs))
        return [
            Figure(
                name: "median against \(name)", value: ours.median / theirs.median, unit: "times", limit: .atMost(1)),
            Figure(
                name: "p99 against \(name)", value: ours.percentile(99) / theirs.percentile(99), unit: "times",
                limit: .atMost(1)),
        ]
    }

    private func tunnels() async throws -> Section {
        let count = 40
        let blocks = setting.amount(15, quick: 3)
        var (inside, alone): ([Int64], [Int64]) = ([], [])
        _ = try await call(tunnel, 100, every: .zero)
        _ = try await call(tcp, 100, every: .zero)
        for block in 0..<blocks {
            if block % 2 == 0 { inside += try await call(tunnel, count, every: Self.period) }
            alone += try await call(tcp, count, every: Self.period)
            if block % 2 == 1 { inside += try await call(tunnel, count, every: Self.period) }
        }
        let (tunnelled, plain) = (Latencies(nanoseconds: inside), Latencies(nanoseconds: alone))
        var section = Section(
            key: "command_tunnel", title: "Command over the channel inside SSH (ssh-tunnel), beside TCP alone")
        section.notes.append("goto at 20 Hz, in \(blocks) blocks of \(count) by turns; no relay in between")
        section.add("ssh_tunnel", "uavlink over ssh-tunnel", tunnelled)
        section.add("tcp", "uavlink over TCP", plain)
        section.figures = [
            Figure(
                name: "median against TCP", value: tunnelled.median / plain.median, unit: "times", limit: .atMost(3)),
            Figure(
                name: "p99 against TCP", value: tunnelled.percentile(99) / plain.percentile(99), unit: "times",
                limit: .atMost(3)),
        ]
        return section
    }

    /// On the link's own thread, where rospy's caller is, too.
    private func call(_ link: SocketLink, _ count: Int, every period: Duration) async throws -> [Int64] {
        try await link.onLinkThread {
            try await Pace.run(count, every: period) {
                let reply = try await link.perform(.goTo(Self.goal), within: .seconds(5))
                guard reply.accepted else { throw ProcessFailure("goto was refused: \(reply.message)") }
            }
        }
    }
}

extension Crew {
    /// A link to a companion, open; the crew closes it.
    func link(_ carrier: SocketLink.Carrier, to ticket: ChannelTicket) async throws -> SocketLink {
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in ticket }
        atEnd { await link.close() }
        try await link.connect(within: .seconds(10))
        return link
    }
}
