import Foundation
import ProgramKit
import SSHTransport
import Threads
import UAVLink
import VehicleAccess

/// Reading from a terminal blocks, so it is done on threads of our own.
///
/// The person at the terminal: is asked for secrets without echo, and whether to trust a new host key.
struct TerminalPerson: PersonAtHand {
    /// The person, when there is a terminal to ask at.
    static var ifPresent: TerminalPerson? {
        isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal ? TerminalPerson() : nil
    }

    func secret(for what: String) async -> SSHSecret? {
        await OwnThread.run { () -> SSHSecret? in
            var before = termios()
            guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
            defer {
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
                StandardStream.error.write("\n")
            }
            StandardStream.error.write("\(what.harmlessLine): ")
            return readLine().map { SSHSecret($0) }
        } ?? nil
    }

    func trusts(_ question: HostKeyQuestion) async -> Bool {
        await OwnThread.run {
            StandardStream.error.write(
                """
                The host \(question.host.harmlessLine) is not known yet.
                Its \(question.keyType.harmlessLine) key has the fingerprint \(question.fingerprint)
                Trust it from now on? Type yes or no: 
                """)
            return readLine() == "yes"
        } ?? false
    }

    /// Says what is about to happen, and asks.
    func agrees(to what: String, _ question: String) async -> Bool {
        await OwnThread.run {
            StandardStream.error.write("\(what)\n\(question) Type yes or no: ")
            return readLine() == "yes"
        } ?? false
    }
}
