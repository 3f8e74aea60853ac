import BenchmarkKit
import ChannelProtocol
import IntegrationKit
import SSHTransport
import SocketTransport
import Statistics
import UAVLink

/// A command to a ROS service and back over UDP beside rosbridge and rospy, and over TCP inside SSH beside TCP alone.
enum LinksBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        try await withCrew { crew in
            let vehicle = try await VehicleUnderTest(setting, crew)
            try await vehicle.takeOff()
            let server = try await SSHServer()
            await crew.atEnd { await server.stop() }
            try await server.start()
            return [try await gateways(setting, vehicle), try await tunnels(setting, vehicle, server)]
        }
    }

    /// A run is as long as its p99 takes.
    private static func plan(_ setting: Setting) -> RunPlan {
        setting.plan(of: setting.amount(300, quick: 40), every: .milliseconds(50))
    }

    private static func gateways(_ setting: Setting, _ vehicle: VehicleUnderTest) async throws -> Section {
        var section = Section(
            key: "command_gateways", title: "Command over UDP to a ROS service and back, beside rosbridge and rospy")
        var contenders = [
            Contender.goTo("udp", "uavlink over UDP", vehicle), try Contender.rospy(setting, vehicle),
            Contender.hops(setting, count: 100),
        ]
        var peers = ["rospy"]
        section.notes = ["goto at 20 Hz; " + plan(setting).text]
        if let interpreter = setting.peerPython {
            contenders.append(
                .peer(
                    "rosbridge", "rosbridge with roslibpy",
                    [interpreter, setting.scripts + "/rosbridge_call.py"] + (try Contender.goalWords()),
                    environment: vehicle.python))
            peers.append("rosbridge")
            section.notes.append(
                "rosbridge's server is a stand-in of ours, kinder than the original (rosbridge_server.py)")
        } else {
            section.notes.append("without roslibpy from PyPI there is no rosbridge to compare with")
        }
        section.rows = try await plan(setting).measure(contenders)
        section.figures = peers.flatMap { figures(section, "udp", over: $0, $0, limit: 1) }
        return section
    }

    private static func tunnels(
        _ setting: Setting, _ vehicle: VehicleUnderTest, _ server: SSHServer
    ) async throws -> Section {
        var section = Section(
            key: "command_tunnel", title: "Command over the channel inside SSH (ssh-tunnel), beside TCP alone")
        section.notes = ["goto at 20 Hz; " + plan(setting).text, "no relay in between"]
        section.rows = try await plan(setting).measure([
            Contender.goTo("ssh_tunnel", "uavlink over ssh-tunnel", vehicle) {
                try await tunnel($0, vehicle, server)
            },
            Contender.goTo("tcp", "uavlink over TCP", vehicle) { try await $0.link(.tcp, to: vehicle.ticket()) },
        ])
        section.figures = figures(section, "ssh_tunnel", over: "tcp", "TCP", limit: 3)
        return section
    }

    private static func figures(
        _ section: Section, _ ours: String, over peer: String, _ name: String, limit: Double
    ) -> [Figure] {
        [("median", Percentile.p50), ("p99", .p99)].map { word, percentile in
            Figure(
                "\(word) against \(name)", section.series(ours), over: section.series(peer), at: percentile,
                limit: .atMost(limit))
        }
    }

    /// The channel inside an SSH session to a real sshd.
    private static func tunnel(
        _ crew: Crew, _ vehicle: VehicleUnderTest, _ server: SSHServer
    ) async throws -> SocketLink {
        let session = try await server.warmSession()
        await crew.atEnd { await session.close() }
        let ticket = try await vehicle.ticket()
        let forward = try SSHPortForward(session, toHost: "127.0.0.1", port: ticket.tcpPort)
        await crew.atEnd { forward.close() }
        return try await crew.link(.tcp, to: ticket.through(udpPort: 0, tcpPort: forward.port))
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
