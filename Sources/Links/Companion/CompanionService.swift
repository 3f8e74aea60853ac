public import CompanionControl
internal import ReportKit
public import SocketTransport
public import UAVLink

/// A companion at work: channel server, control socket, lock, backend; from its start to its end.
public struct CompanionService: Sendable {
    /// Why a companion has ended.
    public enum Ending: Hashable, Sendable {
        /// Somebody asked it to, or nobody has needed it for long.
        case asked
        /// Its way to the vehicle was ended by others; whoever looks after it should start another.
        case backendEnded(String)
    }

    private let companion: Companion
    private let server: ChannelServer
    private let control: ControlServer
    private let lock: InstanceLock
    private let hostLock: HostLock?
    private let manager: ServiceManager?
    private let watchdog: ChannelWatchdog?
    private let backend: any UAVLink
    private let idleExit: Duration?
    private let clock: any MonotonicClock
    private let log: CompanionLog
    private let stop: AsyncStream<Ending>
    private let stopper: AsyncStream<Ending>.Continuation

    /// Starts everything that must be there before somebody may ask for a ticket.
    ///
    /// A companion that is just ending is waited for.
    ///
    /// - Parameters:
    ///   - hostLock: what keeps other companions for the vehicle off this host, where they could reach the same one.
    ///   - manager: told when the companion is there, that it works, and that it ends.
    ///   - hangs: called, on a thread of its own, when the channel's thread does not come round any more and no manager watches it;
    ///     it should end the process. `nil` lets it hang.
    ///   - idleExit: end when no session was open for this long, and no ticket is out; `nil` for never.
    /// - Throws: ``LinkError`` when another companion runs, or a port or the control socket cannot be had.
    public init(
        _ configuration: Companion.Configuration, channel: ChannelServer.Configuration, backend: any UAVLink,
        runtime: RuntimeDirectory, hostLock hostLockName: HostLock.Name? = nil, manager: ServiceManager? = nil,
        hangs: (@Sendable () -> Void)? = nil, idleExit: Duration? = nil,
        clock: any MonotonicClock = SystemMonotonicClock(), log: CompanionLog = CompanionLog()
    ) async throws(LinkError) {
        let vehicle = configuration.vehicle
        let controlSocket = runtime.controlSocketPath(vehicle: vehicle)
        let wait = PredecessorWait(vehicle: vehicle, clock: clock, log: log)
        lock = try await wait.lock(of: runtime)
        hostLock = if let hostLockName { try await wait.lock(of: hostLockName) } else { nil }
        let isWatched = manager?.watchdogPeriod != nil
        let pulse = isWatched || hangs != nil ? ChannelPulse(for: manager) : nil
        let companion = Companion(configuration, backend: backend, pulse: pulse, clock: clock, log: log)
        let server = try ChannelServer(configuration: channel, handler: companion, clock: clock)
        let (stop, stopper) = AsyncStream<Ending>.makeStream()
        control = try ControlServer(path: controlSocket) { request throws(LinkError) in
            switch request {
            case .ticket:
                return try server.issueTicket().line
            case .status:
                return Self.status(of: companion, server, vehicle: vehicle)
            case .stop:
                stopper.yield(.asked)
                return "stopping"
            }
        }
        try hostLock?.announce(controlSocket)
        if let pulse, let hangs, !isWatched {
            watchdog = try ChannelWatchdog(over: pulse, clock: clock) {
                let seconds = Int((ChannelWatchdog.period * ChannelWatchdog.patience).inSeconds)
                log.say("the channel's thread has not come round for \(seconds) s: ending")
                hangs()
            }
        } else {
            watchdog = nil
        }
        self.manager = manager
        companion.wake { server.wake() }
        self.companion = companion
        self.server = server
        self.backend = backend
        self.idleExit = idleExit
        self.clock = clock
        self.log = log
        self.stop = stop
        self.stopper = stopper
        (backend as? any EndableLink)?.whenToldToEnd { reason in
            // While the way to the vehicle is still open.
            companion.stopSteering()
            stopper.yield(.backendEnded(reason))
        }
        log.say("companion \(Version.text) for \(vehicle): udp \(server.udpPort), tcp \(server.tcpPort)")
        manager?.tell(.ready)
    }

    /// Works until the task is cancelled or somebody asks it to stop; tells why it ended.
    public func run() async -> Ending {
        let ending = await withTaskCancellationHandler {
            await withTaskGroup(of: Ending.self) { group in
                group.addTask {
                    await companion.run { server.publish($0) }
                    return .asked
                }
                group.addTask { [stop] in
                    for await ending in stop { return ending }
                    return .asked
                }
                if let idleExit {
                    group.addTask {
                        await untilIdle(for: idleExit)
                        return .asked
                    }
                }
                let ending = await group.next() ?? .asked
                // Nobody is left to hold the lease: first of all, before anything else is closed or waited for.
                companion.stopSteering()
                group.cancelAll()
                return ending
            }
        } onCancel: {
            // A signal: not in its turn behind what may be waiting, but at once.
            companion.stopSteering()
        }
        manager?.tell(.stopping)
        if case .backendEnded(let reason) = ending { log.say("\(reason): ending") }
        control.stop()
        hostLock?.conclude()
        await backend.close()
        await server.stop()
        // Not before: a thread that hangs does not end either.
        watchdog?.stop()
        withExtendedLifetime((lock, hostLock)) {}
        return ending
    }

    /// Returns when no session was open for that long and no ticket is out; then there will be none any more.
    private func untilIdle(for limit: Duration) async {
        while !Task.isCancelled {
            if let idle = companion.idleTime, idle >= limit, server.endAdmission() {
                log.say("nobody has been here for \(Int(limit.inSeconds)) s: ending")
                return
            }
            try? await clock.sleep(for: .seconds(1))
        }
    }

    private static func status(
        of companion: Companion, _ server: ChannelServer, vehicle: String
    ) -> String {
        let counts = companion.counts
        let drops = server.counters.drops
        let value: JSONValue = [
            "vehicle": .string(vehicle), "version": .string(Version.text),
            "udp_port": JSONValue(server.udpPort), "tcp_port": JSONValue(server.tcpPort),
            "pilot": JSONValue(companion.pilotName),
            "steering_session": JSONValue(companion.steeringSession?.description),
            "setpoints_applied": JSONValue(counts.applied), "setpoints_refused": JSONValue(counts.refused),
            "frames_dropped": JSONValue(drops.total), "frames_malformed": JSONValue(drops.malformed),
            "frames_of_no_session": JSONValue(drops.unknownSession), "frames_replayed": JSONValue(drops.replayed),
            "frames_too_old": JSONValue(drops.tooOld), "frames_forged": JSONValue(drops.forged),
            "setpoints_failed": JSONValue(counts.failed), "lease_lapses": JSONValue(counts.lapses),
        ]
        return value.text
    }
}
