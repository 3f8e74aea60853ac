internal import Foundation

/// A terminal that a user might sit at: `tmux`, in which a program runs full-screen, at which a test types and whose screen
/// it reads.
public final class TmuxTerminal: Sendable {
    private static let tmux = "/usr/bin/tmux"

    /// Whether there is a tmux.
    public static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: tmux) }

    private let server: ChildProcess
    private let folder: TemporaryFolder
    private var socket: String { folder.path + "/tmux" }

    /// Starts a program in a terminal of that size.
    ///
    /// - Parameters:
    ///   - command: the program's whole path and its arguments.
    ///   - environment: its whole environment but for `TERM` and what tmux adds.
    public init(_ command: [String], environment: [String: String], columns: Int = 80, rows: Int = 24) async throws {
        folder = try TemporaryFolder()
        server = try ChildProcess(
            [Self.tmux, "-D", "-S", folder.path + "/tmux", "-f", "/dev/null"],
            environment: environment.merging(["SHELL": "/bin/sh"]) { _, new in new })
        let path = socket
        guard await eventually({ FileManager.default.fileExists(atPath: path) }) else {
            throw ProcessFailure("tmux does not start: \(server.errors)")
        }
        // A program that ends leaves its last screen to be read. (Its exit status not always: tmux now and then misses it.)
        // Asked again: the socket's file is there a moment before the server listens on it.
        let isUp = await eventually {
            (try? await self.run(
                ["set-option", "-g", "remain-on-exit", "on"], ["set-option", "-g", "focus-events", "on"])) != nil
        }
        guard isUp else { throw ProcessFailure("tmux does not answer: \(server.errors)") }
        try await run(
            ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "--"] + command)
    }

    /// Types keys by tmux's names: `Enter`, `F7`, `C-c`, `Space`, `w`.
    public func press(_ keys: String...) async throws { try await run(["send-keys", "--"] + keys) }

    /// Types text as it is.
    public func type(_ text: String) async throws { try await run(["send-keys", "-l", "--", text]) }

    /// The lines on the screen.
    public func screen() async throws -> [String] {
        try await run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Waits until a line of the screen contains `text`; returns the screen.
    ///
    /// - Throws: ``ProcessFailure`` with the screen when it does not come in time.
    @discardableResult
    public func sees(_ text: String, within timeout: Duration = .seconds(20)) async throws -> [String] {
        try await sees("'\(text)'", within: timeout) { $0.contains { $0.contains(text) } }
    }

    /// Waits until the screen is as `isRight` wants it; returns it.
    ///
    /// - Throws: ``ProcessFailure`` with the screen when it is not in time.
    @discardableResult
    public func sees(
        _ what: String, within timeout: Duration = .seconds(20), _ isRight: @Sendable ([String]) -> Bool
    ) async throws -> [String] {
        var patience = Patience(timeout)
        while true {
            let lines = try await screen()
            if isRight(lines) { return lines }
            guard !patience.isOver() else {
                throw ProcessFailure("the screen never showed \(what):\n" + lines.joined(separator: "\n"))
            }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    /// Gives the terminal another size.
    public func resize(columns: Int, rows: Int) async throws {
        try await run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The program's process.
    public func process() async throws -> Int32 {
        let text = try await run(["display-message", "-p", "#{pane_pid}"])
        guard let pid = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ProcessFailure("tmux tells no process: \(text)")
        }
        return pid
    }

    /// Whether the cursor is shown. Means nothing once the program has ended: tmux hides it in a pane whose program has.
    public func isCursorShown() async throws -> Bool {
        try await run(["display-message", "-p", "#{cursor_flag}"]).hasPrefix("1")
    }

    /// Whether the alternate screen is on: a full-screen program's.
    public func isAlternateScreenOn() async throws -> Bool {
        try await run(["display-message", "-p", "#{alternate_on}"]).hasPrefix("1")
    }

    /// Ends the terminal and what runs in it.
    public func stop() async {
        _ = try? await run(["kill-server"])
        await server.stop()
    }

    @discardableResult
    private func run(_ commands: [String]...) async throws -> String {
        let words = commands.joined(separator: [";"])
        let child = try ChildProcess([Self.tmux, "-S", socket] + words)
        guard try await child.exit(within: .seconds(20)) == 0 else {
            throw ProcessFailure("tmux \(words.joined(separator: " ")): \(child.errors)")
        }
        return child.output
    }
}
