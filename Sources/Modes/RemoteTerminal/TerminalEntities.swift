public import TerminalEmulation

/// The two forms of the terminal.
public enum TerminalForm: Hashable, Sendable {
    /// A shell in a terminal of its own.
    case shell
    /// A line of input, its output below.
    case simple
}

/// Whether a shell is there.
public enum ShellConnection: Hashable, Sendable {
    /// It is being opened.
    case connecting
    /// It is there.
    case open
    /// It has ended.
    case ended(ProgramEnding)
    /// The connection failed or was lost: why, in one line.
    case lost(String)
}

/// A search in what has scrolled by.
public struct ScrollbackSearch: Hashable, Sendable {
    /// What is looked for.
    public var text = ""
    /// The number of the line where it was found last.
    public var line: Int?
    /// Whether nothing was found.
    public var failed = false

    /// Nothing looked for yet.
    public init() {}
}

/// A search in the history of commands.
public struct HistorySearch: Hashable, Sendable {
    /// What is looked for.
    public var text = ""
    /// The line found; `nil` when there is none.
    public var line: String?

    /// Nothing looked for yet.
    public init() {}
}

/// What the shell's form shows.
public struct ShellFormState: Hashable, Sendable {
    /// Whether a shell is there.
    public var connection = ShellConnection.connecting
    /// The lines in view and the cursor.
    public var picture = TerminalPicture()
    /// What the program has asked for.
    public var modes = TerminalModes()
    /// Whether it has rung the bell since the last key.
    public var rings = false
    /// A search under way.
    public var search: ScrollbackSearch?
    /// How many lines wait to be pasted until the person agrees.
    public var pasteLines: Int?

    /// A shell that is being opened.
    public init() {}
}

/// What the simple form shows.
public struct SimpleFormState: Hashable, Sendable {
    /// The output, the newest last.
    public var lines: [OutputLine] = []
    /// Whether the oldest of it was left out.
    public var isCut = false
    /// How many lines the view is above the newest.
    public var linesBelow = 0
    /// Whether a command runs.
    public var isRunning = false
    /// What is to stand in the field from now on; a new number says that it changed.
    public var field = Field(number: 0, text: "")
    /// A search under way.
    public var search: HistorySearch?

    /// Text for the field.
    public struct Field: Hashable, Sendable {
        /// Goes up with each change.
        public var number: Int
        /// The text.
        public var text: String

        /// Text for the field.
        public init(number: Int, text: String) {
            self.number = number
            self.text = text
        }
    }

    /// No output.
    public init() {}
}

/// What the terminal's screen shows.
public struct TerminalScreenState: Hashable, Sendable {
    /// Which form is in front.
    public var form = TerminalForm.shell
    /// Where the shell is.
    public var place = ""
    /// The shell's form.
    public var shell = ShellFormState()
    /// The simple form.
    public var simple = SimpleFormState()

    /// At the beginning.
    public init() {}
}

/// What the person did in the terminal.
public enum TerminalIntent: Hashable, Sendable {
    /// Gave the terminal this much room.
    case resize(TerminalSize)
    /// Pressed a key that is for the program.
    case key(TerminalKey)
    /// Pasted text.
    case paste(String)
    /// Did something with the mouse.
    case mouse(TerminalMouse)
    /// Scrolled so many lines up (positive) or down; in either form.
    case scroll(Int)
    /// Scrolled so many pages.
    case scrollPages(Int)
    /// Went to the other form.
    case switchForm
    /// Began to look for something, or gave that up.
    case toggleSearch
    /// Looks for this text.
    case search(String)
    /// Goes on to the next place up or down.
    case searchNext(upwards: Bool)
    /// Answered whether to paste.
    case answerPaste(Bool)
    /// Wants the log in a file.
    case saveLog
    /// Leaves.
    case leave
    /// Sent a line in the simple form.
    case run(String)
    /// Pressed Ctrl-C in the simple form.
    case interrupt
    /// Goes to an older (-1) or newer (1) line of the history, with this text in the field.
    case history(Int, from: String)
    /// Looks in the history for this text; `nil` gives up.
    case historySearch(String?)
    /// Goes on to an older line that matches.
    case historySearchOlder
    /// Takes the line that was found.
    case historySearchTake
}
