internal import UAVLink

/// The protocol version of this code; both ends must have exactly the same.
public let channelProtocolVersion: UInt16 = 1

/// Sizes and counts of the channel; `docs/channel.md` lists them with the same names.
package enum ChannelLimits {
    /// The longest frame. IPv6 guarantees 1280 bytes end to end; 1200 leaves space for tunnels, so nothing is fragmented.
    package static let frame = 1200
    /// Session id and sequence number, in clear.
    package static let header = 16
    /// Poly1305.
    package static let tag = 16
    /// The random part of a handshake frame: the nonce of XChaCha20-Poly1305.
    package static let handshakeRandom = 24
    /// The most plaintext in a frame, its kind byte included.
    package static let payload = frame - header - tag
    /// Sequence numbers this far behind the newest are dropped as too old.
    static let replayWindow: UInt64 = 4096
    /// A vehicle's name.
    static let vehicleName = 64
    /// The version of a companion's program.
    static let programVersion = 32
    /// Any name in telemetry: frame, tracker, controller, estimator.
    static let name = 128
    /// A topic's name.
    static let topic = AvailableMap.longestTopic
    /// One message of the vehicle.
    static let message = 512
    /// The text of an answer; longer texts are truncated.
    static let answerText = 65_536
    /// The path of a vehicle's world file.
    static let path = VehicleWorld.longestPath
    /// The largest answer with a world: the file, its path and a message about it.
    package static let world = VehicleWorld.mostBytes + 8192
    /// Commands and questions awaiting their answer at a time, per session; commands with a reserved slot not counted.
    static let commandsInFlight = 32
    /// Landings and stop commands of each kind have slots of their own, which no other command can take: a held key must not keep an
    /// emergency landing from being sent.
    static let stopsInFlight = 8
    /// How many of a kind the companion executes at a time: a ground replaces the oldest one that it waits for, which still runs.
    static let stopsRunning = 64
    /// After this many hellos refused by the network and nothing received, no companion is listening.
    package static let refusedHellos = 5
    /// Answers that the companion keeps for repeated commands, per session. While the frames of one command keep being lost,
    /// others proceed: at 30 % loss each way, 32 in flight come to about 130 per second, so this many last half a minute, in
    /// which that one command is resent 30 times.
    static let answersKept = 4096
    /// The most that these answers may hold together, in bytes, fragmented ones not counted: beyond it the oldest are discarded
    /// earlier.
    static let answerBytesKept = 256 * 1024
    /// Discarding for size always leaves at least this many answers.
    static let answersKeptMinimum = 128
    /// The data of one fragment.
    static let fragment = 1100
    /// Fragments in flight at a time.
    static let fragmentsInFlight = 256
    /// The largest command or answer: a million points and their header.
    package static let bulk = 32 * Trajectory.maximumPoints + 4096
    /// What all unfinished transfers of one server may hold together.
    package static let bulkTotal = 4 * bulk
}

/// Durations of the channel, each with its reason.
package enum ChannelTimes {
    /// Ten exchanges per second: link loss is reliably detected within a second even at 90 % loss, for 20 kbit/s.
    package static let heartbeat: Duration = .milliseconds(100)
    /// Ten missed heartbeats are a link loss. With a shorter time a Wi-Fi roam (0.2 to 0.5 s) would count as one.
    package static let linkLossTimeout: Duration = .seconds(1)
    /// A hello is resent after this, then at doubling intervals up to ``helloLongest``.
    static let helloFirst: Duration = .milliseconds(100)
    /// A hello every 0.8 s is enough for a host that does not answer.
    static let helloLongest: Duration = .milliseconds(800)
    /// The longest wait for an answer on one socket while a session opens; also the longest round trip supported.
    package static let longestOpeningTimeout: Duration = .seconds(8)
    /// The life of an unused ticket; SSH delivers it within a second or two, a slow log-in takes ten.
    static let ticketLife: Duration = .seconds(60)
    /// A session is forgotten after this long without a frame: flying out of range and back takes less.
    static let sessionLife: Duration = .seconds(300)
    /// The shortest wait before a command is resent: longer than the scheduling delay of a busy machine.
    package static let resendShortest: Duration = .milliseconds(20)
    /// The wait before the first round trip is known: that of a slow mobile link.
    static let resendUnknown: Duration = .milliseconds(150)
    /// The longest wait before a command is resent: a restored link is used within it.
    static let resendLongest: Duration = .seconds(1)
    /// A command that the companion has received is queried this often, in case its answer was lost.
    static let resendReceived: Duration = .milliseconds(200)
    /// Slowly changing telemetry, five times per second; a changed tracker is sent at once.
    static let details: Duration = .milliseconds(200)
    /// The range finder, five times per second.
    static let extras: Duration = .milliseconds(200)
    /// The control status, five times per second, and at once when it changes.
    static let control: Duration = .milliseconds(200)
    /// A pilot whose setpoints are refused is sent the control status no more often than this.
    static let controlReminder: Duration = .milliseconds(50)
    /// Topic rates are averages over seconds: once per second is enough.
    static let rates: Duration = .seconds(1)
    /// Messages are resent this often until the ground has them.
    static let messages: Duration = .milliseconds(100)
    /// How fast a clock estimate degrades, in nanoseconds per nanosecond: two crystals of 100 ppm each.
    static let drift = 0.0002
    /// The worst case of the same: Linux lets NTP run a clock 10 % faster or slower (`adjtimex`, tick 9000 to 11000; chrony uses
    /// 83 333 ppm of it), and a nanosecond of the slower clock is then up to 1.12 of the faster.
    static let slew = 0.12
    /// The longest wait of a command or question on the vehicle, whatever its deadline: longer than the largest map or
    /// trajectory takes over a slow link.
    static let longestWait: Duration = .seconds(600)
    /// The interval between bursts of bulk fragments, so that small frames always find the link free.
    static let bulkInterval: Duration = .milliseconds(1)
    /// Fragments in one burst: 8 per millisecond are 70 Mbit/s, about 1 ms of air time on a 54 Mbit/s radio.
    static let bulkBurst = 8
    /// A TCP connection that has not sent an authentic frame after this long is closed.
    package static let unauthenticatedTimeout: Duration = .seconds(5)
    /// A connection to a dead peer is closed after this long. A live ground sends ten times per second and reconnects after a
    /// second without a frame, so it never returns to the old connection.
    package static let connectionLoss: Duration = .seconds(20)
    /// An unused ticket may be evicted after this long when all places are taken: twice the time of a slow log-in.
    package static let ticketEvictionAge: Duration = .seconds(20)
    /// The interval between batches of trace records: long, so that they rarely disturb what is measured.
    package static let trace: Duration = .milliseconds(200)
    /// The interval between frames of a backlog of records.
    static let traceBurst: Duration = .milliseconds(5)
    /// A ground that wants a trace requests it this often and acknowledges what it has.
    static let traceRequest: Duration = .milliseconds(250)
    /// A trace ends after this long without a request.
    static let traceLife: Duration = .seconds(5)
    /// The shortest time between two attempts to reach the vehicle.
    package static let reconnect: Duration = .milliseconds(500)
    /// A new ticket is requested this long after link loss: the companion may have restarted.
    package static let renewal: Duration = .seconds(5)
}
