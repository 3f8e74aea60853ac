import CommandLineKit
import ReportKit
import Synchronization
import SystemIO
import SystemKit
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `uavlink video`
enum VideoCommand: Subcommand {
    static let output = Argument.requiredOption("out", .path, help: "the file to write; it must not exist")
    static let duration = Argument.option(
        "for", .duration(in: .seconds(1) ... .seconds(7200)), default: .seconds(60), defaultText: "60s",
        help: "how long, such as 30s")
    static let megabytes = Argument.option(
        "max", ValueKind<Int>.integer(in: 1...100_000), default: 1000, defaultText: "1000",
        help: "end at this size, megabytes")

    static let spec = CommandSpec(
        "video", summary: "record the video of a machine that sends one, as it comes",
        discussion: """
            A DJI Tello sends H.264 (Annex B), about 250 kB a second, an AR.Drone 2 about half of that; ffplay, mpv and VLC show
            the file. It begins with the first picture that can be decoded. Ctrl-C ends it, and the file is kept. Recording keeps
            no Tello in the air: fly it from another terminal. An AR.Drone obeys one program only, and hovers while this one
            records.
            """,
        arguments: [output, duration, megabytes],
        examples: [
            .init("uavlink --link tello://192.168.10.1 video --out flight.h264 --for 2m", "two minutes"),
            .init("uavlink --link ardrone://192.168.1.1 video --out room.h264", "one minute"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let path = FilePath.absolute(try arguments[output])
        let (howLong, most) = (try arguments[duration], UInt64(clamping: try arguments[megabytes]) * 1_000_000)
        return try await session.withLink { _ in
            guard let machine = session.connector.machineLink as? any MachineVideo else {
                throw CommandFailure(
                    "\(session.connector.target) sends no video over this link",
                    hint: "a Tello does (tello://192.168.10.1), and an AR.Drone 2 (ardrone://192.168.1.1)", code: .usage
                )
            }
            let file = try VideoFile(path)
            let line = ProgressLine("video", session.console)
            defer { line.end() }
            let seconds = max(howLong.inSeconds, 1)
            let progress: VideoProgress
            do throws(LinkError) {
                progress = try await machine.receiveVideo(for: howLong) { piece, progress in
                    guard file.write(piece) else { return false }
                    line.onProgress(
                        max(progress.duration.inSeconds / seconds, Double(progress.bytes) / Double(most)))
                    return progress.bytes < most
                }
            } catch {
                file.removeIfEmpty()
                throw error
            }
            line.end()
            file.removeIfEmpty()
            guard progress.bytes > 0 || file.failure != nil else {
                throw CommandFailure("ended before the first picture came: nothing was kept", code: .interrupted)
            }
            if let reason = file.failure {
                throw CommandFailure("cannot write \(path): \(reason)", code: .unwritten)
            }
            let took = progress.duration.inSeconds
            session.console.result([
                "ok": true, "file": .string(path), "bytes": .number(Double(progress.bytes)),
                "frames": .number(Double(progress.frames)), "duration_s": .number(took),
            ])
            session.console.result(
                "\(session.connector.target): \(progress.frames) frames in \(took.formatted(decimals: 1)) s, "
                    + "\((Double(progress.bytes) / 1e6).formatted(decimals: 1)) MB, in \(path)")
            return .done
        }
    }
}

/// A new file that is written piece by piece, by one thread.
private final class VideoFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let state = Mutex((isEmpty: true, failure: Int32(0)))

    /// - Throws: ``CommandFailure`` if it exists or cannot be created.
    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let number = errno
            throw CommandFailure(
                "cannot create \(path): \(SystemError.text(number))",
                hint: number == EEXIST ? "name another file, or remove that one" : nil, code: .usage)
        }
    }

    deinit { close(descriptor) }

    /// Why it could not be written; `nil` if it could.
    var failure: String? {
        let number = state.withLock { $0.failure }
        return number == 0 ? nil : SystemError.text(number)
    }

    /// - Returns: whether all of it was written.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        let number = bytes.withUnsafeBytes { buffer -> Int32 in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : ENOSPC }
                rest = rest.dropFirst(count)
            }
            return 0
        }
        state.withLock { $0 = (false, number) }
        return number == 0
    }

    func removeIfEmpty() {
        if state.withLock({ $0.isEmpty }) { unlink(path) }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
