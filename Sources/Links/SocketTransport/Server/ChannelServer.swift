public import ChannelProtocol
public import UAVLink
internal import Synchronization
internal import Threads

/// The vehicle's end of the channel: serves any number of grounds, each with its own ticket, over UDP and TCP.
///
/// All input and output runs on one dedicated thread.
public final class ChannelServer: Sendable {
    /// The configuration of a server.
    public struct Configuration: Sendable {
        /// The vehicle's name, for example `uav1`: letters, digits, `_`, `-`, `/`, at most 64 bytes.
        public var vehicle: String
        /// The address to listen on; `::` means every address, including IPv4.
        public var bindAddress: String
        /// The UDP port; 0 lets the system choose.
        public var udpPort: UInt16
        /// The TCP port; 0 lets the system choose.
        public var tcpPort: UInt16
        /// State frames per second, 1 to 1000.
        public var telemetryRateHertz: Double
        /// The most sessions and unused tickets at a time.
        public var maximumSessions: Int

        /// The default configuration of a vehicle.
        public init(
            vehicle: String, bindAddress: String = "::", udpPort: UInt16 = 0, tcpPort: UInt16 = 0,
            telemetryRateHertz: Double = 50, maximumSessions: Int = 64
        ) {
            self.vehicle = vehicle
            self.bindAddress = bindAddress
            self.udpPort = udpPort
            self.tcpPort = tcpPort
            self.telemetryRateHertz = telemetryRateHertz
            self.maximumSessions = maximumSessions
        }
    }

    /// The bound UDP port.
    public let udpPort: UInt16
    /// The bound TCP port.
    public let tcpPort: UInt16
    private let configuration: Configuration
    private let clock: any MonotonicClock
    private let mailbox: ServerMailbox
    private let coreReference: ServerCoreReference

    /// Opens the sockets and starts the thread.
    ///
    /// - Throws: ``LinkError`` when a port is in use or the configuration is invalid.
    public init(
        configuration: Configuration, handler: any ChannelHandler, clock: any MonotonicClock = SystemMonotonicClock()
    ) throws(LinkError) {
        guard ChannelTicket.isVehicleName(configuration.vehicle) else {
            throw LinkError(
                .invalidInput, "'\(configuration.vehicle)' is not a valid vehicle name",
                hint: "a name is letters, digits, '_', '-' and '/', at most 64 bytes")
        }
        guard (1...1000).contains(configuration.telemetryRateHertz) else {
            throw LinkError(
                .invalidInput, "a telemetry rate of \(configuration.telemetryRateHertz) Hz is outside 1...1000")
        }
        let sockets = try ServerSockets(
            bindAddress: configuration.bindAddress, udpPort: configuration.udpPort, tcpPort: configuration.tcpPort)
        udpPort = sockets.udpPort
        tcpPort = sockets.tcpPort
        self.configuration = configuration
        self.clock = clock
        let mailbox = try ServerMailbox()
        self.mailbox = mailbox
        let coreReference = ServerCoreReference(
            ServerCore(sockets: sockets, mailbox: mailbox, handler: handler, clock: clock))
        self.coreReference = coreReference
        let started = DedicatedThread.start {
            coreReference.core?.run()
            coreReference.close()
            mailbox.hasEnded()
        }
        guard started else { throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'") }
    }

    deinit { mailbox.stop() }

    /// Issues a ticket for one ground; an unused ticket expires after 60 seconds.
    ///
    /// When all places are taken, the session or ticket that was heard from longest ago is evicted, among the sessions with link
    /// loss and the tickets unused for 20 seconds.
    ///
    /// - Throws: ``LinkError`` when none can be evicted, or the server has stopped.
    public func issueTicket() throws(LinkError) -> ChannelTicket {
        let ticket = ChannelTicket(
            session: SessionID(SecureRandom.integer()), key: try .random(), udpPort: udpPort, tcpPort: tcpPort,
            vehicle: configuration.vehicle, program: Version.text)
        let session = NewSession(
            id: ticket.session, key: ticket.key,
            statePeriod: .nanoseconds(Int64(1e9 / configuration.telemetryRateHertz)))
        guard let core = coreReference.core else { throw LinkError(.closed, "the channel's server has stopped") }
        try core.admit(session, maximum: configuration.maximumSessions)
        return ticket
    }

    /// Stops issuing tickets, unless there is a session or a ticket that may still open one.
    ///
    /// - Returns: whether admission has ended; ``issueTicket()`` then throws `closed`.
    public func endAdmission() -> Bool { coreReference.core?.endAdmission() ?? true }

    /// Publishes the newest telemetry; state frames carry it from now on. Its times are on this machine's clock.
    public func publish(_ telemetry: Telemetry) { mailbox.publish(telemetry) }

    /// Makes the thread call ``ChannelHandler/tick(now:)`` again: for a handler whose timer changed on another thread.
    public func wake() { mailbox.wake() }

    /// The server's counters.
    public var counters: ChannelCounters { mailbox.counters }

    /// Sends goodbye to every ground and ends the thread; returns when it has ended. Safe to call twice.
    public func stop() async { await mailbox.stopAndWait() }
}

/// Holds a server's core while its thread runs: the sockets close when the thread ends, even if answers are pending or the
/// server is still referenced.
private final class ServerCoreReference: Sendable {
    private let open: Mutex<ServerCore?>

    init(_ core: ServerCore) { open = Mutex(core) }

    var core: ServerCore? { open.withLock { $0 } }

    func close() { open.withLock { $0 = nil } }
}

/// Counters of a ``ChannelServer`` since its start.
public struct ChannelCounters: Hashable, Sendable {
    /// Sessions that are open now.
    public internal(set) var openSessions = 0
    /// Tickets and sessions together.
    public internal(set) var sessions = 0
    /// Frames that were authenticated.
    public internal(set) var framesReceived: UInt64 = 0
    /// Frames given to the network.
    public internal(set) var framesSent: UInt64 = 0
    /// Frames dropped without an answer, by reason.
    public internal(set) var drops = DropCounts()
    /// Setpoints forwarded to the vehicle.
    public internal(set) var setpointsApplied: UInt64 = 0
    /// Setpoints too old to be forwarded.
    public internal(set) var setpointsExpired: UInt64 = 0
    /// Setpoints received twice, or after a newer setpoint or a later command.
    public internal(set) var setpointsSuperseded: UInt64 = 0
    /// Setpoints that the handler refused.
    public internal(set) var setpointsRefused: UInt64 = 0
    /// Commands passed to the handler.
    public internal(set) var commandsBegun: UInt64 = 0

    /// All counters 0.
    public init() {}
}
