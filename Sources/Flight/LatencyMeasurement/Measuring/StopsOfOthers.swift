internal import FlightControl
internal import Synchronization
internal import UAVLink

/// Notices that another ground stops or lands the vehicle that is measured, or gets control authority over it: what a measurement sends
/// would end that. Telemetry shows it late: above 2 m uav_core flies down by a goto before it lands, and is called flying meanwhile.
///
/// It is noticed in two ways. A companion counts the stops and grants of all grounds: one more than this measurement has given is of
/// another. And while a link has control authority, only another's stop or take-over ends that with such a reason.
final class StopsOfOthers: Sendable {
    private struct State {
        var count = StopCount()
        /// Receives the companion's count whatever link has its turn.
        var observer: (any UAVLink)?
        /// Whether the link that has its turn was seen to have control authority.
        var hadControl = false
        /// The links whose last release the companion has answered: their newest control status may be from before it.
        var released: Set<ObjectIdentifier> = []
        var ending: String?
    }

    private let state = Mutex(State())

    /// Commands of others that end a pilot's control authority.
    private static let stops: [Command] = [.hover, .emergencyHover, .emergencyLand, .stopTrajectory, .land]

    /// Counts what this link's companion reports from now on.
    func watch(_ link: any UAVLink) {
        state.withLock { $0.observer = link }
        _ = ending()
    }

    /// Forgets the link of ``watch(_:)``, which is to be closed.
    func unwatch() { state.withLock { $0.observer = nil } }

    /// Why the measurement must end, as a clause; `nil` while it may go on. Once there is one it remains. Does not block.
    ///
    /// - Parameter link: the one that has its turn, if it has one.
    func ending(over link: (any UAVLink)? = nil) -> String? {
        let (known, observer) = state.withLock { state in (state.ending, state.observer) }
        if let known { return known }
        let observed = observer?.capabilities.control?.knownStops
        let own = link?.capabilities.control
        let counted = own?.knownStops
        let control = own == nil ? nil : link?.latestTelemetry?.control?.value
        return state.withLock { state in
            if state.ending == nil { state.ending = Self.ending(&state, Self.greater(observed, counted), control) }
            return state.ending
        }
    }

    private static func ending(_ state: inout State, _ counted: UInt64?, _ control: ControlStatus?) -> String? {
        if let control {
            if control.isYours {
                state.hadControl = true
            } else if state.hadControl, let words = words(ofEnd: control.lastEndReason) {
                return words
            }
        }
        guard state.count.isExceeded(by: counted) else { return nil }
        if let pilot = control?.pilot, !pilot.isYou { return "\(pilot.name.sanitizedLine) has control authority" }
        return "another ground has stopped the vehicle, or got control authority"
    }

    /// What another did, if that is how control authority ended: `anna@laptop commanded land`.
    private static func words(ofEnd reason: String) -> String? {
        if reason.hasPrefix("taken over by ") { return "the vehicle was \(reason.sanitizedLine)" }
        let isStop = stops.contains { reason.hasSuffix(" commanded \($0.name)") }
        return isStop ? reason.sanitizedLine : nil
    }

    private static func greater(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }

    // MARK: What this measurement gives itself

    /// The command is about to be sent over the link.
    func expect(_ command: Command, over link: any UAVLink) {
        guard command.stopsOrLands, link.capabilities.control != nil else { return }
        state.withLock { $0.count.expectOne() }
    }

    /// Requests control authority for the turn of a link, unless the measurement must end. Errors are ignored, since a link that loses
    /// much loses the request as well.
    func takeControl(of link: any UAVLink, within timeout: Duration) async {
        guard ending(over: link) == nil else { return }
        let isYours = link.latestTelemetry?.control?.value.isYours == true
        let isGranted = state.withLock { state in
            // Who has it gets no new grant.
            let isGranted = state.released.remove(ObjectIdentifier(link)) == nil && isYours
            state.hadControl = false
            if !isGranted { state.count.expectOne() }
            return isGranted
        }
        do throws(LinkError) {
            try await ControlAuthorityClient.take(of: link, within: timeout)
        } catch {
            // A request that was refused is not counted.
            if error.code == .notInCommand, !isGranted { state.withLock { $0.count.withdrawOne() } }
        }
    }

    /// Releases control authority after the turn of a link: the next turn belongs to another link and another session.
    func releaseControl(of link: any UAVLink) async {
        let isAnswered = await ControlAuthorityClient.release(
            of: link, because: "latency measurement continues over another link")
        state.withLock { state in
            if isAnswered { state.released.insert(ObjectIdentifier(link)) }
        }
    }
}
