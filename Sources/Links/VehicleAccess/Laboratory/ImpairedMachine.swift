#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ARDrone
package import Impairment
internal import Synchronization
internal import SystemIO
internal import Tello
internal import Threads
package import UAVLink

/// The link of a machine with its own protocol behind relays on this computer, for measurements that compare it with the channel of a
/// companion: both use this one link, since a machine obeys one at a time, and it is impaired only where it is measured itself.
///
/// ```
///   channel ──▶ companion ──╮
///                           ├─▶ link ──▶ relays: commands, navigation data, configuration ──▶ machine
///   measured directly ──────╯     ◀────── relay: the state of a Tello, which it sends to port 8890 ◀─╯
/// ```
package final class ImpairedMachine: Sendable {
    /// The machine's link, not yet connected.
    package let link: any UAVLink
    /// What its answers to commands do not tell; `nil` if they are answers.
    package let note: String?
    /// Whether relays stand in front of it.
    package let hasRelays: Bool
    /// Those that this computer sends through, and those that the machine sends through.
    private let relays: (towards: [ImpairedRelay], from: [ImpairedRelay])

    /// - Parameters:
    ///   - hasRelays: whether it will be impaired; without, the link goes straight to the machine.
    ///   - seed: of the losses.
    /// - Throws: ``UAVLink/LinkError``: `unsupported` for a robot, `unreachable` for a name without an address, `internalFault` if a
    ///   relay cannot be created.
    package init(
        to machine: MachineAddress, vehicle: String, hasRelays: Bool, seed: UInt64
    ) async throws(LinkError) {
        self.hasRelays = hasRelays
        let name = machine.host
        guard machine.kind != .bluno else {
            throw LinkError(.unsupported, "\(machine.text) cannot be compared: text does not go over the channel")
        }
        let found = await DedicatedThread.run { (try? AddressLookup.addresses(of: name, family: AF_INET))?.first }
        guard let host = (found ?? nil)?.text else {
            throw LinkError(
                .unreachable, "'\(name.sanitizedLine)' has no IPv4 address", hint: "give the machine's address")
        }
        var (towards, from): ([ImpairedRelay], [ImpairedRelay]) = ([], [])
        func relayed(_ carrier: ImpairedRelay.Carrier, _ port: UInt16) throws(LinkError) -> UInt16 {
            guard hasRelays else { return port }
            guard let relay = ImpairedRelay(carrier, to: port, host: host, seed: seed) else { throw Self.noRelay() }
            towards.append(relay)
            return relay.port
        }
        note =
            machine.kind == .ardrone
            ? "AR.Drone answers no command: a hover counts as accepted when its navigation data has shown for 100 ms that commands "
                + "arrive, so that over direct the delay of its network is not in the command's time"
            : nil
        let near = hasRelays ? "127.0.0.1" : host
        switch machine.kind {
        case .ardrone:
            let usual = ARDroneLink.Settings(
                host: near, port: machine.port ?? ARDroneLink.commandPort, vehicle: vehicle)
            var settings = usual
            settings.port = try relayed(.udp, usual.port)
            settings.navdataPort = try relayed(.udp, usual.navdataPort)
            settings.controlPort = try relayed(.tcp, usual.controlPort)
            link = ARDroneLink(settings)
        case .tello, .bluno:
            var settings = TelloLink.Settings(host: near, port: machine.port ?? TelloLink.commandPort, vehicle: vehicle)
            settings.port = try relayed(.udp, settings.port)
            if hasRelays {
                settings.statePort = try Self.freePort()
                guard
                    let relay = ImpairedRelay(
                        .udp, to: settings.statePort, seed: seed &+ 1, at: TelloLink.statePort, everywhere: true,
                        from: host)
                else {
                    throw LinkError(
                        .unsupported,
                        "the drone's state cannot be impaired: UDP port \(TelloLink.statePort) is taken here",
                        hint: "end the other program that flies a Tello from this computer")
                }
                from.append(relay)
            }
            link = TelloLink(settings)
        }
        relays = (towards, from)
    }

    private static func freePort() throws(LinkError) -> UInt16 {
        do throws(SocketError) { return try DatagramSocket(bound: .init(.loopback, port: 0)).port } catch {
            throw LinkError(.internalFault, error.what, hint: error.hint)
        }
    }

    private static func noRelay() -> LinkError {
        LinkError(.internalFault, "no relay could be created", hint: "raise 'ulimit -u' and 'ulimit -n'")
    }

    /// Impairs it from now on; ``Impairment/Impairment/none`` for no longer.
    package func impair(_ impairment: Impairment) {
        for relay in relays.towards { relay.impair(up: impairment, down: impairment.down) }
        for relay in relays.from { relay.impair(up: impairment.down, down: impairment) }
    }

    /// While dark, nothing gets through.
    package func setDark(_ isDark: Bool) {
        for relay in relays.towards + relays.from { relay.setDark(isDark) }
    }

    /// Closes the link and ends the relays.
    package func close() async {
        await link.close()
        for relay in relays.towards + relays.from { relay.stop() }
    }
}
