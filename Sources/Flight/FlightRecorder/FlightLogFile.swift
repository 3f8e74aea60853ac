#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ROSMessages
internal import ROSBag
internal import SystemIO
internal import Threads
package import UAVLink

/// Reads recordings.
package enum FlightLogFile {
    private static let pieceBytes = 1 << 20

    /// Reads a bag on a dedicated thread. A truncated bag is read as far as possible, see ``FlightLog/cutOff``.
    ///
    /// - Throws: ``UAVLink/LinkError`` that names the file and the position.
    package static func read(_ path: String) async throws(LinkError) -> FlightLog {
        guard let result = await DedicatedThread.run({ read(now: path) }) else {
            throw LinkError(.internalFault, "cannot create a thread to read '\(path)'", hint: "raise 'ulimit -u'")
        }
        return try result.get()
    }

    private static func read(now path: String) -> Result<FlightLog, LinkError> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return .failure(
                LinkError(.invalidInput, "cannot read '\(path)' (\(SystemError.text(errno)))"))
        }
        defer { close(descriptor) }
        do {
            return .success(try decode { try piece(of: descriptor) })
        } catch {
            return .failure(LinkError(.invalidInput, "\(path): \(error)"))
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

    /// Decodes a bag that comes in pieces; an empty one or `nil` marks the end.
    static func decode(_ next: () throws -> [UInt8]?) throws -> FlightLog {
        var reader = ROSBagReader()
        var log = FlightLog()
        while let piece = try next(), !piece.isEmpty {
            reader.feed(piece)
            while let message = try reader.next() {
                do {
                    try log.add(message)
                } catch {
                    let topic = message.connection.topic
                    throw LinkError(.invalidInput, "a message on \(topic) does not match its type: \(error)")
                }
            }
        }
        do { try reader.finish() } catch {
            guard error.code == .badBag, !log.counts.isEmpty else { throw error }
            log.cutOff = error.what
        }
        log.sort()
        log.isWhole = log.cutOff == nil && reader.hasIndex != false
        return log
    }
}

/// The system's `read`, which is shadowed by the type's method.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
