extension ROSEnvironment {
    /// The longest answer that is parsed, bytes; a vehicle's has some thousand.
    public static let longestAnswer = 64 * 1024
    /// The line before the answer; what a start-up file printed comes before it.
    static let answerMark = "uavlink-environment 1"
    /// The most lines of one kind that are kept.
    private static let mostLines = 32
    /// Linux has no larger process IDs: `PID_MAX_LIMIT` of linux/threads.h.
    private static let largestProcess = 1 << 22

    /// The answer of ``EnvironmentSearch``; `nil` if it is incomplete or something else.
    ///
    /// It is a line for each fact: a keyword, a space, and the rest. Unknown keywords are ignored.
    public init?(answer: [UInt8]) {
        guard answer.count <= Self.longestAnswer else { return nil }
        let lines = answer.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        guard lines.last == "end", let mark = lines.lastIndex(of: Self.answerMark) else { return nil }
        self.init(.missing)
        var hasSource = false
        for line in lines[(mark + 1)...].dropLast() {
            // What has others cannot be used as it is, or acts on a terminal.
            guard line.unicodeScalars.allSatisfy(Self.isPlain) else { continue }
            let (keyword, rest) = Self.parts(line, at: " ")
            guard keyword == "found" else {
                take(keyword, rest)
                continue
            }
            let (kind, place) = Self.parts(rest, at: " ")
            guard !hasSource, let source = Source(rawValue: kind), source != .profile else { return nil }
            hasSource = true
            self.source = source
            self.place = place
        }
        guard hasSource else { return nil }
    }

    /// Takes over the ROS masters from the answer of ``ROSCommandLines/masters()``; nothing if it is incomplete or something else.
    public mutating func takeMasters(fromAnswer answer: [UInt8]) {
        guard answer.count <= Self.longestAnswer else { return }
        let lines = answer.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        guard lines.last == "end", let mark = lines.lastIndex(of: Self.answerMark) else { return }
        for line in lines[(mark + 1)...].dropLast() where line.unicodeScalars.allSatisfy(Self.isPlain) {
            let (keyword, rest) = Self.parts(line, at: " ")
            if ["master", "uses"].contains(keyword) { take(keyword, rest) }
        }
    }

    /// Whether it is no control character, line separator, or replacement for bytes that are not UTF-8.
    private static func isPlain(_ character: Unicode.Scalar) -> Bool {
        let value = character.value
        return value >= 0x20 && !(0x7F...0x9F).contains(value) && ![0x2028, 0x2029, 0xFFFD].contains(value)
    }

    private mutating func take(_ keyword: String, _ rest: String) {
        switch keyword {
        case "file": if rest.hasPrefix("/"), files.count < Self.mostLines { files.append(rest) }
        case "process":
            if let number = Int(rest), (1...Self.largestProcess).contains(number) { process = number }
        case "distribution": distribution = rest
        case "types": knowsMessages = true
        case "master": if masters.count < Self.mostLines, !masters.contains(rest) { masters.append(rest) }
        case "uses": if !rest.isEmpty { usedMaster = rest }
        case "named": isMasterNamed = true
        case "looked": if searched.count < Self.mostLines { searched.append(rest) }
        case "note": if notes.count < Self.mostLines { notes.append(rest) }
        case "set":
            let (name, value) = Self.parts(rest, at: "=")
            guard Self.variableNames.contains(name), !variables.contains(where: { $0.name == name }) else { return }
            variables.append(Variable(name, value))
        default: break
        }
    }

    /// What is before and after the first such character; all and nothing without one.
    private static func parts(_ text: String, at separator: Character) -> (String, String) {
        guard let place = text.firstIndex(of: separator) else { return (text, "") }
        return (String(text[..<place]), String(text[text.index(after: place)...]))
    }
}
