internal import ReportKit
internal import UAVLink

/// Why a text is not a valid impairment.
public struct ImpairmentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line: which part, what was found, what was expected.
    public let what: String

    /// The text of ``what``.
    public var description: String { what }

    init(what: String) { self.what = what }

    /// Why a file that a condition names cannot be read.
    public init(_ what: String) { self.what = what }
}

extension Impairment {
    /// An example of the text form.
    public static let example = "delay=20ms,jitter=5ms,loss=2%,reorder=1%,duplicate=1%,rate=2mbit,blackout=2s@10s"
    /// The longest burst, packets.
    private static let longestBurst = 1000.0
    /// The queues that are accepted, bytes: one packet at least.
    private static let queues = 1500.0...1e9

    private static let competing = 1...16

    /// Parses the text form: parts as in ``example``, separated by commas, each at most once; `none` for no impairment. A part
    /// with `up:` or `down:` in front of it is of the way to the vehicle or back only.
    ///
    /// - Parameter readTrace: the bytes of the file of `trace=FILE`, or why it cannot be read; without it there is no such part.
    /// - Throws: ``ImpairmentError`` that names the part.
    public init(
        _ text: String, readTrace: ((String) throws(ImpairmentError) -> [UInt8])? = nil
    ) throws(ImpairmentError) {
        self.init()
        guard text != "none", !text.isEmpty else { return }
        var seen: Set<String> = []
        var back = Self()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2 else {
                throw ImpairmentError(what: "'\(part.sanitizedLine)' is not NAME=VALUE, as in \(Self.example)")
            }
            let ways = words[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = ways[ways.count - 1]
            let isUp = ways.count == 1 || ways[0] == "up"
            let isDown = ways.count == 1 || ways[0] == "down"
            guard isUp || isDown else {
                throw ImpairmentError(what: "'\(words[0].sanitizedLine)' begins with neither up: nor down:")
            }
            guard !isUp || seen.insert("up:\(name)").inserted, !isDown || seen.insert("down:\(name)").inserted else {
                throw ImpairmentError(what: "'\(name.sanitizedLine)' is given twice")
            }
            guard ways.count == 1 || name != "blackout" else {
                throw ImpairmentError(what: "blackout: always of both ways; leave out \(ways[0]):")
            }
            if name == "trace" {
                let trace = try Self.trace(String(words[1]), readTrace)
                if isUp { self.trace = trace }
                if isDown { back.trace = trace }
                continue
            }
            if isUp { try set(name, words[1]) }
            if isDown { try back.set(name, words[1]) }
        }
        try check()
        try back.check()
        down = back
    }

    /// Checks what belongs together.
    private func check() throws(ImpairmentError) {
        if trace != nil, bitsPerSecond != nil {
            throw ImpairmentError(what: "trace: it says the rate; leave out rate=")
        }
        if queueBytes != nil, bitsPerSecond == nil, trace == nil {
            throw ImpairmentError(what: "queue: without a rate nothing waits; give rate= or trace= too")
        }
        if competitors > 0, bitsPerSecond == nil, trace == nil {
            throw ImpairmentError(what: "load: without a bottleneck nothing competes; give rate= or trace= too")
        }
        if correlation > 0, jitter == .zero {
            throw ImpairmentError(what: "correlation: that of the jitter; give jitter= too")
        }
        guard burst > 1 else { return }
        // Within rounding: 0.9 / 0.1 is a little more than 9.
        guard loss > 0, loss < 1, burst >= loss / (1 - loss) - 1e-6 else {
            throw ImpairmentError(
                what:
                    "burst: takes a loss= from more than 0% to less than 100%, and is at least the loss for each that is not lost"
            )
        }
    }

    private mutating func set(_ name: Substring, _ value: Substring) throws(ImpairmentError) {
        switch name {
        case "delay": delay = try Self.duration(value, name)
        case "jitter": jitter = try Self.duration(value, name)
        case "loss": loss = try Self.share(value, name)
        case "burst":
            guard let number = Double(decimal: value), (1...Self.longestBurst).contains(number) else {
                throw Self.wrong(name, value, "how many packets are lost in a row on average, from 1 to 1000")
            }
            burst = (number * 1e6).rounded() / 1e6
        case "correlation":
            correlation = try Self.share(value, name)
        case "queue":
            queueBytes = try Self.bytes(value)
        case "load":
            guard let count = Int(value), Self.competing.contains(count) else {
                throw Self.wrong(name, value, "how many connections of TCP send as much as they can, from 1 to 16")
            }
            competitors = count
        case "duplicate": duplication = try Self.share(value, name)
        case "reorder": reordering = try Self.share(value, name)
        case "rate": bitsPerSecond = try Self.rate(value)
        case "blackout":
            let parts = value.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Self.wrong(name, value, "LENGTH@START, such as 2s@10s") }
            blackout = Blackout(length: try Self.duration(parts[0], name), at: try Self.duration(parts[1], name))
        default:
            throw ImpairmentError(
                what:
                    "unknown impairment '\(name.sanitizedLine)'; "
                    + "expected delay, jitter, correlation, loss, burst, reorder, duplicate, rate, trace, queue, load or blackout"
            )
        }
    }

    private static func trace(
        _ name: String, _ read: ((String) throws(ImpairmentError) -> [UInt8])?
    ) throws(ImpairmentError) -> PacketTrace {
        guard let read else {
            throw ImpairmentError(what: "trace: files are read for 'uavlink latency' and its screen only")
        }
        guard !name.isEmpty else { throw ImpairmentError(what: "trace: it takes the name of a file") }
        return try PacketTrace(name: name, try read(name))
    }

    private static func wrong(_ name: Substring, _ value: Substring, _ expected: String) -> ImpairmentError {
        ImpairmentError(what: "\(name.sanitizedLine): '\(value.sanitizedLine)' is not \(expected)")
    }

    /// Parses a time of at most a minute.
    private static func duration(_ text: Substring, _ name: Substring) throws(ImpairmentError) -> Duration {
        let expected = "a time from 0 to 60 s, such as 20ms, 500us or 2s"
        for (unit, nanoseconds) in [("ms", 1e6), ("us", 1e3), ("s", 1e9)] where text.hasSuffix(unit) {
            guard let number = Double(decimal: text.dropLast(unit.count)), (0...60e9).contains(number * nanoseconds)
            else { break }
            return .nanoseconds(Int64((number * nanoseconds).rounded()))
        }
        throw wrong(name, text, expected)
    }

    private static func share(_ text: Substring, _ name: Substring) throws(ImpairmentError) -> Double {
        guard text.hasSuffix("%"), let percent = Double(decimal: text.dropLast()), (0...100).contains(percent) else {
            throw wrong(name, text, "a percentage from 0% to 100%")
        }
        // Rounded to the precision of the text form, so that it is parsed to the same value again.
        return (percent * 1e6).rounded() / 1e6 / 100
    }

    private static func bytes(_ text: Substring) throws(ImpairmentError) -> Int {
        for (unit, factor) in [("kB", 1e3), ("MB", 1e6)] where text.hasSuffix(unit) {
            guard let number = Double(decimal: text.dropLast(2)), queues.contains(number * factor) else { break }
            return Int(saturating: (number * factor).rounded())
        }
        throw wrong("queue", text, "so much as 1.5kB to 1000MB, such as 64kB")
    }

    private static func rate(_ text: Substring) throws(ImpairmentError) -> Double {
        for (unit, factor) in [("gbit", 1e9), ("mbit", 1e6), ("kbit", 1e3)] where text.hasSuffix(unit) {
            guard let number = Double(decimal: text.dropLast(4)), (1e3...1e11).contains(number * factor) else { break }
            return (number * factor).rounded()
        }
        throw wrong("rate", text, "a rate from 1kbit to 100gbit a second, such as 2mbit")
    }

    /// Whether it impairs nothing, also where that was written in another way (`delay=0ms`).
    public var isNone: Bool { text == Self.none.text }

    /// The text form; `none` for no impairment.
    public var text: String {
        var parts = isSymmetric ? self.parts : self.parts.map { "up:" + $0 } + down.parts.map { "down:" + $0 }
        if let blackout { parts.append("blackout=\(Self.text(blackout.length))@\(Self.text(blackout.at))") }
        return parts.isEmpty ? "none" : parts.joined(separator: ",")
    }

    /// The parts of one way, without the blackout.
    private var parts: [String] {
        var parts: [String] = []
        if delay > .zero { parts.append("delay=\(Self.text(delay))") }
        if jitter > .zero { parts.append("jitter=\(Self.text(jitter))") }
        if correlation > 0 { parts.append("correlation=\(Self.text(correlation * 100))%") }
        if loss > 0 { parts.append("loss=\(Self.text(loss * 100))%") }
        if burst > 1 { parts.append("burst=\(Self.text(burst))") }
        if reordering > 0 { parts.append("reorder=\(Self.text(reordering * 100))%") }
        if duplication > 0 { parts.append("duplicate=\(Self.text(duplication * 100))%") }
        if let bitsPerSecond {
            parts.append(
                bitsPerSecond >= 1e6
                    ? "rate=\(Self.text(bitsPerSecond / 1e6))mbit" : "rate=\(Self.text(bitsPerSecond / 1e3))kbit")
        }
        if let trace { parts.append("trace=\(trace.name)") }
        if let queueBytes { parts.append("queue=\(Self.text(Double(queueBytes) / 1e3))kB") }
        if competitors > 0 { parts.append("load=\(competitors)") }
        return parts
    }

    private static func text(_ duration: Duration) -> String {
        let nanoseconds = duration.nanoseconds
        if nanoseconds.isMultiple(of: 1_000_000_000) { return "\(nanoseconds / 1_000_000_000)s" }
        if nanoseconds.isMultiple(of: 1_000_000) { return "\(nanoseconds / 1_000_000)ms" }
        return "\(text(Double(nanoseconds) / 1e3))us"
    }

    /// The shortest decimal number within a millionth.
    private static func text(_ number: Double) -> String {
        let rounded = (number * 1e6).rounded() / 1e6
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : String(rounded)
    }
}
