/// A link to a machine that is driven by text: single characters for directions, tasks that its own program carries out, and any
/// text. There is no acknowledgement: what was sent was given to the transport, and nothing says that the machine acted on it.
///
/// None of these calls waits. A direction that is held ends by itself when it is not held again in time, and motion does not resume
/// by itself: after a loss, or after a hold that ran out, it has to be released first.
public protocol RobotLink: UAVLink {
    /// The texts that the machine's own program understands.
    var program: RobotProgram { get }
    /// What the link knows of the machine now.
    var robot: RobotState { get }
    /// The radio, if the board is chosen among those in range; `nil` on a cable.
    var radio: (any RobotRadio)? { get }
    /// The newest lines of the log after that number, oldest first; at most ``RobotLogLine/most``.
    func log(after number: UInt64) -> [RobotLogLine]
    /// Calls `body` after each change of ``robot`` or of the log, on the link's thread, which it must not block.
    func observeRobot(_ body: @escaping @Sendable () -> Void) -> Observation

    /// Drives in a direction; to be called again within ``RobotState/longestHold``, or the machine is stopped.
    ///
    /// - Parameter speed: 0 to ``RobotProgram/mostSpeed``, in the machine's own unit; beyond it is limited.
    /// - Returns: whether it drives; `false` if it must be released first.
    /// - Throws: ``LinkError`` if nothing can be sent.
    @discardableResult
    func hold(_ direction: RobotDirection, speed: Int) throws(LinkError) -> Bool
    /// Ends a direction that is held: the machine stops. Nothing is sent if none was held.
    func release()
    /// Stops the machine, whatever it does; drops what waits to be sent. It overtakes everything.
    func stop() throws(LinkError)
    /// Sends the speed alone.
    func send(speed: Int) throws(LinkError)
    /// Starts a task of the machine's own program.
    func start(_ task: RobotTask) throws(LinkError)
    /// Sends bytes as they are.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` for none, or more than ``RobotProgram/longestText``.
    func send(_ bytes: [UInt8]) throws(LinkError)
}

/// A direction that a robot is driven to while it is held.
public enum RobotDirection: UInt8, Hashable, Sendable, CaseIterable {
    case forward, back, left, right
}

/// A task of a robot's own program: a name for people, and the text that starts it.
public struct RobotTask: Hashable, Sendable {
    /// What people call it.
    public var name: String
    /// What is sent.
    public var text: String

    /// A task.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// What the link knows of a robot.
public struct RobotState: Hashable, Sendable {
    /// How far the connection is.
    public enum Phase: Hashable, Sendable {
        /// Not connected yet, or closed.
        case closed
        /// The transport is open, and the board may still be starting.
        case starting
        /// Something can be sent.
        case ready
        /// It was connected, and is tried again; why it was lost.
        case lost(String)
    }

    /// The longest time from one hold to the next: some four of the front end's frames, so that one late frame stops nothing.
    public static let longestHold: Duration = .milliseconds(400)

    /// How far the connection is.
    public var phase = Phase.closed
    /// The task that was started last on this connection; `nil` if none was.
    public var task: RobotTask?
    /// The direction that is driven to; `nil` if none is.
    public var direction: RobotDirection?
    /// The last speed that was sent on this connection.
    public var speed: Int?
    /// The newest line that the robot has sent, with its time. Untrusted text.
    public var lastLine: Sample<String>?
    /// The bytes that wait to be sent.
    public var waitingBytes = 0

    /// A robot of which nothing is known.
    public init() {}
}

/// A line of a robot's log.
public struct RobotLogLine: Hashable, Sendable {
    /// What it tells.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Bytes that were sent.
        case sent
        /// Bytes that have come.
        case received
        /// What became of the connection.
        case status
    }

    /// The most lines that are kept.
    public static let most = 500

    /// Counts the lines, from 1.
    public var number: UInt64
    /// When.
    public var at: MonotonicTime
    /// What it tells.
    public var kind: Kind
    /// The bytes, or the words in UTF-8. Untrusted.
    public var bytes: [UInt8]

    /// A line.
    public init(number: UInt64, at: MonotonicTime, kind: Kind, bytes: [UInt8]) {
        self.number = number
        self.at = at
        self.kind = kind
        self.bytes = bytes
    }

    /// The bytes as text: UTF-8, what is none replaced. Untrusted.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
