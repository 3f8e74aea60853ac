#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
package import FlightControl
internal import ReportKit
internal import SystemIO
internal import Threads
internal import UAVLink

/// Saves logs: `uavlink-terminal-DATE.log` in a folder, readable by its user only, never overwriting a file.
package struct SessionLogFile: Sendable {
    private let folder: String

    /// Creates a log writer for a folder; the default is the current one.
    package init(folder: String = ".") { self.folder = folder }

    /// Saves a log under the date of `seconds` since 1970.
    ///
    /// - Returns: a notice with the file's name, or the error.
    package func save(_ log: SessionLog, place: String, at seconds: Double) async -> Notice {
        let folder = folder
        return await DedicatedThread.run { () -> Notice in
            let text = log.text(place: place, time: { Self.time($0, "%Y-%m-%d %H:%M:%S", milliseconds: true) })
            let stem = "uavlink-terminal-\(Self.time(seconds, "%Y%m%d-%H%M%S", milliseconds: false))"
            for number in 1...99 {
                let name = number == 1 ? "\(stem).log" : "\(stem)-\(number).log"
                let path = folder == "." ? name : "\(folder)/\(name)"
                switch PrivateFile.create(path, Array(text.utf8)) {
                case nil: return Notice(.success, "session log saved to \(path)")
                case EEXIST: continue
                case .some(let code):
                    return Notice(.error, "cannot write \(path): \(SystemError.text(code))")
                }
            }
            return Notice(.error, "cannot save the log: 99 logs with this timestamp exist")
        } ?? Notice(.error, "cannot save the log: cannot create a thread; raise 'ulimit -u'")
    }

    /// An instant in local time.
    static func time(_ seconds: Double, _ format: String, milliseconds: Bool) -> String {
        var whole = time_t(seconds)
        var parts = tm()
        localtime_r(&whole, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        let text = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard milliseconds else { return text }
        let thousandths = Int(saturating: (seconds - seconds.rounded(.down)) * 1000)
        return text + "." + String("\(1000 + thousandths)".dropFirst())
    }

    /// The current time in seconds since 1970.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
