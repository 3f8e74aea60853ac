internal import CSodium
internal import UAVLink

/// The handshake of a session. Its layout is the same in every version, so that mismatched versions can detect each other.
enum Handshake {
    struct Hello: Equatable {
        var version: UInt16
        /// When it was sent, nanoseconds on the ground's clock.
        var sent: Int64
    }

    struct Welcome: Equatable {
        var version: UInt16
        /// Whether the session is open; false when the versions differ.
        var accepted: Bool
        /// The hello's `sent`, echoed.
        var helloSent: Int64
        /// When the hello was received and when this was sent, nanoseconds on the companion's clock.
        var helloReceived: Int64
        var sent: Int64
    }

    /// The two keys of the handshake.
    struct Keys: Sendable {
        let hello: SecretKey
        let welcome: SecretKey

        init(_ key: SecretKey) throws(LinkError) {
            hello = try key.derived(label: "uavlink hello")
            welcome = try key.derived(label: "uavlink welcome")
        }
    }

    static func seal(
        _ hello: Hello, session: UInt64, random: [UInt8], keys: Keys, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        seal(session: session, random: random, key: keys.hello, into: buffer) { writer in
            writer.put(HandshakeKind.hello.rawValue)
            writer.put(hello.version)
            writer.put(hello.sent)
        }
    }

    static func seal(
        _ welcome: Welcome, helloRandom: [UInt8], session: UInt64, random: [UInt8], keys: Keys,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        seal(session: session, random: random, key: keys.welcome, into: buffer) { writer in
            writer.put(HandshakeKind.welcome.rawValue)
            writer.put(welcome.version)
            writer.put(welcome.accepted)
            helloRandom.withUnsafeBytes { writer.put(raw: $0) }
            writer.put(welcome.helloSent)
            writer.put(welcome.helloReceived)
            writer.put(welcome.sent)
        }
    }

    /// Opens a hello in place and returns its random too. Bytes after the known fields belong to later versions.
    static func openHello(
        _ frame: UnsafeMutableRawBufferPointer, keys: Keys
    ) throws(FrameRefusal) -> (hello: Hello, random: [UInt8]) {
        let (text, random) = try open(frame, key: keys.hello)
        var reader = WireReader(text)
        do throws(WireError) {
            guard try reader.integer(UInt8.self) == HandshakeKind.hello.rawValue else { throw .invalid }
            return (Hello(version: try reader.integer(), sent: try reader.integer()), random)
        } catch { throw .malformed }
    }

    /// Opens a welcome in place; it must answer the hello with that random.
    static func openWelcome(
        _ frame: UnsafeMutableRawBufferPointer, helloRandom: [UInt8], keys: Keys
    ) throws(FrameRefusal) -> Welcome {
        let (text, _) = try open(frame, key: keys.welcome)
        var reader = WireReader(text)
        do throws(WireError) {
            guard try reader.integer(UInt8.self) == HandshakeKind.welcome.rawValue else { throw .invalid }
            let version = try reader.integer(UInt16.self)
            let accepted = try reader.flag()
            guard try reader.raw(ChannelLimits.handshakeRandom).elementsEqual(helloRandom) else { throw .invalid }
            return Welcome(
                version: version, accepted: accepted, helloSent: try reader.integer(),
                helloReceived: try reader.integer(), sent: try reader.integer())
        } catch { throw .malformed }
    }

    private static let prefix = ChannelLimits.header + ChannelLimits.handshakeRandom

    /// Seals a body of any kind.
    static func seal(
        session: UInt64, random: [UInt8], key: SecretKey, into buffer: UnsafeMutableRawBufferPointer,
        _ write: (inout WireWriter) -> Void
    ) -> Int {
        guard let base = buffer.baseAddress, buffer.count >= ChannelLimits.frame,
            random.count == ChannelLimits.handshakeRandom
        else { return 0 }
        let payload = UnsafeMutableRawBufferPointer(
            start: base + prefix, count: ChannelLimits.frame - prefix - ChannelLimits.tag)
        var writer = WireWriter(payload)
        write(&writer)
        guard !writer.overflowed else { return 0 }
        base.storeBytes(of: session.littleEndian, as: UInt64.self)
        base.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
        random.withUnsafeBytes { source in
            if let source = source.baseAddress {
                (base + ChannelLimits.header).copyMemory(from: source, byteCount: ChannelLimits.handshakeRandom)
            }
        }
        let header = base.assumingMemoryBound(to: UInt8.self)
        let text = header + prefix
        key.withBytes { key in
            _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                text, nil, text, UInt64(writer.count), header, UInt64(prefix), nil, header + ChannelLimits.header, key)
        }
        return prefix + writer.count + ChannelLimits.tag
    }

    private static func open(
        _ frame: UnsafeMutableRawBufferPointer, key: SecretKey
    ) throws(FrameRefusal) -> (text: UnsafeRawBufferPointer, random: [UInt8]) {
        let parts = try FrameHeader(UnsafeRawBufferPointer(frame))
        guard parts.sequence == 0, frame.count > prefix + ChannelLimits.tag, let base = frame.baseAddress else {
            throw .malformed
        }
        let header = base.assumingMemoryBound(to: UInt8.self)
        let text = header + prefix
        let failed = key.withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                text, nil, nil, text, UInt64(frame.count - prefix), header, UInt64(prefix),
                header + ChannelLimits.header, key)
        }
        guard failed == 0 else { throw .forged }
        let random = Array(
            UnsafeRawBufferPointer(start: base + ChannelLimits.header, count: ChannelLimits.handshakeRandom))
        return (UnsafeRawBufferPointer(start: text, count: frame.count - prefix - ChannelLimits.tag), random)
    }
}
