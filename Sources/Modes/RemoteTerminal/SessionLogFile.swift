#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import FlightControl
internal import ReportKit
internal import Threads
internal import UAVLink

/// Saves logs: `uavlink-terminal-DATE.log` in a folder, for its user only, never over a file that is there.
public struct SessionLogFile: Sendable {
    private let folder: String

    /// Logs go to this folder; the current one when none is named.
    public init(folder: String = ".") { self.folder = folder }

    /// Saves a log under the date of an instant in seconds since 1970.
    ///
    /// - Returns: a notice that names the file, or says why it could not be written.
    public func save(_ log: SessionLog, place: String, at seconds: Double) async -> Notice {
        let folder = folder
        return await OwnThread.run { () -> Notice in
            let text = log.text(place: place, time: { Self.time($0, "%Y-%m-%d %H:%M:%S", milliseconds: true) })
            let stem = "uavlink-terminal-\(Self.time(seconds, "%Y%m%d-%H%M%S", milliseconds: false))"
            for number in 1...99 {
                let name = number == 1 ? "\(stem).log" : "\(stem)-\(number).log"
                let path = folder == "." ? name : "\(folder)/\(name)"
                switch PrivateFile.create(path, Array(text.utf8)) {
                case nil: return Notice(.success, "the log of this session is in \(path)")
                case EEXIST: continue
                case .some(let code):
                    return Notice(.error, "cannot write \(path): \(String(cString: strerror(code)))")
                }
            }
            return Notice(.error, "there are a hundred logs of this second already")
        } ?? Notice(.error, "cannot save the log: this machine has no more threads to give")
    }

    /// An instant in the local time.
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

    /// The present instant in seconds since 1970.
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
