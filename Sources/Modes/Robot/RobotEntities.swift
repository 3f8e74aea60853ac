package import ModeKit
package import UAVLink

/// The four parts of the mode.
package enum RobotTab: Int, Hashable, Sendable, CaseIterable {
    case connection, tasks, control, console

    /// Its name on the screen.
    package var title: String {
        switch self {
        case .connection: "Connection"
        case .tasks: "Tasks"
        case .control: "Control"
        case .console: "Console"
        }
    }
}

/// A key of the remote that sends its text once.
package enum RobotFunction: Int, Hashable, Sendable, CaseIterable {
    case f1 = 1
    case f2, f3, f4

    /// The key of the robot's program.
    package var key: RobotProgram.Key {
        switch self {
        case .f1: .f1
        case .f2: .f2
        case .f3: .f3
        case .f4: .f4
        }
    }
}

/// What a prompt of the mode asks for.
package enum RobotPrompt: PromptKind { case task }

/// The user's intents.
package enum RobotIntent: DialogIntent, Hashable, Sendable {
    /// The next part (1), or the one before (-1).
    case turn(Int)
    case leave
    /// Stop the robot, whatever it does.
    case stop

    // Driving.
    case press(RobotDirection)
    case repeats(RobotDirection)
    case release(RobotDirection)
    /// Another key was pressed: the keyboard stops repeating the held one.
    case otherKey
    case lostFocus
    case function(RobotFunction)
    /// Faster or slower, by steps of a sixteenth of the highest speed.
    case speed(Int)
    /// Keyboard only, or a game controller too.
    case toggleController

    // The radio.
    case scan
    /// End the scan; without one, leave the board.
    case endScan
    case moveBoard(Int)
    case choose

    // Tasks.
    case moveSelection(Int)
    case start
    case moveTask(Int)
    /// Delete the selected task, after confirmation.
    case delete
    /// Ask for a new task.
    case askTask
    /// Put the list of the configuration file in place of this one, after confirmation.
    case restoreTasks

    // Questions.
    case answer(String)
    case cancelPrompt
    case confirm
    case decline

    // The console.
    case send(String)
    case toggleHex
    case scroll(Int)
    case save
}

/// A line of the console as it is shown.
package struct RobotConsoleLine: Hashable, Sendable {
    /// Seconds since the first line.
    package var time: String
    package var kind: RobotLogLine.Kind
    package var text: String

    package init(time: String, kind: RobotLogLine.Kind, text: String) {
        self.time = time
        self.kind = kind
        self.text = text
    }
}

/// How well the connection is.
package enum RobotIndicator: Hashable, Sendable { case off, searching, starting, ready, lost }

/// The radio as it is shown.
package struct RobotRadioView: Hashable, Sendable {
    package var isScanning = false
    /// What it does, or why it does not.
    package var words = ""
    /// The boards in range: their addresses, and what is known of them.
    package var boards: [KeyHelp] = []
    package var selected = 0

    package init() {}
}

/// What the screen shows: head, the open part, and the questions over it.
package struct RobotScreenState: Hashable, Sendable {
    package var tab = RobotTab.control
    /// Why the mode has nothing to drive; `nil` if it has.
    package var obstacle: String?
    package var indicator = RobotIndicator.off
    package var connection = ""
    /// Facts of the connection: label and value.
    package var facts: [KeyHelp] = []
    /// The radio; `nil` where there is nothing to choose from.
    package var radio: RobotRadioView?
    package var tasks: [RobotTask] = []
    package var selected = 0
    /// The index of the task that was started last.
    package var active: Int?
    package var currentTask: String?
    package var direction: RobotDirection?
    package var speed = 0
    package var mostSpeed = 255
    package var keyTexts: [RobotProgram.Key: String] = [:]
    package var lastLine: String?
    package var controller: String?
    package var isHex = false
    package var lines: [RobotConsoleLine] = []
    /// How many lines back from the newest.
    package var scrolled = 0
    /// How many lines of the console were sent: one that was refused stays, to be corrected.
    package var sentLines = 0
    /// The open prompt.
    package var prompt: Prompt<RobotPrompt>?
    /// The confirmation that is waited for.
    package var confirmation: ConfirmationRequest?

    package init() {}
}

/// Keeps what the user has set while the mode is closed.
@MainActor
package final class RobotStore {
    var tab = RobotTab.control
    /// The tasks of each vehicle that were changed, by its number.
    var tasks: [Int: [RobotTask]] = [:]
    var speeds: [Int: Int] = [:]
    var isHex = false

    package init() {}
}
