internal import ChannelProtocol
public import CompanionControl
internal import ReportKit
internal import Secrets
public import SocketTransport
public import UAVLink

/// A running companion, from start to end: channel server, control socket, locks and backend.
public struct CompanionService: Sendable {
    /// Why a companion ended.
    public enum Ending: Hashable, Sendable {
        /// A stop was requested, or it was idle for too long.
        case asked
        /// The connection to the vehicle has ended, by itself or from outside; a supervisor should start another companion.
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

    /// Starts everything that must exist before a ticket may be requested.
    ///
    /// Waits for a previous companion that is ending.
    ///
    /// - Parameters:
    ///   - traceSource: what the backend can tell a ground that traces its session.
    ///   - hostLock: the lock that keeps other companions for the vehicle off this host, where they could reach the same one.
    ///   - manager: notified when the companion is ready, is alive, and ends.
    ///   - hangs: called on a dedicated thread when the channel thread hangs and no manager watches it; it should end the
    ///     process. `nil`: no watchdog.
    ///   - idleExit: end when no session was open for this long and no ticket is outstanding; `nil`: never.
    /// - Throws: ``LinkError`` if another companion runs, or a port or the control socket is not available.
    public init(
        _ configuration: Companion.Configuration, channel: ChannelServer.Configuration, backend: any UAVLink,
        traceSource: (any TraceSource)? = nil, runtime: RuntimeDirectory, hostLock hostLockName: HostLock.Name? = nil,
        manager: ServiceManager? = nil,
        hangs: (@Sendable () -> Void)? = nil, idleExit: Duration? = nil,
        clock: any MonotonicClock = SystemMonotonicClock(), log: CompanionLog = CompanionLog()
    ) async throws(LinkError) {
        let vehicle = configuration.vehicle
        let controlSocket = runtime.controlSocketPath(vehicle: vehicle)
        let wait = LockAcquisition(vehicle: vehicle, clock: clock, log: log)
        lock = try await wait.lock(of: runtime)
        hostLock = if let hostLockName { try await wait.lock(of: hostLockName) } else { nil }
        let isWatched = manager?.watchdogPeriod != nil
        let pulse = isWatched || hangs != nil ? ChannelHeartbeat(for: manager) : nil
        var configuration = configuration
        configuration.firstStop = Companion.Configuration.stopCount(startedAt: clock.now)
        let companion = Companion(
            configuration, backend: backend, traceSource: traceSource, pulse: pulse, clock: clock, log: log)
        let server = try ChannelServer(configuration: channel, handler: companion, clock: clock)
        let (stop, stopper) = AsyncStream<Ending>.makeStream()
        let isSimulated = backend.kind == .sim
        control = try ControlServer(path: controlSocket) { request throws(LinkError) in
            switch request {
            case .ticket:
                return try server.issueTicket().line
            case .status:
                return SecretBytes(Self.status(of: companion, server, vehicle: vehicle, isSimulated: isSimulated))
            case .stop:
                stopper.yield(.asked)
                return SecretBytes("stopping")
            }
        }
        try hostLock?.announce(controlSocket)
        if let pulse, let hangs, !isWatched {
            watchdog = try ChannelWatchdog(over: pulse, clock: clock) {
                let seconds = Int((ChannelWatchdog.period * ChannelWatchdog.maximumMisses).inSeconds)
                log.say("the channel thread has not responded for \(seconds) s: ending")
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
        backend.capabilities.shutdownRequests?.setShutdownHandler { reason in
            // While the connection to the vehicle is still open.
            companion.stopSteering()
            stopper.yield(.backendEnded(reason))
        }
        log.say("companion \(Version.text) for \(vehicle): udp \(server.udpPort), tcp \(server.tcpPort)")
        manager?.tell(.ready)
    }

    /// Runs until the task is cancelled or a stop is requested; returns why it ended.
    public func run() async -> Ending {
        let ending = await withTaskCancellationHandler {
            await withTaskGroup(of: Ending.self) { group in
                group.addTask {
                    await companion.run { server.publish($0) }
                    return Task.isCancelled ? .asked : .backendEnded("the connection to the vehicle has ended")
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
                // The lease is not held any longer: brake before anything else is closed or waited for.
                companion.stopSteering()
                group.cancelAll()
                return ending
            }
        } onCancel: {
            // On a signal: at once, not after tasks that may be waiting.
            companion.stopSteering()
        }
        manager?.tell(.stopping)
        if case .backendEnded(let reason) = ending { log.say("\(reason): ending") }
        control.stop()
        hostLock?.conclude()
        await backend.close()
        await server.stop()
        // Not earlier: it must also end a process whose channel thread does not stop.
        watchdog?.stop()
        withExtendedLifetime((lock, hostLock)) {}
        return ending
    }

    /// Returns when no session was open for that long and no ticket is outstanding; from then on none is issued.
    private func untilIdle(for limit: Duration) async {
        while !Task.isCancelled {
            if let idle = companion.idleTime, idle >= limit, server.endAdmission() {
                log.say("no session for \(Int(limit.inSeconds)) s: ending")
                return
            }
            try? await clock.sleep(for: .seconds(1))
        }
    }

    private static func status(
        of companion: Companion, _ server: ChannelServer, vehicle: String, isSimulated: Bool
    ) -> String {
        let counts = companion.counts
        let drops = server.counters.drops
        let value: JSONValue = [
            "vehicle": .string(vehicle), "version": .string(Version.text),
            // A ground that asks for the simulated vehicle must not fly another.
            "is_simulated": .bool(isSimulated),
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
