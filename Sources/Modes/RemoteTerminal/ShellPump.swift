internal import Synchronization
internal import UAVLink

/// Moves bytes between a shell and its emulated terminal, away from the main actor, until either ends.
///
/// ```
///   channel ──read──▶ pieces of 4 kB ──▶ terminal ──answers──▶ outbox ──write──▶ channel
///                                  ╰──▶ changes (at most one waits)      ▲
///                                                          keys, pastes ─╯
/// ```
///
/// A reader that is slower than the flood holds it up: the channel takes no more than its window. What is on its way at
/// Ctrl-C is megabytes, seconds of scrolling that nobody wants to see; so after Ctrl-C whole chunks of it are left out.
struct ShellPump: Sendable {
    let channel: any ShellChannel
    let terminal: ShellTerminal
    let outbox: ShellOutbox
    let recorder: SessionRecorder
    let changes: AsyncStream<Void>.Continuation
    let interrupt: FloodInterrupt

    /// Nothing happens at these times; the waits just begin anew.
    private static let quiet: Duration = .seconds(60)
    /// A shell that takes no key for so long has stopped reading.
    private static let stuck: Duration = .seconds(10)

    /// - Returns: how the shell ended.
    /// - Throws: ``LinkError`` when the connection was lost or the task cancelled.
    @concurrent
    func run() async throws(LinkError) -> ProgramEnding? {
        let writing = Task { await write() }
        defer {
            writing.cancel()
            outbox.close()
            channel.close()
        }
        let result: Result<ProgramEnding?, LinkError> = await withTaskCancellationHandler {
            do throws(LinkError) { return .success(try await read()) } catch { return .failure(error) }
        } onCancel: {
            channel.close()
        }
        return try result.get()
    }

    private func read() async throws(LinkError) -> ProgramEnding? {
        while true {
            do throws(LinkError) {
                guard let bytes = try await channel.read(within: Self.quiet) else { return channel.ending }
                take(bytes)
            } catch  where error.code == .timedOut {
                continue
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        recorder.received(bytes)
        interrupt.hasCaughtUp(chunk: bytes.count)
        var rest = bytes[...]
        while !rest.isEmpty {
            if interrupt.leavesOut(rest.count) {
                let end = rest.suffix(FloodInterrupt.kept)
                answer(terminal.feed(FloodInterrupt.note(leftOut: rest.count - end.count)[...]))
                rest = end
            }
            answer(terminal.feed(rest.prefix(ShellTerminal.piece)))
            rest = rest.dropFirst(ShellTerminal.piece)
            changes.yield()
        }
    }

    private func answer(_ bytes: [UInt8]) { outbox.put(bytes, limit: ShellOutbox.mostAnswers) }

    /// Errors end it: the reader learns why. A shell that takes nothing for a while may do so again.
    private func write() async {
        await outbox.drain { bytes in
            do throws(LinkError) {
                try await channel.write(bytes, within: Self.stuck)
                return true
            } catch {
                return error.code == .timedOut
            }
        }
    }
}

/// Whether Ctrl-C was pressed during a flood of output that is still coming.
final class FloodInterrupt: Sendable {
    /// A chunk of this size or more belongs to a flood; a screenful of colours has less.
    static let flood = 16 * 1024
    /// So much of the end is shown.
    static let kept = 2 * 1024

    private let isPressed = Atomic<Bool>(false)

    func press() { isPressed.store(true, ordering: .relaxed) }

    /// A small chunk is the end of the flood.
    func hasCaughtUp(chunk: Int) { if chunk < Self.flood { isPressed.store(false, ordering: .relaxed) } }

    func leavesOut(_ count: Int) -> Bool { count >= Self.flood && isPressed.load(ordering: .relaxed) }

    /// Whatever sequence was under way is ended, and colours are off.
    static func note(leftOut count: Int) -> [UInt8] {
        Array("\u{18}\u{1B}\\\u{1B}[0m\r\n[\(count / 1024) kB left out]\r\n".utf8)
    }
}
