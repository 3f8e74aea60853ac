internal import UAVLink

/// The companion's side of a session's handshake: reads hellos, and has the welcome that answers the newest of them.
struct VehicleHandshake {
    private struct DueWelcome {
        let hello: Handshake.Hello
        let helloRandom: [UInt8]
        let receivedAt: MonotonicTime
        let isAccepted: Bool
    }

    private let session: SessionID
    private let key: SecretKey
    private let keys: Handshake.Keys
    private let version: UInt16
    private let random: (Int) -> [UInt8]
    private var welcome: DueWelcome?

    init(session: SessionID, key: SecretKey, version: UInt16, random: @escaping (Int) -> [UInt8]) throws(LinkError) {
        self.session = session
        self.key = key
        keys = try Handshake.Keys(key)
        self.version = version
        self.random = random
    }

    /// Processes the hello of a session that waits for its ground.
    ///
    /// - Returns: what opens the session; `nil` when the ground has another version: the welcome says so.
    mutating func open(
        _ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime
    ) throws(FrameRefusal) -> (cipher: FrameCipher, helloRandom: [UInt8])? {
        let (hello, helloRandom) = try Handshake.openHello(frame, keys: keys)
        guard hello.version == version else {
            welcome = DueWelcome(hello: hello, helloRandom: helloRandom, receivedAt: now, isAccepted: false)
            return nil
        }
        let cipher: FrameCipher
        do throws(LinkError) {
            cipher = try FrameCipher(session: session.value, key: key, helloRandom: helloRandom, sending: .down)
        } catch { throw .malformed }
        welcome = DueWelcome(hello: hello, helloRandom: helloRandom, receivedAt: now, isAccepted: true)
        return (cipher, helloRandom)
    }

    /// Processes a hello of an open session. The ground resends it until the welcome arrives; after its first other frame, a
    /// hello is a replay.
    mutating func takeAgain(
        _ frame: UnsafeMutableRawBufferPointer, of open: OpenVehicleSession, now: MonotonicTime
    ) throws(FrameRefusal) {
        let (hello, helloRandom) = try Handshake.openHello(frame, keys: keys)
        guard helloRandom == open.helloRandom, open.cipher.window.newest == 0 else { throw .replayed }
        welcome = DueWelcome(hello: hello, helloRandom: helloRandom, receivedAt: now, isAccepted: true)
    }

    /// Seals the welcome and returns the frame's length; 0 when none is due.
    mutating func nextWelcome(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        guard let due = welcome else { return 0 }
        welcome = nil
        return Handshake.seal(
            Handshake.Welcome(
                version: version, accepted: due.isAccepted, helloSent: due.hello.sent,
                helloReceived: due.receivedAt.nanoseconds, sent: now.nanoseconds),
            helloRandom: due.helloRandom, session: session.value, random: random(ChannelLimits.handshakeRandom),
            keys: keys, into: buffer)
    }
}
