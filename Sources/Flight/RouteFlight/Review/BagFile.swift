#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ROSMessages
internal import ROSRecordings
internal import Synchronization
internal import SystemIO
internal import Threads
package import UAVLink

/// A bag, an MCAP file or the folder of a bag of ROS 2 on this machine, read in chunks on a dedicated thread, since it may be larger than memory.
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
        let files: [String]
        do throws(ROSError) { files = try RecordingFolder.files(at: path) } catch {
            return .failure(LinkError(.invalidInput, "\(path.sanitizedLine): \(error.what)", hint: error.hint))
        }
        let size = max(1, files.reduce(0) { $0 + bytes(of: $1) })
        var flight = RecordedFlight(vehicle: vehicle)
        var done = 0.0
        var place = path
        do throws(LinkError) {
            for (index, file) in files.enumerated() {
                place = file
                if index > 0 { flight.beginNextFile() }
                try feed(file, to: &flight, stop) { count in
                    done += count
                    onProgress(min(1, done / size))
                }
            }
            try flight.finish()
            return .success(flight)
        } catch {
            guard error.code == .invalidInput else { return .failure(error) }
            return .failure(LinkError(.invalidInput, "\(place.sanitizedLine): \(error.what)", hint: error.hint))
        }
    }

    private static func bytes(of path: String) -> Double {
        var status = stat()
        return stat(path, &status) == 0 ? Double(status.st_size) : 0
    }

    private static func feed(
        _ path: String, to flight: inout RecordedFlight, _ stop: Stop, _ onBytes: (Double) -> Void
    ) throws(LinkError) {
        if SQLiteBag.isOne(path) { return try add(path, to: &flight, stop, onBytes) }
        guard let file = fopen(path, "rb") else {
            throw LinkError(.invalidInput, "cannot read it: \(SystemError.text(errno))")
        }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            if stop.isWanted.load(ordering: .relaxed) { throw LinkError(.cancelled, "cancelled") }
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            try flight.feed(buffer[..<count])
            onBytes(Double(count))
        }
        guard ferror(file) == 0 else { throw LinkError(.invalidInput, "cannot read the whole file") }
    }

    private static func add(
        _ path: String, to flight: inout RecordedFlight, _ stop: Stop, _ onBytes: (Double) -> Void
    ) throws(LinkError) {
        do throws(ROSError) {
            let bag = try SQLiteBag(path: path)
            while let message = try bag.next() {
                if stop.isWanted.load(ordering: .relaxed) { break }
                do throws(LinkError) { try flight.add(message) } catch { throw ROSError(.badBag, error.what) }
            }
        } catch { throw LinkError(.invalidInput, error.what, hint: error.hint) }
        if stop.isWanted.load(ordering: .relaxed) { throw LinkError(.cancelled, "cancelled") }
        onBytes(bytes(of: path))
    }
}
