import ProgramKit
import SSHTransport
import UAVLink
import VehicleAccess

/// Asks the user at the terminal: for secrets without echo, whether to trust a new host key, and for confirmations.
struct TerminalUser: UserPrompt {
    private let terminal: TerminalPrompt

    /// The terminal's user; `nil` when there is no terminal.
    static var ifPresent: TerminalUser? { TerminalPrompt.ofProgram.map { TerminalUser(terminal: $0) } }

    var givesSecrets: Bool { true }

    func secret(for what: String, echoes: Bool) async -> SSHSecret? {
        await terminal.ask("\(what.sanitizedLine) ", echoes: echoes) { SSHSecret($0) }
    }

    func tell(_ line: String) async { terminal.show(line.sanitizedLine + "\n") }

    func trusts(_ question: HostKeyQuestion) async -> Bool {
        await says(
            "yes", "y", "Yes", "Y", "YES",
            to: """
                The host \(question.host.sanitizedLine) is not known yet.
                Its \(question.keyType.sanitizedLine) key has the fingerprint \(question.fingerprint)
                Trust it from now on? Type yes or no: 
                """)
    }

    /// Describes what is about to happen, and asks for a word that is not typed by accident.
    func types(_ word: String, to what: String) async -> Bool {
        await says(word, to: "\(what)\nType \(word.sanitizedLine) to confirm: ")
    }

    /// Describes what is about to happen, and asks for confirmation.
    func agrees(to what: String, _ question: String) async -> Bool {
        await says("yes", "y", "Yes", "Y", "YES", to: "\(what)\n\(question) Type yes or no: ")
    }

    private func says(_ words: String..., to question: String) async -> Bool {
        await terminal.ask(question, echoes: true) { words.contains(String(decoding: $0, as: UTF8.self)) } ?? false
    }
}
