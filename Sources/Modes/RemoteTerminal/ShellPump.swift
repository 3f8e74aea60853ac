internal import Synchronization
internal import UAVLink

/// Moves bytes between a shell and its emulated terminal, off the main actor, until either ends.
///
/// ```
///   channel ──read──▶ pieces of 4 kB ──▶ terminal ──answers──▶ outbox ──write──▶ channel
///                                  ╰──▶ changes (at most one waits)      ▲
///                                                          keys, pastes ─╯
/// ```
///
/// Flow control is by the channel's window: it accepts no more than is read. At Ctrl-C megabytes are in flight, seconds
/// of scrolling that are of no use; so after Ctrl-C large chunks are skipped.
struct ShellPump: Sendable {
    let channel: any ShellChannel
    let terminal: ShellTerminal
    let outbox: ShellOutbox
    let recorder: SessionRecorder
    let changes: AsyncStream<Void>.Continuation
    let interrupt: FloodInterrupt

    /// Timeout of a read without data; the read is repeated.
    private static let quiet: Duration = .seconds(60)
    /// A shell that accepts no input for this long has stopped reading.
    private static let stuck: Duration = .seconds(10)

    /// - Returns: how the shell ended.
    /// - Throws: ``LinkError`` if the connection was lost or the task cancelled.
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
        interrupt.chunkArrived(chunk: bytes.count)
        var rest = bytes[...]
        while !rest.isEmpty {
            if interrupt.skipsChunk(rest.count) {
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

    /// An error ends it; the reader reports the cause. After a timeout it continues.
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

/// Whether Ctrl-C was pressed during a flood of output that is still arriving.
final class FloodInterrupt: Sendable {
    /// Chunks of at least this size belong to a flood; a screen full of colours is smaller.
    static let flood = 16 * 1024
    /// How much of a chunk's end is shown.
    static let kept = 2 * 1024

    private let isPressed = Atomic<Bool>(false)

    func press() { isPressed.store(true, ordering: .relaxed) }

    /// A small chunk ends the flood.
    func chunkArrived(chunk: Int) { if chunk < Self.flood { isPressed.store(false, ordering: .relaxed) } }

    func skipsChunk(_ count: Int) -> Bool { count >= Self.flood && isPressed.load(ordering: .relaxed) }

    /// Ends any unfinished escape sequence and resets colours.
    static func note(leftOut count: Int) -> [UInt8] {
        Array("\u{18}\u{1B}\\\u{1B}[0m\r\n[\(count / 1024) kB skipped]\r\n".utf8)
    }
}
