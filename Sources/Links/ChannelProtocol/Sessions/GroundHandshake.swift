internal import UAVLink

/// A ground's side of the handshake: sends the hello until the welcome arrives.
struct GroundHandshake {
    private let session: SessionID
    private let keys: Handshake.Keys
    private let random: [UInt8]
    private let version: UInt16
    private var schedule: HelloSchedule

    /// - Parameter random: 24 unpredictable bytes, never used before.
    init(session: SessionID, key: SecretKey, random: [UInt8], version: UInt16, now: MonotonicTime) throws(LinkError) {
        self.session = session
        keys = try Handshake.Keys(key)
        self.random = random
        self.version = version
        schedule = HelloSchedule(now: now)
    }

    /// When the next hello is due.
    var nextAt: MonotonicTime { schedule.nextAt }

    /// The carrier was renewed: the hello is resent.
    mutating func carrierWasRenewed(now: MonotonicTime) { schedule.sendNow(now) }

    /// Seals the hello and returns the frame's length; 0 when it is not due.
    mutating func nextHello(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        guard let sent = schedule.take(now: now) else { return 0 }
        let hello = Handshake.Hello(version: version, sent: sent.nanoseconds)
        return Handshake.seal(hello, session: session.value, random: random, keys: keys, into: buffer)
    }

    /// Opens the welcome that answers the hello.
    func welcome(_ frame: UnsafeMutableRawBufferPointer) throws(FrameRefusal) -> Handshake.Welcome {
        try Handshake.openWelcome(frame, helloRandom: random, keys: keys)
    }
}
