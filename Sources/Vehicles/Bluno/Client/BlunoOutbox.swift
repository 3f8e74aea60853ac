internal import UAVLink

/// What waits to be given to the transport. A stop goes before everything, and drops the rest; of motion only the newest waits.
struct BlunoOutbox: Sendable {
    /// The most bytes that may be on their way before a stop: what the transport has taken cannot always be taken back. 5.5 ms
    /// at 115200 baud.
    static let mostUnderWay = 64
    /// The most bytes of texts that wait.
    static let mostWaiting = 4096

    /// Something to write.
    struct Piece: Hashable, Sendable {
        var bytes: [UInt8]
        /// Whether everything before it that has not left is discarded first.
        var isStop = false
    }

    private enum Source: Sendable { case stop, half, motion, texts }

    private var stopBytes: [UInt8] = []
    /// What was begun and must be ended before anything but a stop.
    private var half: [UInt8] = []
    private var motion: [UInt8] = []
    private var texts: [[UInt8]] = []
    private var source: Source?
    /// Whether the stop that waits comes twice already.
    private var isTwice = false
    /// Whether the transport has taken a part of the stop that waits: that part is not discarded.
    private var isBegun = false

    var waitingBytes: Int { stopBytes.count + half.count + motion.count + texts.reduce(0) { $0 + $1.count } }
    var hasStop: Bool { !stopBytes.isEmpty }
    /// Whether a text waits, or the rest of one.
    var hasTexts: Bool { !texts.isEmpty || !half.isEmpty }

    /// A stop: everything else is dropped.
    mutating func stop(_ bytes: [UInt8]) {
        let wasCut = !half.isEmpty
        clear()
        stopBytes = bytes
        if wasCut { noteDiscarded() }
    }

    /// Motion replaces older motion.
    mutating func move(_ bytes: [UInt8]) { motion = bytes }
    /// No motion waits any more.
    mutating func dropMotion() { motion = [] }

    /// A text goes behind the others; `false` if too much waits.
    mutating func append(_ bytes: [UInt8]) -> Bool {
        guard waitingBytes + bytes.count <= Self.mostWaiting else { return false }
        texts.append(bytes)
        return true
    }

    mutating func clear() {
        (stopBytes, half, motion, texts, source, isTwice, isBegun) = ([], [], [], [], nil, false, false)
    }

    /// The next piece to write.
    ///
    /// - Parameter underWay: the bytes that the transport has taken and that have not left.
    mutating func next(underWay: Int) -> Piece? {
        let room = Self.mostUnderWay - underWay
        if !stopBytes.isEmpty {
            source = .stop
            return Piece(bytes: stopBytes, isStop: !isBegun)
        }
        if !half.isEmpty { return piece(half, .half, room) }
        // The task and the speed go before the direction that needs them.
        if let text = texts.first { return piece(text, .texts, room) }
        return motion.isEmpty || room < motion.count ? nil : piece(motion, .motion, room)
    }

    private mutating func piece(_ bytes: [UInt8], _ from: Source, _ room: Int) -> Piece? {
        guard room > 0 else { return nil }
        source = from
        return Piece(bytes: Array(bytes.prefix(room)))
    }

    /// The transport has taken so many bytes of the piece.
    mutating func wrote(_ count: Int) {
        switch source {
        case .stop:
            stopBytes.removeFirst(min(count, stopBytes.count))
            isBegun = !stopBytes.isEmpty && (isBegun || count > 0)
        case .half: half.removeFirst(min(count, half.count))
        case .motion where count > 0:
            half = Array(motion.dropFirst(count))
            motion = []
        case .texts where count > 0 && !texts.isEmpty: half = Array(texts.removeFirst().dropFirst(count))
        case .motion, .texts, nil: break
        }
        source = nil
    }

    /// Bytes before the stop that is about to be written were discarded: a value between `<` and `>` may have been cut in two, and
    /// takes what follows for its digits. So the stop comes twice, with the end of a value between.
    mutating func noteDiscarded() {
        guard !stopBytes.isEmpty, !isTwice else { return }
        (stopBytes, isTwice) = (stopBytes + [UInt8(ascii: ">")] + stopBytes, true)
    }
}
