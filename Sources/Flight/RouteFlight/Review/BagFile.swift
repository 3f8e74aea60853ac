#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemIO
internal import Threads
package import UAVLink

/// A bag on this machine, read in chunks on a dedicated thread, since it may be larger than memory.
package struct BagFile: Sendable {
    private let path: String

    /// The bag at a path.
    package init(path: String) { self.path = path }

    /// Reads the flight in it.
    ///
    /// - Parameter onProgress: fraction read, 0 to 1; called on any thread.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` that names the file, or `cancelled`.
    package func read(
        vehicle: String? = nil, onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(LinkError) -> RecordedFlight {
        let path = path
        let stop = Stop()
        let result = await withTaskCancellationHandler {
            await DedicatedThread.run { Self.flight(path, vehicle, stop, onProgress) }
        } onCancel: {
            stop.isWanted.store(true, ordering: .relaxed)
        }
        guard let result else { throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'") }
        return try result.get()
    }

    private final class Stop: Sendable {
        let isWanted = Atomic(false)
    }

    private static func flight(
        _ path: String, _ vehicle: String?, _ stop: Stop, _ onProgress: (Double) -> Void
    ) -> Result<RecordedFlight, LinkError> {
        guard let file = fopen(path, "rb") else {
            return .failure(
                LinkError(.invalidInput, "cannot read \(path.sanitizedLine): \(SystemError.text(errno))"))
        }
        defer { fclose(file) }
        var status = stat()
        let size = fstat(fileno(file), &status) == 0 ? Double(max(1, status.st_size)) : .infinity
        var flight = RecordedFlight(vehicle: vehicle)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var done = 0.0
        do throws(LinkError) {
            while true {
                if stop.isWanted.load(ordering: .relaxed) { throw LinkError(.cancelled, "cancelled") }
                let count = fread(&buffer, 1, buffer.count, file)
                if count == 0 { break }
                try flight.feed(buffer[..<count])
                done += Double(count)
                onProgress(min(1, done / size))
            }
            guard ferror(file) == 0 else {
                throw LinkError(.invalidInput, "cannot read the whole file")
            }
            try flight.finish()
            return .success(flight)
        } catch {
            guard error.code == .invalidInput else { return .failure(error) }
            return .failure(LinkError(.invalidInput, "\(path.sanitizedLine): \(error.what)", hint: error.hint))
        }
    }
}
