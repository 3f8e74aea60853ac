import ProgramKit
import SSHTransport
import Threads
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Asks the user at the terminal: for secrets without echo, and whether to trust a new host key.
///
/// Reading from a terminal blocks, so it runs on dedicated threads.
struct TerminalUser: UserPrompt {
    /// The terminal's user; `nil` when there is no terminal.
    static var ifPresent: TerminalUser? {
        isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal ? TerminalUser() : nil
    }

    func secret(for what: String) async -> SSHSecret? {
        await DedicatedThread.run { () -> SSHSecret? in
            var before = termios()
            guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
            defer {
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
                StandardStream.error.write("\n")
            }
            StandardStream.error.write("\(what.sanitizedLine): ")
            return readLine().map { SSHSecret($0) }
        } ?? nil
    }

    func trusts(_ question: HostKeyQuestion) async -> Bool {
        await DedicatedThread.run {
            StandardStream.error.write(
                """
                The host \(question.host.sanitizedLine) is not known yet.
                Its \(question.keyType.sanitizedLine) key has the fingerprint \(question.fingerprint)
                Trust it from now on? Type yes or no: 
                """)
            return readLine() == "yes"
        } ?? false
    }

    /// Describes what is about to happen, and asks for a word that is not typed by accident.
    func types(_ word: String, to what: String) async -> Bool {
        await DedicatedThread.run {
            StandardStream.error.write("\(what)\nType \(word.sanitizedLine) to confirm: ")
            return readLine() == word
        } ?? false
    }

    /// Describes what is about to happen, and asks for confirmation.
    func agrees(to what: String, _ question: String) async -> Bool {
        await DedicatedThread.run {
            StandardStream.error.write("\(what)\n\(question) Type yes or no: ")
            return readLine() == "yes"
        } ?? false
    }
}
