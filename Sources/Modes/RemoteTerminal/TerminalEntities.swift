public import TerminalEmulation

/// The two forms of the terminal.
public enum TerminalForm: Hashable, Sendable {
    /// A shell in an emulated terminal.
    case shell
    /// An input line with its output below.
    case simple
}

/// The state of a shell's connection.
public enum ShellConnection: Hashable, Sendable {
    /// Being opened.
    case connecting
    /// Open.
    case open
    /// The shell has ended.
    case ended(ProgramEnding)
    /// The connection failed or was lost, with the reason in one line.
    case lost(String)
}

/// A search in the scrollback.
public struct ScrollbackSearch: Hashable, Sendable {
    /// The text to find.
    public var text = ""
    /// The line number of the newest match.
    public var line: Int?
    /// Whether there was no match.
    public var failed = false

    /// Creates an empty search.
    public init() {}
}

/// A search in the command history.
public struct HistorySearch: Hashable, Sendable {
    /// The text to find.
    public var text = ""
    /// The matching line; `nil` if there is none.
    public var line: String?

    /// Creates an empty search.
    public init() {}
}

/// The state of the shell's form.
public struct ShellFormState: Hashable, Sendable {
    /// The state of the connection.
    public var connection = ShellConnection.connecting
    /// The lines in view and the cursor.
    public var picture = TerminalSnapshot()
    /// The modes that the program has set.
    public var modes = TerminalModes()
    /// Whether the bell was rung since the last key.
    public var rings = false
    /// The search, while active.
    public var search: ScrollbackSearch?
    /// The number of lines of a paste that waits for confirmation.
    public var pasteLines: Int?

    /// Starts with a shell that is being opened.
    public init() {}
}

/// The state of the simple form.
public struct SimpleFormState: Hashable, Sendable {
    /// The output, the newest last.
    public var lines: [OutputLine] = []
    /// Whether the oldest lines were dropped.
    public var isCut = false
    /// How many lines the view is scrolled up.
    public var linesBelow = 0
    /// Whether a command is running.
    public var isRunning = false
    /// Replaces the text of the input field whenever the number changes.
    public var field = Field(number: 0, text: "")
    /// The search, while active.
    public var search: HistorySearch?

    /// Text for the field.
    public struct Field: Hashable, Sendable {
        /// Increases with each change.
        public var number: Int
        /// The text.
        public var text: String

        /// Creates a text for the field.
        public init(number: Int, text: String) {
            self.number = number
            self.text = text
        }
    }

    /// Starts without output.
    public init() {}
}

/// The state of the terminal's screen.
public struct TerminalScreenState: Hashable, Sendable {
    /// The visible form.
    public var form = TerminalForm.shell
    /// Where the shell runs.
    public var place = ""
    /// The shell's form.
    public var shell = ShellFormState()
    /// The simple form.
    public var simple = SimpleFormState()

    /// The initial state.
    public init() {}
}

/// The user's intents in the terminal.
public enum TerminalIntent: Hashable, Sendable {
    /// The size of the terminal has changed.
    case resize(TerminalSize)
    /// A key for the program.
    case key(TerminalKey)
    /// Paste text.
    case paste(String)
    /// A mouse event.
    case mouse(TerminalMouse)
    /// Scroll by lines, up (positive) or down; in either form.
    case scroll(Int)
    /// Scroll by pages.
    case scrollPages(Int)
    /// Switch to the other form.
    case switchForm
    /// Start or end a search.
    case toggleSearch
    /// Search for this text.
    case search(String)
    /// Go to the next match, up or down.
    case searchNext(upwards: Bool)
    /// The answer to the paste confirmation.
    case confirmPaste(Bool)
    /// Save the log to a file.
    case saveLog
    /// Leave the terminal.
    case leave
    /// Run a line in the simple form.
    case run(String)
    /// Ctrl-C in the simple form.
    case interrupt
    /// Go to an older (-1) or newer (1) line of the history, from this text in the field.
    case history(Int, from: String)
    /// Search the history for this text; `nil` cancels.
    case historySearch(String?)
    /// Go to an older match.
    case historySearchOlder
    /// Accept the line that was found.
    case historySearchAccept
}
