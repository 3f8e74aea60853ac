package import Impairment
internal import Synchronization
package import UAVLink

/// What impairs one link: relays, one for each address and port that it reaches, or a network that loses its IP packets.
/// All with the same impairment and seed.
package final class RelaySet: Sendable {
    private struct Place: Hashable {
        let isStream: Bool
        let host: String
        let port: UInt16
    }

    private struct State: Sendable {
        var relays: [Place: ImpairedRelay] = [:]
        var network: PacketNetwork?
        var load: CompetingTraffic?
        var impairment = Impairment.none
        var isDark = false
    }

    private let seed: UInt64
    private let losesPackets: Bool
    private let state = Mutex(State())

    /// - Parameter losesPackets: whether the link goes through a ``PacketNetwork``; of a stream relays lose nothing.
    package init(seed: UInt64, losesPackets: Bool = false) {
        self.seed = seed
        self.losesPackets = losesPackets
    }

    /// The numeric address of this computer at which ``port(_:host:port:)`` is connected to.
    package var clientHost: String {
        get throws(LinkError) { try network()?.address ?? "127.0.0.1" }
    }

    /// The port of ``clientHost`` for a destination; relays are created on first use.
    ///
    /// Behind a network that loses packets a service of this computer has its own port. The connection to another computer goes on
    /// from a relay that impairs nothing: what is lost is lost in front of it.
    ///
    /// - Parameter host: a numeric IPv4 address.
    /// - Throws: ``LinkError`` with `internalFault` if the system cannot create one.
    package func port(_ carrier: ImpairedRelay.Carrier, host: String, port: UInt16) throws(LinkError) -> UInt16 {
        if try network() != nil, host.hasPrefix("127.") { return port }
        return try relay(carrier, host: host, port: port).port
    }

    /// The same where nothing can be thrown: without a relay a port without a listener (discard, RFC 863), so that the connection
    /// fails rather than bypasses the impairment.
    func portOrNone(_ carrier: ImpairedRelay.Carrier, host: String, port: UInt16) -> UInt16 {
        (try? self.port(carrier, host: host, port: port)) ?? 9
    }

    /// The port at which other computers reach a TCP port of this one through the impairment; without a relay one without
    /// a listener.
    func announcedPort(of port: UInt16) -> UInt16 {
        guard let host = try? clientHost else { return 9 }
        return (try? relay(.tcp, host: host, port: port, everywhere: true))?.port ?? 9
    }

    private func relay(
        _ carrier: ImpairedRelay.Carrier, host: String, port: UInt16, everywhere: Bool = false
    ) throws(LinkError) -> ImpairedRelay {
        let isStream = if case .tcp = carrier { true } else { false }
        let place = Place(isStream: isStream, host: host, port: port)
        let relay = state.withLock { state -> ImpairedRelay? in
            if let known = state.relays[place] { return known }
            let impairment = losesPackets ? Impairment.none : state.impairment
            let made = ImpairedRelay(
                carrier, to: port, host: host, seed: seed, up: impairment, down: impairment.down,
                everywhere: everywhere,
                holdsLittle: !losesPackets)
            if state.isDark, !losesPackets { made?.setDark(true) }
            state.relays[place] = made
            return made
        }
        guard let relay else {
            throw LinkError(.internalFault, "no relay could be created", hint: "raise 'ulimit -u' and 'ulimit -n'")
        }
        return relay
    }

    /// The network that loses packets, which is created on first use; `nil` where relays impair.
    private func network() throws(LinkError) -> PacketNetwork? {
        guard losesPackets else { return nil }
        do {
            return try state.withLock { state in
                if let known = state.network { return known }
                let made = try PacketNetwork(seed: seed)
                made.impair(up: state.impairment, down: state.impairment.down)
                made.setDark(state.isDark)
                state.network = made
                return made
            }
        } catch {
            throw LinkError(.unsupported, "no network that loses packets: \(error)")
        }
    }

    /// The impairment towards the vehicle, which has that of the way back.
    package var impairment: Impairment { state.withLock { $0.impairment } }

    /// Sets the impairment of both directions from now on.
    package func impair(_ impairment: Impairment) {
        state.withLock { state in
            state.impairment = impairment
            state.network?.impair(up: impairment, down: impairment.down)
            guard !losesPackets else { return }
            for relay in state.relays.values { relay.impair(up: impairment, down: impairment.down) }
        }
    }

    /// Has what competes for the bottleneck send, or no more. Only where packets are lost, and the impairment has a load; it is
    /// connected when it is needed first.
    ///
    /// - Returns: whether there is any.
    /// - Throws: ``LinkError`` with `unsupported` if it cannot be made.
    @discardableResult
    package func setLoaded(_ isLoaded: Bool) throws(LinkError) -> Bool {
        do throws(PacketNetworkError) {
            return try state.withLock { (state) throws(PacketNetworkError) in
                let (up, down) = (state.impairment.competitors, state.impairment.down.competitors)
                guard let network = state.network, up + down > 0 else { return false }
                if state.load == nil, isLoaded {
                    state.load = try CompetingTraffic(through: network, up: up, down: down)
                }
                state.load?.flow(isLoaded)
                return state.load != nil
            }
        } catch {
            throw LinkError(.unsupported, "no competing traffic: \(error)")
        }
    }

    /// While dark, nothing gets through.
    package func setDark(_ isDark: Bool) {
        state.withLock { state in
            state.isDark = isDark
            state.network?.setDark(isDark)
            guard !losesPackets else { return }
            for relay in state.relays.values { relay.setDark(isDark) }
        }
    }

    /// Why nothing gets through any more, although nothing was told to be lost: the network's device is gone; `nil` as
    /// long as it works.
    package var failure: String? { state.withLock { $0.network?.failure } }

    /// Packets and bytes that have passed the network that loses packets; `nil` where relays impair, or nothing does.
    package var counts: PacketNetwork.Counts? { state.withLock { $0.network?.counts } }

    /// Stops all of it.
    package func close() {
        state.withLock { state in
            for relay in state.relays.values { relay.stop() }
            state.load?.stop()
            state.network?.stop()
            (state.relays, state.network, state.load) = ([:], nil, nil)
        }
    }
}
