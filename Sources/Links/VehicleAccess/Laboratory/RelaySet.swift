public import Impairment
internal import Synchronization
public import UAVLink

/// The relays in front of one link: one for each address and port that it reaches. All do the same at the same time, with the
/// same seed.
public final class RelaySet: Sendable {
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

    /// No relays yet.
    public init(seed: UInt64) { self.seed = seed }

    /// Where to reach a place by its relay, which is made when it is first asked for.
    ///
    /// - Parameters:
    ///   - host: an IPv4 address in digits.
    ///   - everywhere: whether other machines come to it too.
    /// - Throws: ``LinkError`` with `internalFault` when the system has nothing to make one of.
    public func port(
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
            throw LinkError(.internalFault, "no relay could be made", hint: "raise 'ulimit -u' and 'ulimit -n'")
        }
        return relay.port
    }

    /// What is done, each way.
    public var impairment: Impairment { state.withLock { $0.impairment } }

    /// What is done from now on, each way.
    public func impair(_ impairment: Impairment) {
        state.withLock { state in
            state.impairment = impairment
            for relay in state.relays.values { relay.impair(up: impairment, down: impairment) }
        }
    }

    /// While dark nothing gets through.
    public func setDark(_ isDark: Bool) {
        state.withLock { state in
            state.isDark = isDark
            for relay in state.relays.values { relay.setDark(isDark) }
        }
    }

    /// While held, nothing is read from clients.
    public func holdUp(_ holds: Bool) {
        state.withLock { state in
            for relay in state.relays.values { relay.holdUp(holds) }
        }
    }

    /// Ends all relays.
    public func close() {
        state.withLock { state in
            for relay in state.relays.values { relay.stop() }
            state.relays = [:]
        }
    }
}
