internal import MRS
internal import UAVLink

/// One command in a shell that reads its script from its input: the line that runs it, and its part of what the shell writes.
///
/// ```
///   ground ──▶ { begin; script; end status; }         one compound command: a part of it, cut off anywhere, is a syntax
///                                                     error, and runs nothing
///   shell  ──▶ ...noise... BEGIN  output  END status  on standard output; on standard error the same, without the status
/// ```
///
/// The markers are random and new for each command, so that nothing can print them that was written before. What is written
/// outside of them belongs to no command: a greeting of a start-up file, or a program that was left running.
struct WarmShellLines: Sendable {
    /// Where a command runs.
    enum Place: Sendable {
        /// In the shell itself, which it may change: its set-up.
        case shell
        /// In a subshell, without input: it changes nothing for the next command, and `exit` ends it alone.
        case subshell
        /// In a subshell whose input ends when the shell's own ends, or after the command with ``release``. It is that which
        /// ends a program on the vehicle when the channel is closed.
        case subshellUntilClosed
    }

    /// The line after a command of ``Place/subshellUntilClosed``, which must be sent before the next command.
    static let release: [UInt8] = [UInt8(ascii: "\n")]

    /// Undoes what a set-up may have left for itself, and what would end the shell or write to its outputs: options such as
    /// `set -e`, traps, the timeout of bash's prompt. Not every shell knows each trap; a variable may be read-only.
    static let calm = """
        set +eufvx; trap - EXIT HUP INT QUIT PIPE TERM; command trap - DEBUG ERR RETURN 2>/dev/null; \
        (unset TMOUT) 2>/dev/null && unset TMOUT; :
        """

    /// The line that runs the command.
    let line: [UInt8]
    private let limit: Int
    private let end: EndMarker
    private var output: MarkedOutput
    private var errors: MarkedOutput
    private var status: Int32??

    /// - Parameters:
    ///   - script: a script of POSIX `sh`.
    ///   - limit: the most bytes of both outputs together.
    init(
        running script: String, in place: Place, limit: Int, begin: EndMarker = EndMarker("begin"),
        end: EndMarker = EndMarker()
    ) {
        self.limit = limit
        self.end = end
        (output, errors) = (MarkedOutput(begin, end), MarkedOutput(begin, end))
        let begins = #"printf '%s\n' \#(begin.text); printf '%s\n' \#(begin.text) >&2"#
        let ends = #"printf '%s %d\n' \#(end.text) $?; printf '%s\n' \#(end.text) >&2"#
        let script = RemoteShell.word(script)
        let runs =
            switch place {
            // With its outputs redirected, so that `exec >...` in it lasts no longer than itself.
            case .shell: "{ eval \(script); } </dev/null >&2; \(ends)"
            case .subshell: "(eval \(script)) </dev/null; \(ends)"
            // A program of its own waits for the end of the input: 'read' of bash would end after TMOUT, which may be
            // read-only here. It reads byte by byte, so that it takes no part of the next command.
            case .subshellUntilClosed: "sh -c 'unset TMOUT; read -r line' | { (eval \(script)); \(ends); }"
            }
        line = Array("{ \(begins); \(runs); }\n".utf8)
    }

    /// Takes what the shell has written.
    ///
    /// - Throws: ``LinkError`` with `remoteFailed` when it is more than the limit.
    mutating func take(_ chunk: SSHChunk) throws(LinkError) {
        switch chunk.stream {
        case .output: output.take(chunk.bytes)
        case .error: errors.take(chunk.bytes)
        }
        if status == nil, let position = output.end { status = end.status(in: output.bytes, at: position) }
        guard output.bytes.count + errors.bytes.count <= limit + 4 * end.bytes.count else {
            throw LinkError(.remoteFailed, "the command wrote more than \(limit) bytes")
        }
    }

    /// Whether the shell has begun to run the command.
    var hasBegun: Bool { output.hasBegun }

    /// The result, once the command has ended.
    var result: SSHCommandResult? {
        guard let status, let outputEnd = output.end, let errorsEnd = errors.end else { return nil }
        return SSHCommandResult(
            exitStatus: status, exitSignal: nil, standardOutput: Array(output.bytes[..<outputEnd]),
            standardError: Array(errors.bytes[..<errorsEnd]))
    }
}

/// One output of a shell, from the line that marks a command's begin.
private struct MarkedOutput: Sendable {
    private let beginMarker: EndMarker
    private let endMarker: EndMarker
    private var searched = 0
    /// What was written since the begin, or all of it until then.
    private(set) var bytes: [UInt8] = []
    private(set) var hasBegun = false
    /// Where the marker of the end is.
    private(set) var end: Int?

    init(_ begin: EndMarker, _ end: EndMarker) { (beginMarker, endMarker) = (begin, end) }

    mutating func take(_ new: [UInt8]) {
        bytes += new
        if !hasBegun {
            // Its line may not be complete yet.
            guard let begin = beginMarker.find(in: bytes, searched: &searched),
                bytes.count > begin + beginMarker.bytes.count
            else { return }
            bytes.removeFirst(begin + beginMarker.bytes.count + 1)
            (hasBegun, searched) = (true, 0)
        }
        end = end ?? endMarker.find(in: bytes, searched: &searched)
    }
}
