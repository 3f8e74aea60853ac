internal import ReportKit
internal import UAVLink

/// Why a text is not a valid impairment.
public struct ImpairmentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line: which part, what was found, what was expected.
    public let what: String

    /// The text of ``what``.
    public var description: String { what }
}

extension Impairment {
    /// An example of the text form.
    public static let example = "delay=20ms,jitter=5ms,loss=2%,reorder=1%,duplicate=1%,rate=2mbit,blackout=2s@10s"

    /// Parses the text form: parts as in ``example``, separated by commas, each at most once; `none` for no impairment.
    ///
    /// - Throws: ``ImpairmentError`` that names the part.
    public init(_ text: String) throws(ImpairmentError) {
        self.init()
        guard text != "none", !text.isEmpty else { return }
        var seen: Set<Substring> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2 else {
                throw ImpairmentError(what: "'\(part.sanitizedLine)' is not NAME=VALUE, as in \(Self.example)")
            }
            guard seen.insert(words[0]).inserted else {
                throw ImpairmentError(what: "'\(words[0].sanitizedLine)' is given twice")
            }
            try set(words[0], words[1])
        }
    }

    private mutating func set(_ name: Substring, _ value: Substring) throws(ImpairmentError) {
        switch name {
        case "delay": delay = try Self.duration(value, name)
        case "jitter": jitter = try Self.duration(value, name)
        case "loss": loss = try Self.share(value, name)
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
                    + "expected delay, jitter, loss, reorder, duplicate, rate or blackout"
            )
        }
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
        var parts: [String] = []
        if delay > .zero { parts.append("delay=\(Self.text(delay))") }
        if jitter > .zero { parts.append("jitter=\(Self.text(jitter))") }
        if loss > 0 { parts.append("loss=\(Self.text(loss * 100))%") }
        if reordering > 0 { parts.append("reorder=\(Self.text(reordering * 100))%") }
        if duplication > 0 { parts.append("duplicate=\(Self.text(duplication * 100))%") }
        if let bitsPerSecond {
            parts.append(
                bitsPerSecond >= 1e6
                    ? "rate=\(Self.text(bitsPerSecond / 1e6))mbit" : "rate=\(Self.text(bitsPerSecond / 1e3))kbit")
        }
        if let blackout { parts.append("blackout=\(Self.text(blackout.length))@\(Self.text(blackout.at))") }
        return parts.isEmpty ? "none" : parts.joined(separator: ",")
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
