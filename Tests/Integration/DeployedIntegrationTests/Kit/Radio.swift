#if os(Linux)
    import Impairment
    import IntegrationKit

    /// A radio between ground and vehicle beside the cable: each packet is delayed, lost and held back as an `Impairment` says.
    ///
    /// A network device of either network (tun) hands its packets to a ``PacketNetwork``. So it is the kernel's own TCP
    /// that meets the losses, at both ends.
    final class Radio: Sendable {
        /// From the block that is kept for measurements of networks (RFC 2544).
        static let nearAddress = "198.18.1.1"
        /// The vehicle's end.
        static let farAddress = "198.18.1.2"
        private static let name = "radio"

        private let network: PacketNetwork

        /// Runs `body` with a radio and ends it whatever `body` does.
        static func with(
            _ impairment: String, in networks: SeparateNetworks, _ body: (Radio) async throws -> Void
        ) async throws {
            let radio = try await Radio(try Impairment(impairment), in: networks)
            do {
                try await body(radio)
                radio.network.stop()
            } catch {
                radio.network.stop()
                throw error
            }
        }

        private init(_ impairment: Impairment, in networks: SeparateNetworks) async throws {
            let near = try await networks.inside(.near) { try PacketDevice(name: Self.name) }
            let far = try await networks.inside(.far) { try PacketDevice(name: Self.name) }
            try await Self.configure(.near, Self.nearAddress, Self.farAddress, networks)
            try await Self.configure(.far, Self.farAddress, Self.nearAddress, networks)
            // Only now: what is written to a device that is not up is an error.
            network = try PacketNetwork(between: near, and: far)
            network.impair(up: impairment, down: impairment.down)
        }

        /// While dark, everything is lost.
        func setDark(_ isDark: Bool) { network.setDark(isDark) }

        /// Bytes from the ground that have arrived, those of the headers among them.
        var carriedUp: Int { network.counts.bytesUp }

        /// Packets of both directions that were lost.
        var lost: Int { network.counts.lost }

        private static func configure(
            _ end: SeparateNetworks.End, _ own: String, _ other: String, _ networks: SeparateNetworks
        ) async throws {
            // What most computers use; one that ignores losses (BBR) would hide them. Where it is not to be had, as it is.
            let script = """
                set -e
                { echo reno >/proc/sys/net/ipv4/tcp_congestion_control; } 2>/dev/null || true
                ip addr add \(own) peer \(other) dev \(name)
                ip link set \(name) up
                """
            let shell = try ChildProcess(
                networks.entering(end) + ["/bin/sh", "-c", script],
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
            guard try await shell.exit() == 0 else { throw ProcessFailure("the radio's address: \(shell.errors)") }
        }
    }
#endif
