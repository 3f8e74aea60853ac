#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ROSMessages
internal import ROSRecordings
internal import SystemIO
internal import Threads
package import UAVLink

/// Reads recordings.
package enum FlightLogFile {
    private static let pieceBytes = 1 << 20

    /// Reads a bag, an MCAP file or the folder of a bag of ROS 2 on a dedicated thread. A truncated file is read as far as possible,
    /// see ``FlightLog/cutOff``.
    ///
    /// - Throws: ``UAVLink/LinkError`` that names the file and the position.
    package static func read(_ path: String) async throws(LinkError) -> FlightLog {
        guard let result = await DedicatedThread.run({ read(now: path) }) else {
            throw LinkError(.internalFault, "cannot create a thread to read '\(path)'", hint: "raise 'ulimit -u'")
        }
        return try result.get()
    }

    private static func read(now path: String) -> Result<FlightLog, LinkError> {
        var place = path
        do {
            var log = FlightLog()
            for file in try RecordingFolder.files(at: path) {
                place = file
                if SQLiteBag.isOne(file) {
                    let bag = try SQLiteBag(path: file)
                    while let message = try bag.next() { try add(message, to: &log) }
                    continue
                }
                let descriptor = open(file, O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else {
                    return .failure(
                        LinkError(.invalidInput, "cannot read '\(file)' (\(SystemError.text(errno)))"))
                }
                defer { close(descriptor) }
                try decode({ try piece(of: descriptor) }, into: &log)
            }
            log.sort()
            return .success(log)
        } catch {
            return .failure(LinkError(.invalidInput, "\(place): \(error)"))
        }
    }

    private static func piece(of descriptor: Int32) throws(LinkError) -> [UInt8] {
        var trouble: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, count in
            var got: Int
            repeat { got = systemRead(descriptor, buffer.baseAddress, buffer.count) } while got < 0 && errno == EINTR
            if got < 0 { trouble = errno }
            count = max(0, got)
        }
        guard trouble == 0 else { throw LinkError(.invalidInput, SystemError.text(trouble)) }
        return bytes
    }

    private static func add(_ message: RecordedMessage, to log: inout FlightLog) throws(LinkError) {
        do { try log.add(message) } catch {
            throw LinkError(.invalidInput, "a message on \(message.topic) does not match its type: \(error)")
        }
    }

    /// Decodes a recording that comes in pieces; an empty one or `nil` marks the end.
    static func decode(_ next: () throws -> [UInt8]?) throws -> FlightLog {
        var log = FlightLog()
        try decode(next, into: &log)
        log.sort()
        return log
    }

    private static func decode(_ next: () throws -> [UInt8]?, into log: inout FlightLog) throws {
        var reader = RecordingReader()
        while let piece = try next(), !piece.isEmpty {
            reader.feed(piece)
            while let message = try reader.next() { try add(message, to: &log) }
        }
        do { try reader.finish() } catch {
            guard error.code == .badBag, !log.counts.isEmpty else { throw error }
            log.cutOff = error.what
        }
        log.format = reader.format ?? log.format
        log.isWhole = log.isWhole && log.cutOff == nil && reader.isFinished
    }
}

/// The system's `read`, which is shadowed by the type's method.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
