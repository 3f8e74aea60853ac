internal import Synchronization
package import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The recordings of one run of the program: one bag per vehicle, started with its first link, or when it is wanted.
package final class Recordings: Sendable {
    private struct State {
        var recorders: [String: FlightRecorder] = [:]
        var links: [String: [OpenLink]] = [:]
        var hasEnded = false
    }

    /// A link that can be recorded.
    private struct OpenLink {
        weak var link: RecordingLink?
    }

    private let path: String?
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// Recordings at a path. If it is an existing folder, each vehicle gets a file in it, named after vehicle and time;
    /// otherwise it is the file of the first vehicle, and further vehicles' names are inserted before its extension. Without a path
    /// nothing is recorded before ``start(_:at:)``.
    package init(path: String?, clock: any MonotonicClock = SystemMonotonicClock()) {
        self.path = path
        self.clock = clock
    }

    /// Wraps a connected link so that it is recorded.
    ///
    /// - Throws: ``LinkError`` if the file cannot be created.
    package func around(_ link: any UAVLink, vehicle: String) throws(LinkError) -> any UAVLink {
        let recorder = path == nil ? running(vehicle) : try recorder(of: vehicle)
        let recording = RecordingLink(link, recorder: recorder, clock: clock)
        recording.listen()
        state.withLock { state in
            state.links[vehicle, default: []].removeAll { $0.link == nil }
            state.links[vehicle, default: []].append(OpenLink(link: recording))
        }
        return recording
    }

    /// Records the trajectory that a vehicle holds, where the recording has no command that sent it; nothing while the vehicle is
    /// not recorded.
    package func note(_ plan: Trajectory, of vehicle: String) {
        running(vehicle)?.note(.plan(plan, at: clock.now))
    }

    /// The file that a vehicle is recorded to at present.
    package func file(of vehicle: String) -> String? { running(vehicle)?.path }

    /// The recorder of a vehicle that is recorded at present.
    package func running(_ vehicle: String) -> FlightRecorder? { state.withLock { $0.recorders[vehicle] } }

    /// Starts to record a vehicle's open links.
    ///
    /// - Parameter path: the file, or a folder in which it is named after vehicle and time.
    /// - Returns: the file.
    /// - Throws: ``LinkError`` if it is recorded already, or the file cannot be created.
    package func start(_ vehicle: String, at path: String) throws(LinkError) -> String {
        if let file = file(of: vehicle) {
            throw LinkError(.invalidInput, "\(vehicle) is already being recorded, to '\(file)'")
        }
        let recorder = try recorder(of: vehicle, at: file(of: vehicle, at: path, isFirst: true))
        for link in links(of: vehicle) { link.begin(recorder) }
        return recorder.path
    }

    /// Ends the recording of a vehicle; its links stay open.
    ///
    /// - Returns: the result when the file is complete; `nil` if it was not recorded.
    package func stop(_ vehicle: String) async -> FlightRecorder.Outcome? {
        guard let recorder = running(vehicle) else { return nil }
        for link in links(of: vehicle) { await link.end() }
        let outcome = await recorder.finish()
        state.withLock { if $0.recorders[vehicle] === recorder { $0.recorders[vehicle] = nil } }
        return outcome
    }

    private func links(of vehicle: String) -> [RecordingLink] {
        state.withLock { ($0.links[vehicle] ?? []).compactMap(\.link) }
    }

    /// Ends all recordings; returns when the files are complete.
    package func finish() async -> [FlightRecorder.Outcome] {
        let recorders = state.withLock { state in
            state.hasEnded = true
            return state.recorders.sorted { $0.key < $1.key }.map(\.value)
        }
        var outcomes: [FlightRecorder.Outcome] = []
        for recorder in recorders { outcomes.append(await recorder.finish()) }
        return outcomes
    }

    /// The recorder of a vehicle, created on first use.
    ///
    /// - Throws: ``LinkError`` if the file cannot be created.
    package func recorder(of vehicle: String) throws(LinkError) -> FlightRecorder {
        let isFirst = state.withLock { $0.recorders.isEmpty }
        return try recorder(of: vehicle, at: file(of: vehicle, at: path ?? ".", isFirst: isFirst))
    }

    private func recorder(of vehicle: String, at path: String) throws(LinkError) -> FlightRecorder {
        let result = state.withLock { state -> Result<FlightRecorder, LinkError> in
            if let known = state.recorders[vehicle] { return .success(known) }
            guard !state.hasEnded else { return .failure(LinkError(.closed, "the recording has ended")) }
            // The system calls it a directory, which does not exist.
            guard !path.hasSuffix("/") else {
                return .failure(LinkError(.invalidInput, "cannot record to '\(path)': there is no such directory"))
            }
            do throws(LinkError) {
                let made = try FlightRecorder(path: path, vehicle: vehicle, clock: clock)
                state.recorders[vehicle] = made
                return .success(made)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func file(of vehicle: String, at path: String, isFirst: Bool) -> String {
        // Vehicle names are letters, digits and `_`; other characters are replaced, so that the path stays in the folder.
        let name = String(vehicle.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
        if Self.isFolder(path) { return "\(path)/\(name)-\(Self.stamp(of: time(nil))).bag" }
        guard !isFirst else { return path }
        let stem = path.hasSuffix(".bag") ? String(path.dropLast(4)) : path
        return "\(stem)-\(name).bag"
    }

    private static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// The time format of rosbag's file names: local time.
    static func stamp(of seconds: time_t) -> String {
        var (seconds, parts) = (seconds, tm())
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))-"
            + "\(two(parts.tm_hour))-\(two(parts.tm_min))-\(two(parts.tm_sec))"
    }
}

extension Recordings {
    /// A function that wraps a vehicle's links with these recordings; without recordings it returns links unchanged.
    package static func decoration(
        _ recordings: Recordings?, vehicle: String
    ) -> @Sendable (any UAVLink) throws(LinkError) -> any UAVLink {
        { (link) throws(LinkError) in
            guard let recordings else { return link }
            return try recordings.around(link, vehicle: vehicle)
        }
    }
}
