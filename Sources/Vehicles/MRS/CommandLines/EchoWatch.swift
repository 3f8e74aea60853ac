internal import ROSPrograms
internal import TextSearch
public import UAVLink

/// Watches one topic's `rostopic echo`: why no message comes, and how long to wait before it is started again.
///
/// The reasons are read from what it writes to standard error, as worded in rostopic 1.15 and 1.16, and in `ros2 topic` of Jazzy.
public struct EchoWatch: Sendable {
    /// How long rostopic may run without a message: it takes a second to start, more on a busy computer, and the topics that are
    /// printed come at least once a second.
    public static let longestSilence: Duration = .seconds(10)
    /// How much of the end of standard error is kept, bytes: the reason stands there, also after a Python traceback.
    static let maximumBytes = 4096
    /// The delays before it is started again: after the first end without a message, the second, and so on; then always the last.
    private static let pauses: [Duration] = [1, 2, 4, 8].map { .seconds($0) }

    private let name: String
    private let ros: ROSVersion
    private var errors: [UInt8] = []
    /// When it was started, or the last message came; `nil` while it does not run.
    private var waitsSince: MonotonicTime?
    /// How often it has ended since the last message.
    private var ends = 0
    /// Why it has ended, or waits.
    private var known: LinkError?
    /// Whether that is the reason of one before, which this one may not have.
    private var isOld = false

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - name: the topic's full name, `/uav1/mrs_uav_status/uav_status` for example.
    ///   - ros: the ROS whose program it is.
    public init(name: String, ros: ROSVersion = .one) { (self.name, self.ros) = (name, ros) }

    /// The program that prints it.
    private var program: String { ros.isTwo ? "ros2 topic" : "rostopic" }

    /// `rostopic` was started. The reason for which the one before ended holds until this one shows another, or has run for
    /// ``longestSilence``.
    public mutating func began(at now: MonotonicTime) {
        errors = []
        (waitsSince, isOld) = (now, true)
    }

    /// It wrote to standard error.
    public mutating func printed(errors bytes: [UInt8]) {
        errors = Array((errors.suffix(Self.maximumBytes) + bytes).suffix(Self.maximumBytes))
        if let reason = reason(text) { (known, isOld) = (reason, false) }
    }

    /// A message came.
    public mutating func messageCame(at now: MonotonicTime) {
        // What was printed before it, as that the topic is not published yet, is over.
        errors = []
        (waitsSince, ends, known) = (now, 0, nil)
    }

    /// It could not be started: no environment of ROS, no channel.
    public mutating func failed(_ error: LinkError) {
        (known, isOld) = (error, false)
        waitsSince = nil
        ends += 1
    }

    /// It has ended, with this status if it was not a signal.
    public mutating func ended(status: Int?) {
        waitsSince = nil
        ends += 1
        (known, isOld) = (end(text, status: status), false)
    }

    /// What it has written to standard error since it began, or since the last message.
    public var errorBytes: [UInt8] { errors }

    /// How long to wait before it is started again.
    public var pause: Duration { Self.pauses[min(max(ends, 1), Self.pauses.count) - 1] }

    /// Why no message comes; `nil` if one came within ``longestSilence``, or if it has not run for so long.
    public func fault(now: MonotonicTime) -> LinkError? {
        guard let waitsSince, now - waitsSince > Self.longestSilence, known == nil || isOld else { return known }
        return LinkError(
            .timedOut, "no messages on \(name): the node that published it may have ended",
            hint: "'\(program) info \(name)' on the vehicle names it")
    }

    private var text: String { String(decoding: errors, as: UTF8.self) }

    /// The reason that a text on standard error names; `nil` if it names none.
    private func reason(_ text: String) -> LinkError? {
        let reachesNone = ["Unable to communicate with master", "Network communication failed", "nvalid master URI"]
            .contains { text.includes($0) }
        if reachesNone { return ros.unreachable }
        if let rest = text.rest(after: "Cannot load message class for [") {
            let type = String(rest.prefix { $0 != "]" && !$0.isNewline }.prefix(80))
            return LinkError(
                .typeMismatch, "\(program) on the vehicle does not know the message type \(type) of \(name)",
                hint: "the profile's 'setup' must source the workspace that holds it")
        }
        if text.includes("The passed message type is invalid") {
            return LinkError(
                .typeMismatch, "ros2 on the vehicle does not know the type of the messages of \(name)",
                hint: "the profile's 'setup' must source the workspace that holds it")
        }
        if text.includes("md5sum") {
            return LinkError(
                .typeMismatch, "\(program) and the flight stack use different versions of the type of \(name)",
                hint: "the profile's 'setup' must source the workspace that the flight stack runs from")
        }
        if text.includes("does not appear to be published yet") {
            return LinkError(
                .serviceMissing, "no node on the vehicle publishes \(name)",
                hint: "is the flight stack running, and is the vehicle's name right?")
        }
        if text.includes("simulated time is active") {
            return LinkError(
                .timedOut, "no messages on \(name), and the vehicle runs on simulated time",
                hint: "does the simulator publish /clock?")
        }
        // Last: a router may have come later, and then it is something else.
        return text.includes(ProgramFailure.missingRouter) ? ros.unreachable : nil
    }

    /// Why rostopic has ended. It does so by itself only after an error, or when its session does.
    private func end(_ text: String, status: Int?) -> LinkError {
        if status == 127 {
            return LinkError(
                .remoteFailed, "\(ros.isTwo ? "ros2" : program) was not found on the vehicle",
                hint: "set the profile's 'setup', for example: source /opt/ros/\(ros.release)/setup.bash")
        }
        if let reason = reason(text) { return reason }
        let last = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
        let printed = last.map { ": " + $0.prefix(200) } ?? ""
        let how = status.map { "with status \($0)" } ?? "by a signal"
        return LinkError(.remoteFailed, "\(program) for \(name) ended \(how)\(printed)")
    }
}
