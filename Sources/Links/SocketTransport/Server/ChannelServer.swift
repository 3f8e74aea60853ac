public import UAVLink
internal import Synchronization
internal import Threads

/// The vehicle's end of the channel: any number of grounds, each with a ticket of its own, over UDP and TCP.
///
/// One thread of its own does all input and output.
public final class ChannelServer: Sendable {
    /// How a server is set up.
    public struct Configuration: Sendable {
        /// The vehicle's name, for example `uav1`: letters, digits, `_`, `-`, `/`, at most 64 bytes.
        public var vehicle: String
        /// The address to listen on; `::` is every address, IPv4 ones too.
        public var bindAddress: String
        /// The UDP port; 0 lets the system choose.
        public var udpPort: UInt16
        /// The TCP port; 0 lets the system choose.
        public var tcpPort: UInt16
        /// State frames a second, 1 to 1000.
        public var telemetryRateHertz: Double
        /// How many sessions and unused tickets there may be.
        public var maximumSessions: Int

        /// The usual set-up of a vehicle.
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

    /// The port for datagrams.
    public let udpPort: UInt16
    /// The port for connections.
    public let tcpPort: UInt16
    private let configuration: Configuration
    private let clock: any MonotonicClock
    private let mailbox: ServerMailbox
    private let door: ServerDoor

    /// Opens the sockets and starts the thread.
    ///
    /// - Throws: ``LinkError`` when a port is taken or the configuration is not possible.
    public init(
        configuration: Configuration, handler: any ChannelHandler, clock: any MonotonicClock = SystemMonotonicClock()
    ) throws(LinkError) {
        guard ChannelTicket.isVehicleName(configuration.vehicle) else {
            throw LinkError(
                .invalidInput, "'\(configuration.vehicle)' cannot be a vehicle's name",
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
        let door = ServerDoor(ServerCore(sockets: sockets, mailbox: mailbox, handler: handler, clock: clock))
        self.door = door
        let started = OwnThread.start {
            door.core?.run()
            door.close()
            mailbox.hasEnded()
        }
        guard started else { throw LinkError(.internalFault, "no thread could be started", hint: "raise 'ulimit -u'") }
    }

    deinit { mailbox.stop() }

    /// A ticket for one ground; unused it is void after 60 seconds.
    ///
    /// When all places are taken, a session whose ground is silent makes room, or a ticket that was not used for 20 seconds:
    /// the one of which nothing was heard for the longest time.
    ///
    /// - Throws: ``LinkError`` when none of them can be spared, or the server has stopped.
    public func issueTicket() throws(LinkError) -> ChannelTicket {
        let ticket = ChannelTicket(
            session: SessionID(SecureRandom.integer()), key: try .random(), udpPort: udpPort, tcpPort: tcpPort,
            vehicle: configuration.vehicle, program: Version.text)
        let session = NewSession(
            id: ticket.session, key: ticket.key,
            statePeriod: .nanoseconds(Int64(1e9 / configuration.telemetryRateHertz)))
        guard let core = door.core else { throw LinkError(.closed, "the channel's server has stopped") }
        try core.admit(session, maximum: configuration.maximumSessions)
        return ticket
    }

    /// Gives no tickets any more from now on, unless somebody has a session or a ticket that may still open one.
    ///
    /// - Returns: whether that is so now; ``issueTicket()`` throws `closed` then.
    public func endAdmission() -> Bool { door.core?.endAdmission() ?? true }

    /// Hands in the newest telemetry; the state frames carry it from now on. Its times are on this machine's clock.
    public func publish(_ telemetry: Telemetry) { mailbox.publish(telemetry) }

    /// Makes the thread ask ``ChannelHandler/tick(now:)`` again: for a handler whose timer changed on another thread.
    public func wake() { mailbox.wake() }

    /// What the server has counted.
    public var counters: ChannelCounters { mailbox.counters }

    /// Says goodbye to every ground and ends the thread; returns when it has ended. Safe to call twice.
    public func stop() async { await mailbox.stopAndWait() }
}

/// The way to a server's inside for as long as its thread works: the sockets close when that ends, whatever answers are still
/// to come and whoever still has the server.
private final class ServerDoor: Sendable {
    private let open: Mutex<ServerCore?>

    init(_ core: ServerCore) { open = Mutex(core) }

    var core: ServerCore? { open.withLock { $0 } }

    func close() { open.withLock { $0 = nil } }
}

/// What a ``ChannelServer`` has counted since it started.
public struct ChannelCounters: Hashable, Sendable {
    /// Sessions that are open now.
    public internal(set) var openSessions = 0
    /// Tickets and sessions together.
    public internal(set) var sessions = 0
    /// Frames that opened.
    public internal(set) var framesReceived: UInt64 = 0
    /// Frames handed to the network.
    public internal(set) var framesSent: UInt64 = 0
    /// Frames dropped without an answer, and why.
    public internal(set) var drops = DropCounts()
    /// Setpoints passed on to the vehicle.
    public internal(set) var setpointsApplied: UInt64 = 0
    /// Setpoints too old to be passed on.
    public internal(set) var setpointsStale: UInt64 = 0
    /// Setpoints that came twice, or after a newer one or a later command.
    public internal(set) var setpointsSuperseded: UInt64 = 0
    /// Setpoints that the handler refused.
    public internal(set) var setpointsRefused: UInt64 = 0
    /// Commands handed to the handler.
    public internal(set) var commandsBegun: UInt64 = 0

    /// Nothing counted.
    public init() {}
}
