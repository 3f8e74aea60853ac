package import TerminalEmulation

/// The two forms of the terminal.
package enum TerminalForm: Hashable, Sendable {
    /// A shell in an emulated terminal.
    case shell
    /// An input line with its output below.
    case simple
}

/// The state of a shell's connection.
package enum ShellConnection: Hashable, Sendable {
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
package struct ScrollbackSearch: Hashable, Sendable {
    /// The text to find.
    package var text = ""
    /// The line number of the newest match.
    package var line: Int?
    /// Whether there was no match.
    package var failed = false

    package init() {}
}

/// A search in the command history.
package struct HistorySearch: Hashable, Sendable {
    /// The text to find.
    package var text = ""
    /// The matching line; `nil` if there is none.
    package var line: String?

    package init() {}
}

/// The state of the shell's form.
package struct ShellFormState: Hashable, Sendable {
    /// The state of the connection.
    package var connection = ShellConnection.connecting
    /// The lines in view and the cursor.
    package var picture = TerminalSnapshot()
    /// The modes that the program has set.
    package var modes = TerminalModes()
    /// Whether the bell was rung since the last key.
    package var rings = false
    /// The search, while active.
    package var search: ScrollbackSearch?
    /// The number of lines of a paste that waits for confirmation.
    package var pasteLines: Int?

    /// Starts with a shell that is being opened.
    package init() {}
}

/// The state of the simple form.
package struct SimpleFormState: Hashable, Sendable {
    /// The output, the newest last.
    package var lines: [OutputLine] = []
    /// Whether the oldest lines were dropped.
    package var isCut = false
    /// How many lines the view is scrolled up.
    package var linesBelow = 0
    /// Whether a command is running.
    package var isRunning = false
    /// Replaces the text of the input field whenever the number changes.
    package var field = Field(number: 0, text: "")
    /// The search, while active.
    package var search: HistorySearch?

    /// Text for the field.
    package struct Field: Hashable, Sendable {
        /// Increases with each change.
        package var number: Int
        package var text: String

        /// Creates a text for the field.
        package init(number: Int, text: String) {
            self.number = number
            self.text = text
        }
    }

    /// Starts without output.
    package init() {}
}

/// The state of the terminal's screen.
package struct TerminalScreenState: Hashable, Sendable {
    /// The visible form.
    package var form = TerminalForm.shell
    /// Where the shell runs.
    package var place = ""
    /// The shell's form.
    package var shell = ShellFormState()
    package var simple = SimpleFormState()

    package init() {}
}

/// The user's intents in the terminal.
package enum TerminalIntent: Hashable, Sendable {
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
