internal import CompanionControl
internal import Threads
internal import UAVLink

/// Takes a companion's locks: waits for a previous one that is ending, and reports where a running one is.
struct LockAcquisition {
    let vehicle: String
    let clock: any MonotonicClock
    let log: CompanionLog

    /// How long a companion may take to end: it closes its sessions, its backend and its ROS registrations first.
    private static let endTimeout: Duration = .seconds(15)
    /// Poll interval.
    private static let endPollInterval: Duration = .milliseconds(20)

    /// Takes the lock of a runtime directory.
    func lock(of runtime: RuntimeDirectory) async throws(LinkError) -> InstanceLock {
        let path = runtime.lockPath(vehicle: vehicle)
        return try await lock(
            holder: "a companion for \(vehicle) neither answers nor ends: it holds \(path)",
            hint: "end its process ('fuser' on that file shows it)"
        ) { () throws(LinkError) in
            try InstanceLock(path: path)
        } refusal: { () throws(LinkError) in
            guard try ControlClient(path: runtime.controlSocketPath(vehicle: vehicle)).ask(.status) != nil else {
                return nil
            }
            return LinkError(
                .companionUnavailable, "another companion for \(vehicle) is already running on this machine",
                hint: "end it with 'uavlink-companion stop', or use it")
        }
    }

    /// Takes the lock of the host.
    func lock(of name: HostLock.Name) async throws(LinkError) -> HostLock {
        try await lock(
            holder:
                "another process holds the address \(name) of the companion for \(vehicle) on this host, "
                + "and does not answer",
            hint: "end its process ('ss -xlp' shows it)"
        ) { () throws(LinkError) in
            try HostLock(name)
        } refusal: { () throws(LinkError) in
            guard let holder = HostLock.holder(of: name), let socket = holder.controlSocket else { return nil }
            return LinkError(
                .companionUnavailable,
                "another companion for \(vehicle) runs on this host: process \(holder.process) of user \(holder.user) "
                    + "has \(name), control socket \(socket.sanitizedLine)",
                hint: "use that one, or end its process")
        }
    }

    /// - Parameters:
    ///   - holder: the message about a holder that neither answers nor ends.
    ///   - take: `nil` if another process has the lock.
    ///   - refusal: the error if another companion is running, else `nil`; may block for a few seconds.
    private func lock<Lock: Sendable>(
        holder: String, hint: String, take: () throws(LinkError) -> Lock?,
        refusal: @escaping @Sendable () throws(LinkError) -> LinkError?
    ) async throws(LinkError) -> Lock {
        let deadline = clock.now + Self.endTimeout
        var isFirst = true
        while true {
            if let lock = try take() { return lock }
            let refused = await DedicatedThread.run { Result { () throws(LinkError) in try refusal() } }
            if let refusal = try refused?.get() { throw refusal }
            if isFirst { log.say("waiting for the previous companion to end: \(holder)") }
            isFirst = false
            guard clock.now < deadline else { throw LinkError(.companionUnavailable, holder, hint: hint) }
            do { try await clock.sleep(for: Self.endPollInterval) } catch { throw LinkError(.cancelled, "cancelled") }
        }
    }
}
