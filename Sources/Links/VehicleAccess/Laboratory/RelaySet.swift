package import Impairment
internal import Synchronization
package import UAVLink

/// The relays in front of one link, one for each address and port that it reaches, with the same impairment and seed.
package final class RelaySet: Sendable {
    private struct Place: Hashable {
        let isStream: Bool
        let host: String
        let port: UInt16
    }

    private struct State: Sendable {
        var relays: [Place: ImpairedRelay] = [:]
        var impairment = Impairment.none
        var isDark = false
    }

    private let seed: UInt64
    private let state = Mutex(State())

    package init(seed: UInt64) { self.seed = seed }

    /// The local port of the relay for a destination; the relay is created on first use.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 address.
    ///   - everywhere: whether other machines connect to it too.
    /// - Throws: ``LinkError`` with `internalFault` if the system cannot create one.
    package func port(
        _ carrier: ImpairedRelay.Carrier, host: String, port: UInt16, everywhere: Bool = false
    ) throws(LinkError) -> UInt16 {
        let isStream = if case .tcp = carrier { true } else { false }
        let place = Place(isStream: isStream, host: host, port: port)
        let relay = state.withLock { state -> ImpairedRelay? in
            if let known = state.relays[place] { return known }
            let made = ImpairedRelay(
                carrier, to: port, host: host, seed: seed, up: state.impairment, down: state.impairment,
                everywhere: everywhere)
            if state.isDark { made?.setDark(true) }
            state.relays[place] = made
            return made
        }
        guard let relay else {
            throw LinkError(.internalFault, "no relay could be created", hint: "raise 'ulimit -u' and 'ulimit -n'")
        }
        return relay.port
    }

    /// The same where nothing can be thrown: without a relay a port without a listener (discard, RFC 863), so that the connection
    /// fails rather than bypasses the impairment.
    func portOrNone(
        _ carrier: ImpairedRelay.Carrier, host: String, port: UInt16, everywhere: Bool = false
    ) -> UInt16 {
        (try? self.port(carrier, host: host, port: port, everywhere: everywhere)) ?? 9
    }

    /// The impairment of each direction.
    package var impairment: Impairment { state.withLock { $0.impairment } }

    /// Sets the impairment of each direction from now on.
    package func impair(_ impairment: Impairment) {
        state.withLock { state in
            state.impairment = impairment
            for relay in state.relays.values { relay.impair(up: impairment, down: impairment) }
        }
    }

    /// While dark, nothing gets through.
    package func setDark(_ isDark: Bool) {
        state.withLock { state in
            state.isDark = isDark
            for relay in state.relays.values { relay.setDark(isDark) }
        }
    }

    /// While held, nothing is read from clients.
    package func pauseReading(_ holds: Bool) {
        state.withLock { state in
            for relay in state.relays.values { relay.pauseReading(holds) }
        }
    }

    /// Stops all relays.
    package func close() {
        state.withLock { state in
            for relay in state.relays.values { relay.stop() }
            state.relays = [:]
        }
    }
}
