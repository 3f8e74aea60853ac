/// Why a datagram is no packet of navigation data.
package enum NavdataError: Error, Hashable, Sendable {
    /// Shorter than a header, or longer than a packet can be.
    case size(Int)
    /// Another beginning than 0x55667788 or 0x55667789.
    case magic(UInt32)
    /// The option at this byte is longer than what is left, or shorter than its own header.
    case option(at: Int)
    /// There is no checksum at the end.
    case noChecksum
    /// The checksum is that of other bytes.
    case checksum
}

/// One packet of navigation data, UDP port 5554: the state, and options by tag. Unknown tags are skipped by their size, and
/// an option that is shorter than it should be has what fits.
package struct Navdata: Sendable {
    /// The state bits.
    package var status: ARDroneStatus
    /// From 1; starts again after the watchdog and the bootstrap.
    package var sequence: UInt32
    package var vision: UInt32
    package var demo: Demo?
    package var time: Time?
    package var rawMeasures: RawMeasures?
    package var physicalMeasures: PhysicalMeasures?
    package var gyroOffsets: NavdataTriple?
    package var euler: Euler?
    package var references: References?
    package var trims: NavdataTriple?
    package var radioReferences: RadioReferences?
    package var motors: Motors?
    package var altitude: Altitude?
    package var detection: Detection?
    package var video: VideoStream?
    package var pressure: Pressure?
    package var magnetometer: Magnetometer?
    package var wind: Wind?
    package var recording: Recording?
    /// As it is sent: whether an integer or a single is not certain.
    package var wifiQuality: UInt32?
    package var gps: GPS?
    /// Tags that are not known, in order.
    package var unknownTags: [UInt16] = []

    /// The most bytes of a packet.
    package static let mostBytes = 4096
    /// The bytes of the header.
    package static let headerBytes = 16
    private static let magics: ClosedRange<UInt32> = 0x5566_7788...0x5566_7789
    private static let checksumTag: UInt16 = 0xFFFF
    private static let mostUnknown = 16

    /// Reads a packet.
    ///
    /// - Throws: ``NavdataError``
    package init(_ bytes: some Collection<UInt8>) throws(NavdataError) {
        let decoded: Result<Navdata, NavdataError>? = bytes.withContiguousStorageIfAvailable { storage in
            do throws(NavdataError) { return .success(try Navdata(raw: UnsafeRawBufferPointer(storage))) } catch {
                return .failure(error)
            }
        }
        if let decoded {
            self = try decoded.get()
            return
        }
        guard bytes.count <= Self.mostBytes else { throw .size(bytes.count) }
        self = try Navdata(Array(bytes))
    }

    private init(raw: UnsafeRawBufferPointer) throws(NavdataError) {
        guard (Self.headerBytes...Self.mostBytes).contains(raw.count) else { throw .size(raw.count) }
        let header = NavdataFields(bytes: raw)
        let magic = header.whole(0, UInt32.self)
        guard Self.magics.contains(magic) else { throw .magic(magic) }
        status = ARDroneStatus(rawValue: header.whole(4))
        sequence = header.whole(8)
        vision = header.whole(12)
        var offset = Self.headerBytes
        while offset + 4 <= raw.count {
            let tag: UInt16 = header.whole(offset)
            let size = Int(header.whole(offset + 2, UInt16.self))
            guard size >= 4, size <= raw.count - offset else { throw .option(at: offset) }
            let option = NavdataFields(bytes: UnsafeRawBufferPointer(rebasing: raw[offset..<offset + size]))
            if tag == Self.checksumTag {
                guard let sum = option.integer(4, UInt32.self) else { throw .option(at: offset) }
                guard sum == Self.sum(raw.prefix(offset)) else { throw .checksum }
                return
            }
            take(tag, option)
            offset += size
        }
        throw .noChecksum
    }

    /// The sum of bytes, which cannot overflow for the longest packet.
    private static func sum(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt32 {
        var sum: UInt32 = 0
        for byte in UnsafeRawBufferPointer(rebasing: bytes) { sum &+= UInt32(byte) }
        return sum
    }

    private mutating func take(_ tag: UInt16, _ option: NavdataFields) {
        switch tag {
        case 0: demo = Demo(option)
        case 1: time = Time(option)
        case 2: rawMeasures = RawMeasures(option)
        case 3: physicalMeasures = PhysicalMeasures(option)
        case 4: gyroOffsets = option.triple(4)
        case 5: euler = Euler(option)
        case 6: references = References(option)
        case 7: trims = option.triple(4)
        case 8: radioReferences = RadioReferences(option)
        case 9: motors = Motors(option)
        case 10: altitude = Altitude(option)
        case 16: detection = Detection(option)
        case 19: video = VideoStream(option)
        case 21: pressure = Pressure(option)
        case 22: magnetometer = Magnetometer(option)
        case 23: wind = Wind(option)
        case 25: recording = Recording(option)
        case 26: wifiQuality = option.integer(4)
        case 27: gps = GPS(option)
        // Known, and of no use: raw vision, performance, trackers, watchdog, converter, games, Kalman filter.
        case 11...15, 17, 18, 20, 24: break
        default: if unknownTags.count < Self.mostUnknown { unknownTags.append(tag) }
        }
    }
}
