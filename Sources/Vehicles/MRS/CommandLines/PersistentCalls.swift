internal import MRSMessages
internal import ReportKit
internal import ROSMessages
public import UAVLink

/// What the latency laboratory says to a `rospy` process that stays on the vehicle, and what that answers: one line in, one line
/// out. A base line for SSH without the start of a program for each call; nothing is flown over it.
///
/// ```
///   N call SERVICE TYPE REQUEST       ─▶  N = INSIDE SERVICE RESPONSE    or  N ! INSIDE SERVICE REASON
///   N steer TOPIC TYPE MESSAGE        ─▶  N > INSIDE 0 SEQ               the seq that rospy gave the message
///   N open TOPIC TYPE                 ─▶  N + INSIDE 0 SUBSCRIBERS
///   N cost                            ─▶  N % 0 0 PROCESSOR_TIME
/// ```
/// Requests, responses and reasons are bytes in hexadecimal. Times are nanoseconds of the vehicle's clock: `INSIDE` from the line read
/// to the line written, `SERVICE` the part of it in which ROS was waited for.
public struct PersistentCalls: Sendable {
    /// The most bytes of a line from the process.
    public static let longestLine = 64 * 1024

    private let names: VehicleNames

    /// For a vehicle with these names.
    public init(names: VehicleNames) { self.names = names }

    /// Calls a service.
    public func call(_ call: ServiceCall, number: Int) -> [UInt8] {
        line(number, "call", names.name(of: call.service), call.type.name, Self.hex(call.message.serialised))
    }

    /// Publishes a setpoint on the topic that the other links publish on.
    ///
    /// - Throws: ``LinkError`` with `invalidInput` as ``VelocitySetpoint/validate()``.
    public func steer(_ setpoint: VelocitySetpoint, number: Int) throws(LinkError) -> [UInt8] {
        try setpoint.validate()
        let message = MRSMsgs.VelocityReferenceStamped(setpoint)
        return line(number, "steer", topic, MRSMsgs.VelocityReferenceStamped.typeName, Self.hex(message.serialised))
    }

    /// Advertises the topic of setpoints and waits for a subscriber, for up to five seconds.
    public func open(number: Int) -> [UInt8] {
        line(number, "open", topic, MRSMsgs.VelocityReferenceStamped.typeName)
    }

    /// Asks for the processor time of the process.
    public func cost(number: Int) -> [UInt8] { line(number, "cost") }

    private var topic: String { names.name(of: .velocityReference) }

    private func line(_ number: Int, _ words: String...) -> [UInt8] {
        Array("\(number) \(words.joined(separator: " "))\n".utf8)
    }

    /// A line from the process.
    public struct Answer: Hashable, Sendable {
        /// What it says.
        public enum Content: Hashable, Sendable {
            /// The bytes of a service's response.
            case response([UInt8])
            /// Why there is none; from outside.
            case failure(String)
            /// The `seq` of the message that was published.
            case published(UInt32)
            /// How many subscribers the topic has.
            case subscribers(Int)
            /// The processor time of the process, nanoseconds.
            case processorTime(Int64)
        }

        /// The number of the line that it answers.
        public let number: Int
        /// What it says.
        public let content: Content
        /// From the line read to the line written, nanoseconds.
        public let insideNanoseconds: Int64
        /// The part of it in which the service was waited for, nanoseconds.
        public let serviceNanoseconds: Int64

        /// No time is longer, nanoseconds: eleven days.
        private static let longest: Int64 = 1_000_000_000_000_000

        /// Parses a line without its end; `nil` if it is none of the process.
        public init?(line: some StringProtocol) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 5, let number = Int(words[0]), let inside = Int64(words[2]),
                let service = Int64(words[3]), (0...Self.longest).contains(inside), (0...inside).contains(service)
            else { return nil }
            let content: Content? =
                switch words[1] {
                case "=": PersistentCalls.bytes(words[4]).map(Content.response)
                case "!":
                    PersistentCalls.bytes(words[4]).map { .failure(String(decoding: $0, as: UTF8.self).sanitizedLine) }
                case ">": UInt32(words[4]).map(Content.published)
                case "+": Int(words[4]).map(Content.subscribers)
                case "%": Int64(words[4]).flatMap { (0...Self.longest).contains($0) ? .processorTime($0) : nil }
                default: nil
                }
            guard let content else { return nil }
            self.number = number
            self.content = content
            (insideNanoseconds, serviceNanoseconds) = (inside, service)
        }
    }

    static func hex(_ bytes: [UInt8]) -> String {
        // Never empty: a word is expected.
        guard !bytes.isEmpty else { return "-" }
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        if text == "-" { return [] }
        let digits = text.utf8.map { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension ROSCommandLines {
    /// Starts Python with a program that it reads from its standard input first; the lines of ``PersistentCalls`` follow. It
    /// ends with its input. The Python is that of `rosservice`, which need not be the first on `PATH`.
    public func persistentProcess() -> RemoteCommand {
        let lines = [
            #"uavlink_python=$(head -n 1 "$(command -v rosservice)" | sed -n 's/^#! *//p')"#,
            "exec ${uavlink_python:-python3} -u -c 'import sys; exec(sys.stdin.read(int(sys.stdin.readline())))'",
        ]
        return RemoteCommand(script: script(lines.joined(separator: "\n")), input: .untilClosed)
    }
}
