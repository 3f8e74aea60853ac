/// The texts that a robot's own program understands. Those by default are of the program that the Bluno remote was made for.
public struct RobotProgram: Hashable, Sendable {
    /// The keys of the remote.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        case f1, f2, f3, f4, forward, back, left, right, stop
    }

    /// The longest text of a key or a task, bytes.
    public static let longestKey = 16
    /// The longest text that is sent at once, bytes: a tenth of a second at 115200 baud.
    public static let longestText = 1024
    /// The most tasks.
    public static let mostTasks = 32
    /// The longest name of a task, bytes.
    public static let longestName = 64
    /// The highest ``mostSpeed``: five digits.
    public static let highestSpeed = 65_535

    /// What each key sends.
    public var keys: [Key: String]
    /// The tasks, in the order of their list.
    public var tasks: [RobotTask]
    /// The highest speed, in the machine's unit; the duty cycle of an Arduino's output ends at 255.
    public var mostSpeed: Int
    /// The text of the task in which the machine obeys the keys; `nil` if it always does.
    public var remoteTask: String?
    /// The text of the task in which the machine stands, which stops it in every other task too; `nil` if there is none.
    public var stopTask: String?

    /// A program; that of the Bluno remote unless given.
    public init(
        keys: [Key: String] = Self.defaultKeys, tasks: [RobotTask] = Self.defaultTasks, mostSpeed: Int = 255,
        remoteTask: String? = "1", stopTask: String? = "0"
    ) {
        self.keys = keys
        self.tasks = tasks
        self.mostSpeed = mostSpeed
        self.remoteTask = remoteTask
        self.stopTask = stopTask
    }

    /// What the keys send by default.
    public static let defaultKeys: [Key: String] = [
        .f1: "w", .f2: "x", .f3: "y", .f4: "z", .forward: "f", .back: "b", .left: "l", .right: "r", .stop: "s",
    ]

    /// The tasks by default.
    public static let defaultTasks = [
        RobotTask(name: "Status", text: "0"), RobotTask(name: "Remote", text: "1"),
        RobotTask(name: "Patrol", text: "2"), RobotTask(name: "Follow IR", text: "3"),
        RobotTask(name: "Avoid IR", text: "4"),
    ]

    /// What a key sends.
    public func bytes(_ key: Key) -> [UInt8] { Array((keys[key] ?? Self.defaultKeys[key] ?? "").utf8) }

    /// What is sent to drive in a direction.
    public func bytes(_ direction: RobotDirection) -> [UInt8] {
        switch direction {
        case .forward: bytes(Key.forward)
        case .back: bytes(Key.back)
        case .left: bytes(Key.left)
        case .right: bytes(Key.right)
        }
    }

    /// What is sent for a speed, which is limited to what the machine has: `<128>`.
    public func bytes(speed: Int) -> [UInt8] { Array("<\(limited(speed))>".utf8) }

    /// A speed within what the machine has.
    public func limited(_ speed: Int) -> Int { min(max(speed, 0), max(mostSpeed, 0)) }

    /// The task with that text, by its name in the list.
    public func task(_ text: String) -> RobotTask {
        tasks.first { $0.text == text } ?? RobotTask(name: text, text: text)
    }

    /// Why a text cannot be one of a key or a task; `nil` if it can.
    public static func problem(text: String) -> String? {
        if text.isEmpty { return "is empty" }
        if text.utf8.count > longestKey { return "has more than \(longestKey) bytes" }
        if !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            return "has a character that is not printable ASCII"
        }
        return nil
    }

    /// Why a task cannot be kept; `nil` if it can.
    public static func problem(_ task: RobotTask) -> String? {
        if task.name.isEmpty { return "the task has no name" }
        if task.name.utf8.count > longestName { return "the task's name has more than \(longestName) bytes" }
        if task.name != task.name.sanitizedLine { return "the task's name has a control character" }
        return problem(text: task.text).map { "the task's text \($0)" }
    }
}
