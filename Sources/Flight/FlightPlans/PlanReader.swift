internal import Tello
internal import UAVLink

/// Reads the file of a flight plan: one command a line as the drone's own protocol writes it, and some that are the plan's.
///
/// ```
/// # a square                     comments begin with # or //
/// ceiling 200                    the drone stays below 2 m; floor 40: above 0.4 m
/// pad m1 200 0                   mission pad 1 lies 2 m ahead of the take-off, 0 m to the left
/// takeoff
/// forward 100                    centimetres
/// cw 90                          degrees
/// wait 2.5                       seconds
/// land
/// ```
package enum PlanReader {
    /// The largest file, bytes.
    package static let mostBytes = 256 * 1024
    /// The most problems that are listed.
    package static let mostProblems = 50
    /// Fewer lines without a command are mistakes in a plan; so many, and more than those with one, are another file. So are fewer
    /// of a text, with no command at all.
    package static let mostLinesWithoutCommand = 5
    /// The longest word that is quoted in a problem.
    private static let longestWord = 24

    /// Reads a file. Lines with a problem are left out of the plan; a file that is no flight plan is one problem and an empty
    /// plan.
    package static func read(_ bytes: some Collection<UInt8>) -> (plan: FlightPlan, problems: [PlanProblem]) {
        var plan = FlightPlan()
        guard bytes.count <= mostBytes else {
            return (plan, [.noPlan("the file has more than \(mostBytes) bytes")])
        }
        guard !bytes.contains(0) else { return (plan, [.noPlan("it is not ASCII text, it has NUL bytes")]) }
        var problems: [PlanProblem] = []
        /// Lines by whether they begin with a command, and the first one that does not.
        var (known, unknown, first) = (0, 0, 0)
        /// How many of the latter are words of a text: several, and none of them a number.
        var prose = 0
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard plan.steps.count < FlightPlan.mostSteps else {
                problems = Array(problems.prefix(mostProblems - 1))
                problems.append(
                    PlanProblem(line: index + 1, "a plan has no more than \(FlightPlan.mostSteps) commands"))
                break
            }
            do throws(PlanProblem) {
                if try take(line, number: index + 1, into: &plan) { known += 1 }
            } catch {
                if error.kind == .noCommand {
                    if unknown == 0 { first = index + 1 }
                    unknown += 1
                    if Self.isProse(line) { prose += 1 }
                } else {
                    known += 1
                }
                if problems.count < mostProblems { problems.append(error) }
            }
        }
        let isText = known == 0 && unknown > 1 && prose == unknown
        if isText || (unknown >= mostLinesWithoutCommand && unknown > known) {
            let what = "\(unknown) of its \(unknown + known) lines begin with no command, the first is line \(first)"
            return (FlightPlan(), [.noPlan(what)])
        }
        if plan.floor >= plan.ceiling, problems.count < mostProblems {
            problems.append(
                PlanProblem(
                    line: nil, "the floor of \(plan.floor) cm is not below the ceiling of \(plan.ceiling) cm"))
        }
        return (plan, problems)
    }

    private static func isProse(_ line: some Collection<UInt8>) -> Bool {
        line.split(separator: UInt8(ascii: " ")).count > 2
            && !line.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// - Returns: whether there is more in the line than a comment.
    private static func take(
        _ bytes: some Collection<UInt8>, number: Int, into plan: inout FlightPlan
    ) throws(PlanProblem) -> Bool {
        var content = Array(bytes)
        if content.last == 0x0D { content.removeLast() }
        // A mark at the beginning of the file that some editors write.
        if number == 1, content.starts(with: [0xEF, 0xBB, 0xBF]) { content.removeFirst(3) }
        let end = content.indices.first { index in
            content[index] == UInt8(ascii: "#")
                || content[index] == UInt8(ascii: "/") && content.dropFirst(index + 1).first == UInt8(ascii: "/")
        }
        content = Array(content[..<(end ?? content.endIndex)])
        guard content.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
            throw PlanProblem(
                line: number, "characters other than ASCII are for comments only, which begin with #", kind: .noCommand)
        }
        let words = content.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 })
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        guard let name = words.first else { return false }
        var reader = LineReader(name: name, words: Array(words.dropFirst()), line: number)
        switch name {
        case "floor": plan.floor = try reader.number(in: FlightPlan.heights, "the height", "cm")
        case "ceiling": plan.ceiling = try reader.number(in: FlightPlan.heights, "the height", "cm")
        case "pad":
            let pad = try reader.pad()
            guard pad.number > 0 else { throw PlanProblem(line: number, "'\(pad.text)' is no pad that has one place") }
            plan.pads[pad.number] = .init(x: try reader.integer(), y: try reader.integer())
        case "wait":
            plan.steps.append(.init(.wait(seconds: try reader.seconds()), line: number))
        default: plan.steps.append(.init(.send(try command(&reader)), line: number))
        }
        try reader.finish()
        return true
    }

    private static func command(_ reader: inout LineReader) throws(PlanProblem) -> TelloCommand {
        if let direction = TelloCommand.Direction(rawValue: reader.name) {
            return .move(direction, centimetres: try reader.integer())
        }
        switch reader.name {
        case "takeoff": return .takeoff
        case "land": return .land
        case "stop": return .stop
        case "cw": return .turn(clockwise: true, degrees: try reader.integer())
        case "ccw": return .turn(clockwise: false, degrees: try reader.integer())
        case "speed": return .speed(try reader.integer())
        case "mon": return .padDetection(true)
        case "moff": return .padDetection(false)
        case "mdirection": return .padDirection(try reader.integer())
        case "setfps": return .setting(.frameRate(try reader.frameRate()))
        case "setbitrate": return .setting(.bitrate(try reader.integer()))
        case "setresolution": return .setting(.resolution(isHigh: try reader.choice("high", or: "low")))
        case "downvision": return .setting(.downwardCamera(try reader.choice("1", or: "0")))
        case "ext":
            try reader.light()
            return .setting(
                .light(red: try reader.integer(), green: try reader.integer(), blue: try reader.integer()))
        case "flip": return .flip(try reader.side())
        case "go":
            let (point, speed) = (try reader.point(), try reader.integer())
            guard !reader.isAtEnd else { return .go(x: point.x, y: point.y, z: point.z, speed: speed) }
            return .goOverPad(point, speed: speed, pad: try reader.pad())
        case "curve":
            let arc = TelloArc(through: try reader.point(), end: try reader.point())
            let speed = try reader.integer()
            return .curve(arc, speed: speed, pad: reader.isAtEnd ? nil : try reader.pad())
        case "jump":
            let (point, speed, yaw) = (try reader.point(), try reader.integer(), try reader.integer())
            return .jump(point, speed: speed, yaw: yaw, from: try reader.pad(), to: try reader.pad())
        case "emergency", "rc", "command", "streamon", "streamoff":
            throw PlanProblem(line: reader.line, "'\(reader.name)' is not for plans")
        default:
            throw PlanProblem(
                line: reader.line,
                "unknown command '\(quoted(reader.name))'; known are takeoff, land, up, down, left, right, forward, back, cw, "
                    + "ccw, go, curve, flip, jump, stop, speed, mon, moff, mdirection, setfps, setbitrate, setresolution, "
                    + "downvision, EXT led, wait, floor, ceiling, pad",
                kind: .noCommand)
        }
    }

    static func quoted(_ word: String) -> String {
        word.utf8.count <= longestWord ? word : String(word.prefix(longestWord)) + "..."
    }
}

/// The words of one line.
private struct LineReader {
    let name: String
    let words: [String]
    let line: Int
    private var next = 0

    init(name: String, words: [String], line: Int) {
        self.name = name
        self.words = words
        self.line = line
    }

    var isAtEnd: Bool { next >= words.count }

    private mutating func word(_ what: String) throws(PlanProblem) -> String {
        guard next < words.count else { throw PlanProblem(line: line, "'\(name)' lacks \(what)") }
        defer { next += 1 }
        return words[next]
    }

    private func wrong(_ word: String, _ what: String) -> PlanProblem {
        PlanProblem(line: line, "'\(PlanReader.quoted(word))' is no \(what)")
    }

    mutating func integer() throws(PlanProblem) -> Int {
        let word = try word("a number")
        // No range of the protocol has more digits.
        guard word.utf8.count <= 6, let number = Int(word) else { throw wrong(word, "whole number of up to 5 digits") }
        return number
    }

    mutating func number(in range: ClosedRange<Int>, _ what: String, _ unit: String) throws(PlanProblem) -> Int {
        let number = try integer()
        guard range.contains(number) else {
            throw PlanProblem(
                line: line, "\(what) of \(number) \(unit) is outside \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func seconds() throws(PlanProblem) -> Double {
        let word = try word("seconds")
        let isNumber = word.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard word.utf8.count <= 8, isNumber, let seconds = Double(word) else { throw wrong(word, "number of seconds") }
        guard FlightPlan.waits.contains(seconds) else {
            throw PlanProblem(line: line, "a wait of \(word) s is outside 0.1 to 600")
        }
        return seconds
    }

    mutating func point() throws(PlanProblem) -> TelloPoint { TelloPoint(try integer(), try integer(), try integer()) }

    mutating func pad() throws(PlanProblem) -> TelloPad {
        let word = try word("a mission pad: m1 to m8")
        guard let pad = TelloPad(word) else { throw wrong(word, "mission pad; they are m1 to m8") }
        return pad
    }

    mutating func side() throws(PlanProblem) -> TelloCommand.Flip {
        let word = try word("a side: l, r, f, b")
        guard let side = TelloCommand.Flip(rawValue: word) else { throw wrong(word, "side; they are l, r, f and b") }
        return side
    }

    mutating func frameRate() throws(PlanProblem) -> TelloCommand.Setting.FrameRate {
        let word = try word("a rate: high, middle, low")
        guard let rate = TelloCommand.Setting.FrameRate(rawValue: word) else {
            throw wrong(word, "rate; they are high, middle and low")
        }
        return rate
    }

    /// - Returns: whether it is the first one of the two words.
    mutating func choice(_ first: String, or second: String) throws(PlanProblem) -> Bool {
        let word = try word("\(first) or \(second)")
        guard word == first || word == second else { throw wrong(word, "setting; they are \(first) and \(second)") }
        return word == first
    }

    /// Of what goes through to the expansion only its light is for plans.
    mutating func light() throws(PlanProblem) {
        let word = try word("'led' and a colour")
        guard word == "led" else { throw wrong(word, "part of the expansion that a plan can use; only 'led' is") }
    }

    func finish() throws(PlanProblem) {
        guard isAtEnd else {
            throw PlanProblem(line: line, "'\(PlanReader.quoted(words[next]))' is too much for '\(name)'")
        }
    }
}
