internal import CompanionControl
internal import Threads
internal import UAVLink

/// Takes a companion's locks: waits for one before it that is just ending, and says where one is that works.
struct PredecessorWait {
    let vehicle: String
    let clock: any MonotonicClock
    let log: CompanionLog

    /// A companion that ends says goodbye to its sessions, its backend and the ROS master first.
    private static let endsWithin: Duration = .seconds(15)
    /// How often to look whether it has.
    private static let endPoll: Duration = .milliseconds(20)

    /// The lock of a runtime directory.
    func lock(of runtime: RuntimeDirectory) async throws(LinkError) -> InstanceLock {
        let path = runtime.lockPath(vehicle: vehicle)
        return try await lock(
            holder: "a companion for \(vehicle) neither answers nor ends: it holds \(path)",
            hint: "end its process ('fuser' on that file tells which)"
        ) { () throws(LinkError) in
            try InstanceLock(path: path)
        } refusal: { () throws(LinkError) in
            guard try ControlClient(path: runtime.controlSocketPath(vehicle: vehicle)).ask(.status) != nil else {
                return nil
            }
            return LinkError(
                .companionUnavailable, "another companion for \(vehicle) runs on this machine already",
                hint: "end it with 'uavlink-companion stop', or use it")
        }
    }

    /// The lock of the host.
    func lock(of name: HostLock.Name) async throws(LinkError) -> HostLock {
        try await lock(
            holder:
                "the name \(name) of companions for \(vehicle) on this host is taken, and whoever has it does not answer",
            hint: "end its process ('ss -xlp' tells which)"
        ) { () throws(LinkError) in
            try HostLock(name)
        } refusal: { () throws(LinkError) in
            guard let holder = HostLock.holder(of: name), let socket = holder.controlSocket else { return nil }
            return LinkError(
                .companionUnavailable,
                "another companion for \(vehicle) runs on this host: process \(holder.process) of user \(holder.user) "
                    + "has \(name) and says that it is asked at \(socket.harmlessLine)",
                hint: "use that one, or end its process")
        }
    }

    /// - Parameters:
    ///   - holder: what is said of one that neither works nor ends.
    ///   - take: `nil` when another has the lock.
    ///   - refusal: why there can be none, when another works. It may block for a few seconds.
    private func lock<Lock: Sendable>(
        holder: String, hint: String, take: () throws(LinkError) -> Lock?,
        refusal: @escaping @Sendable () throws(LinkError) -> LinkError?
    ) async throws(LinkError) -> Lock {
        let deadline = clock.now + Self.endsWithin
        var isFirst = true
        while true {
            if let lock = try take() { return lock }
            let refused = await OwnThread.run { Result { () throws(LinkError) in try refusal() } }
            if let refusal = try refused?.get() { throw refusal }
            if isFirst { log.say("waiting for the companion before this one to end: \(holder)") }
            isFirst = false
            guard clock.now < deadline else { throw LinkError(.companionUnavailable, holder, hint: hint) }
            do { try await clock.sleep(for: Self.endPoll) } catch { throw LinkError(.cancelled, "cancelled") }
        }
    }
}
