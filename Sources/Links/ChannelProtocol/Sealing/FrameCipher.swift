internal import CSodium
internal import UAVLink

/// The direction of a frame: part of its nonce, and of its key's label.
enum Direction: UInt32 {
    /// From the ground to the vehicle.
    case up = 0
    /// From the vehicle to the ground.
    case down = 1

    var opposite: Direction { self == .up ? .down : .up }
}

/// Seals the frames of one end of a session and opens those of the peer: ChaCha20-Poly1305 (RFC 8439).
///
/// The nonce is the direction and the sequence number, so it never repeats under a key; the header is authenticated.
final class FrameCipher {
    let session: UInt64
    let sending: Direction
    private let sealingKey: SecretKey
    private let openingKey: SecretKey
    /// The sequence number of the next frame; 0 is reserved for the handshake.
    private(set) var nextSequence: UInt64
    /// Written only by fault injection in tests, to show that a faulty window is detected.
    var window = ReplayWindow()
    private(set) var received: UInt64 = 0

    init(
        session: UInt64, key: SecretKey, helloRandom: [UInt8], sending: Direction, firstSequence: UInt64 = 1
    ) throws(LinkError) {
        self.session = session
        self.sending = sending
        let up = try key.derived(label: "uavlink up 1", context: helloRandom)
        let down = try key.derived(label: "uavlink down 1", context: helloRandom)
        sealingKey = sending == .up ? up : down
        openingKey = sending == .up ? down : up
        nextSequence = firstSequence
    }

    /// Seals the payload written by `write` into a frame and returns its length; 0 when there is nothing to send.
    ///
    /// The last sequence number is never used: a session that reaches it stops sending rather than reuse a nonce.
    func seal(into buffer: UnsafeMutableRawBufferPointer, _ write: (inout WireWriter) -> Void) -> Int {
        guard nextSequence < .max, let base = buffer.baseAddress, buffer.count >= ChannelLimits.frame else { return 0 }
        let payload = UnsafeMutableRawBufferPointer(start: base + ChannelLimits.header, count: ChannelLimits.payload)
        var writer = WireWriter(payload)
        write(&writer)
        guard !writer.overflowed, writer.count > 0 else { return 0 }
        base.storeBytes(of: session.littleEndian, as: UInt64.self)
        base.storeBytes(of: nextSequence.littleEndian, toByteOffset: 8, as: UInt64.self)
        let text = (base + ChannelLimits.header).assumingMemoryBound(to: UInt8.self)
        let header = base.assumingMemoryBound(to: UInt8.self)
        withNonce(sending, nextSequence) { nonce in
            sealingKey.withBytes { key in
                _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                    text, nil, text, UInt64(writer.count), header, UInt64(ChannelLimits.header), nil, nonce, key)
            }
        }
        nextSequence += 1
        return ChannelLimits.header + writer.count + ChannelLimits.tag
    }

    /// Whether a frame with that sequence number has been opened before.
    func isRepeated(_ sequence: UInt64) -> Bool {
        if case .duplicate = window.judge(sequence) { true } else { false }
    }

    /// Opens a frame in place; the plaintext points into the frame's own bytes.
    func open(_ frame: UnsafeMutableRawBufferPointer) throws(FrameRefusal) -> (
        text: UnsafeRawBufferPointer, sequence: UInt64
    ) {
        let parts = try FrameHeader(UnsafeRawBufferPointer(frame))
        guard parts.session == session, parts.sequence > 0 else { throw .unknownSession }
        switch window.judge(parts.sequence) {
        case .fresh: break
        case .duplicate: throw .replayed
        case .tooOld: throw .tooOld
        }
        guard let base = frame.baseAddress else { throw .malformed }
        let sealed = frame.count - ChannelLimits.header
        let text = (base + ChannelLimits.header).assumingMemoryBound(to: UInt8.self)
        let header = base.assumingMemoryBound(to: UInt8.self)
        let failed = withNonce(sending.opposite, parts.sequence) { nonce in
            openingKey.withBytes { key in
                crypto_aead_chacha20poly1305_ietf_decrypt(
                    text, nil, nil, text, UInt64(sealed), header, UInt64(ChannelLimits.header), nonce, key)
            }
        }
        guard failed == 0 else { throw .forged }
        window.remember(parts.sequence)
        received += 1
        return (UnsafeRawBufferPointer(start: text, count: sealed - ChannelLimits.tag), parts.sequence)
    }

    private func withNonce<Result>(
        _ direction: Direction, _ sequence: UInt64, _ body: (UnsafePointer<UInt8>) -> Result
    ) -> Result {
        var nonce = (
            direction.rawValue.littleEndian, UInt32(truncatingIfNeeded: sequence).littleEndian,
            UInt32(truncatingIfNeeded: sequence >> 32).littleEndian
        )
        return withUnsafePointer(to: &nonce) { nonce in
            body(UnsafeRawPointer(nonce).assumingMemoryBound(to: UInt8.self))
        }
    }
}
