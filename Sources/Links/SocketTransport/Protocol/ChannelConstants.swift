internal import UAVLink

/// The protocol version that this code speaks; both ends must agree on it exactly.
public let channelProtocolVersion: UInt16 = 1

/// Sizes and counts of the channel; `docs/channel.md` lists them with the same names.
enum ChannelLimits {
    /// The longest frame. IPv6 promises 1280 bytes end to end; 1200 leaves room for tunnels, so nothing is fragmented.
    static let frame = 1200
    /// Session id and sequence number, in clear.
    static let header = 16
    /// Poly1305.
    static let tag = 16
    /// The random of a handshake frame: the nonce of XChaCha20-Poly1305.
    static let handshakeRandom = 24
    /// The most plaintext in a frame, its kind included.
    static let payload = frame - header - tag
    /// Sequence numbers this far behind the newest are refused as too old.
    static let replayWindow: UInt64 = 4096
    /// A vehicle's name.
    static let vehicleName = 64
    /// The version of a companion's program.
    static let programVersion = 32
    /// Any name in telemetry: frame, tracker, controller, estimator.
    static let name = 128
    /// A topic's name.
    static let topic = MapOffer.longestTopic
    /// One message of the vehicle's.
    static let message = 512
    /// The text of an answer; longer ones are cut.
    static let answerText = 65_536
    /// Commands and questions that may wait for their answer at a time, in one session; those that stop motion not counted.
    static let commandsInFlight = 32
    /// Commands that stop motion have places of their own, so that no other takes theirs.
    static let stopsInFlight = 8
    /// How many of a kind may wait for their answer at a time.
    static func inFlight(stopsMotion: Bool) -> Int { stopsMotion ? stopsInFlight : commandsInFlight }
    /// So many hellos refused by the network, with nothing heard, and nobody is there.
    static let refusedHellos = 5
    /// Answers that the companion keeps for repeated commands, in one session. While the network loses what belongs to one
    /// command, the others go on: where it loses 30 % each way, 32 at a time come to some 130 a second, and this many last for
    /// half a minute, in which that one command is repeated 30 times.
    static let answersKept = 4096
    /// What they may come to together, in bytes, those that go in fragments not counted: with more, the oldest are forgotten
    /// earlier.
    static let answerBytesKept = 256 * 1024
    /// But never more of them than leave so many.
    static let answersKeptAtLeast = 128
    /// The data of one fragment.
    static let fragment = 1100
    /// Fragments that may be under way at a time.
    static let fragmentsInFlight = 256
    /// The largest command or answer: a million points and their head.
    static let bulk = 32 * Trajectory.maximumPoints + 4096
    /// What all unfinished transfers to one server may hold together.
    static let bulkInAll = 4 * bulk
}

/// Times of the channel, each with its reason.
enum ChannelTimes {
    /// Ten exchanges a second: a lost link is seen within a second even when nine of ten datagrams are lost, for 20 kbit/s.
    static let heartbeat: Duration = .milliseconds(100)
    /// Ten heartbeats missed. Shorter and a Wi-Fi roam (0.2 to 0.5 s) would count as a loss.
    static let silence: Duration = .seconds(1)
    /// A hello is repeated after this, then at twice the time up to ``helloLongest``.
    static let helloFirst: Duration = .milliseconds(100)
    /// A second hello a second is enough to a host that does not answer.
    static let helloLongest: Duration = .milliseconds(800)
    /// The longest that a socket goes unanswered while a session opens; the longest round trip that is allowed for.
    static let openingPatience: Duration = .seconds(8)
    /// A ticket that nobody used; SSH hands it over within a second or two, a slow log-in takes ten.
    static let ticketLife: Duration = .seconds(60)
    /// A session that was silent so long is forgotten: a walk out of range and back is shorter.
    static let sessionLife: Duration = .seconds(300)
    /// The shortest wait before a command is repeated: longer than a busy machine's scheduling.
    static let resendShortest: Duration = .milliseconds(20)
    /// Before the first round trip is known: a slow mobile link's.
    static let resendUnknown: Duration = .milliseconds(150)
    /// The longest wait before a command is repeated: a link that comes back is used within it.
    static let resendLongest: Duration = .seconds(1)
    /// A command that the companion has received is asked after this often, should its answer be lost.
    static let resendReceived: Duration = .milliseconds(200)
    /// Parts of telemetry that change slowly, five times a second; a changed tracker goes at once.
    static let details: Duration = .milliseconds(200)
    /// The range finder, five times a second.
    static let extras: Duration = .milliseconds(200)
    /// Who flies, five times a second, and at once when it changes.
    static let control: Duration = .milliseconds(200)
    /// Who steers and moves nothing is told so no more often than this.
    static let controlReminder: Duration = .milliseconds(50)
    /// Topic rates are means over seconds: once a second is enough.
    static let rates: Duration = .seconds(1)
    /// Messages are repeated so often until the ground has them.
    static let messages: Duration = .milliseconds(100)
    /// How fast a clock estimate grows old, in nanoseconds per nanosecond: two crystals of 100 ppm each.
    static let drift = 0.0002
    /// The same at the worst: Linux lets NTP make a clock 10 % faster or slower (`adjtimex`, tick 9000 to 11000; chrony uses
    /// 83 333 ppm of it), and a nanosecond of the slower clock is then up to 1.12 of the faster.
    static let slew = 0.12
    /// No command and no question waits longer on the vehicle, whatever its deadline: longer than the largest map or trajectory
    /// takes over a slow link.
    static let longestWait: Duration = .seconds(600)
    /// A burst of bulk fragments goes out this often, so that small frames always find the line free.
    static let bulkPace: Duration = .milliseconds(1)
    /// Fragments in one burst: 8 a millisecond are 70 Mbit/s, about 1 ms of a 54 Mbit/s radio's time.
    static let bulkBurst = 8
    /// A TCP connection that has not shown a frame that opens is closed.
    static let strangerLife: Duration = .seconds(5)
    /// A connection whose ground is gone without a word. A ground that is there speaks ten times a second, and makes a new one
    /// after a second of silence, so nobody comes back to it.
    static let connectionLoss: Duration = .seconds(20)
    /// An unused ticket may be taken from who asked for it after this, when all places are taken: twice the time of a slow
    /// log-in.
    static let ticketSpared: Duration = .seconds(20)
    /// A trace's records go out this often: rarely enough that what is measured meets them seldom.
    static let trace: Duration = .milliseconds(200)
    /// Frames of a backlog of records follow one another at this distance.
    static let traceBurst: Duration = .milliseconds(5)
    /// A ground that wants a trace says so this often, and what it has.
    static let traceRequest: Duration = .milliseconds(250)
    /// A trace that nobody has asked for so long ends.
    static let traceLife: Duration = .seconds(5)
    /// From one try to reach the vehicle to the next, at least.
    static let reconnect: Duration = .milliseconds(500)
    /// So long after a loss a fresh ticket is asked for: the companion may have been restarted.
    static let renewal: Duration = .seconds(5)
}
