internal import MRS
internal import MRSMessages
internal import ROS2Node
internal import Synchronization
package import UAVLink
internal import Zenoh

/// Whether somebody subscribes to setpoints, from the graph; asked for each setpoint, looked up now and then.
final class ListenerCheck: Sendable {
    private struct Seen {
        var at: MonotonicTime?
        var isHeard = false
    }

    /// The vehicle's tracker stops it 0.5 s after the last setpoint that it received; a control manager that vanishes is noticed
    /// before.
    private static let validity: Duration = .milliseconds(100)
    private let seen = Mutex(Seen())

    /// Whether `count` was positive when it was last looked up.
    func isHeard(at now: MonotonicTime, _ count: () -> Int) -> Bool {
        let known = seen.withLock { seen in
            seen.at.flatMap { now - $0 < Self.validity && seen.isHeard ? true : nil }
        }
        if let known { return known }
        let isHeard = count() > 0
        seen.withLock { $0 = Seen(at: now, isHeard: isHeard) }
        return isHeard
    }
}

/// Publishes velocity references.
extension ROS2Link {
    /// Gives the setpoint to the router's connection on this thread; an expired one is counted and dropped.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `notConnected` if there is no session with the router, no node subscribes to setpoints, or
    ///   the vehicle has stopped to publish what it does: nothing says then that it obeys. A neutral setpoint is sent anyway in the last
    ///   case. After a loss of the router all others are refused until one is neutral.
    ///
    /// The number on the receipt is that in the message's attachment.
    @discardableResult
    package func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        let graph = try connectedGraph()
        let now = clock.now
        guard now - setpoint.intendedAt <= setpoint.validFor else {
            setpointsExpired.add(1, ordering: .relaxed)
            return SteeringReceipt(number: setpointsSent.load(ordering: .relaxed), sentAt: nil)
        }
        guard graph.session.zenoh.isConnected else { throw routerLost }
        guard graph.listeners.isHeard(at: now, { listeners(in: graph) }) else {
            throw LinkError(
                .notConnected, "the vehicle does not subscribe to '\(graph.steering.topic)'",
                hint: "is its control manager running?")
        }
        if !setpoint.isNeutral {
            let (silent, needsNeutral) = state.withLock { ($0.assembler.silentTopic(now: now), $0.needsNeutral) }
            // Never a brake: a vehicle that does not publish may still obey.
            if let silent {
                throw LinkError(
                    .notConnected, "no messages received on '\(names.name(of: silent))' any more",
                    hint: "is the vehicle's flight stack running?")
            }
            guard !needsNeutral else {
                throw LinkError(
                    .notConnected, "the Zenoh router was lost: setpoints are refused until one is neutral",
                    hint: "release the sticks")
            }
        }
        return try send(setpoint, by: graph.steering, at: now)
    }

    /// Stops the vehicle before a command that has to wait for its tracker, unless that is not ours to do.
    func brake(by steering: ROS2Publisher<MRSMsgs.VelocityReferenceStamped>) {
        let now = clock.now
        guard latestTelemetry?.permitsBrake(now: now) ?? true else { return }
        let neutral = VelocitySetpoint(
            velocityMetresPerSecond: .zero, intendedAt: now, validFor: VelocitySetpoint.longestValidity)
        _ = try? send(neutral, by: steering, at: now)
    }

    private var routerLost: LinkError {
        LinkError(
            .notConnected, "the Zenoh router at \(router) is lost",
            hint: "is rmw_zenohd running on the vehicle, and is the network up?")
    }

    private func send(
        _ setpoint: VelocitySetpoint, by steering: ROS2Publisher<MRSMsgs.VelocityReferenceStamped>,
        at now: MonotonicTime
    ) throws(LinkError) -> SteeringReceipt {
        // Before it: a command that is given meanwhile is to know of it.
        gate.noteSetpoint(isNeutral: setpoint.isNeutral, at: now)
        switch steering.publish(MRSMsgs.VelocityReferenceStamped(setpoint)) {
        case .sent:
            if setpoint.isNeutral { state.withLock { $0.needsNeutral = false } }
            return SteeringReceipt(number: setpointsSent.add(1, ordering: .relaxed).newValue, sentAt: clock.now)
        case .dropped:
            // It had a number, too.
            return SteeringReceipt(number: setpointsSent.add(1, ordering: .relaxed).newValue, sentAt: nil)
        case .notConnected: throw routerLost
        case .refused: throw state.withLock { $0.mismatch }.map { LinkError($0) } ?? Self.older
        }
    }

    /// What is sent to it would end its nodes.
    static let older = LinkError(
        .typeMismatch, "the vehicle has rmw_zenoh before 0.2.4, whose nodes end when they receive present messages",
        hint: "update ros-jazzy-rmw-zenoh-cpp on the vehicle")
}
