internal import ROS1
internal import Synchronization
internal import UAVLink

/// Finds out whether the vehicle's graph runs on simulated time, by which its messages are then stamped.
extension ROSLink {
    /// A flight stack may be started after this link, and then sets the parameter.
    private static let timePeriod: Duration = .seconds(10)
    private static let timeTimeout: Duration = .seconds(2)

    /// Asks the master in a task when it is time to; called for messages of the vehicle, on the node's I/O thread.
    func askForTime(at now: MonotonicTime) {
        let node = state.withLock { state -> ROSNode? in
            guard state.phase != .closed, let graph = state.graph,
                state.askedForTimeAt.map({ now - $0 >= Self.timePeriod }) ?? true
            else { return nil }
            state.askedForTimeAt = now
            return graph.node
        }
        guard let node else { return }
        Task { [weak self] in await self?.askForTime(node) }
    }

    private func askForTime(_ node: ROSNode) async {
        guard let isParameterSet = try? await node.master.usesSimulatedTime(within: Self.timeTimeout) else { return }
        var hasClock = state.withLock { $0.hasClockTopic }
        if hasClock == nil, !isParameterSet {
            // Once: the state of a whole graph is long, and this thread also sends setpoints.
            let graph = try? await node.master.systemState(within: Self.timeTimeout)
            hasClock = graph.map { $0.publishers[ROSMaster.clockTopic]?.isEmpty == false }
        }
        let known = hasClock
        state.withLock { state in
            guard state.phase != .closed else { return }
            state.hasClockTopic = known
            state.assembler.isTimeSimulated = isParameterSet || known == true
        }
    }
}
