#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import CLibSSH2

/// The libssh2 callback for keyboard-interactive authentication.
enum KeyboardInteractive {
    /// Most prompts handled in one request; further ones stay unanswered and authentication fails.
    private static let maxPrompts = 32

    /// The callback: converts prompts to Swift values, and answers to memory that libssh2 frees.
    static let answer:
        @convention(c) (
            UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, Int32, Int32,
            UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Void = { name, nameLength, instruction, instructionLength, count, prompts, responses, abstract in
            guard let session = LibSSH2Session.owner(abstract), let responder = session.promptResponder else { return }
            let known = prompts.map { UnsafeBufferPointer(start: $0, count: min(Int(count), maxPrompts)) }
            let request = SSHPromptRequest(
                name: text(name, nameLength), instruction: text(instruction, instructionLength),
                prompts: known?.map { prompt in
                    SSHPromptRequest.Prompt(
                        text: text(UnsafePointer(prompt.text), Int32(clamping: prompt.length)), echoes: prompt.echo != 0
                    )
                } ?? [])
            let answers = responder(request)
            guard let responses else { return }
            for (index, answer) in answers.prefix(request.prompts.count).enumerated() {
                answer.withCString { bytes, length in
                    guard let copy = malloc(length + 1) else { return }
                    copy.copyMemory(from: bytes, byteCount: length + 1)
                    responses[index].text = copy.assumingMemoryBound(to: CChar.self)
                    responses[index].length = UInt32(clamping: length)
                }
            }
        }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int32) -> String {
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(Int(length), 4096)), as: UTF8.self)
    }
}
