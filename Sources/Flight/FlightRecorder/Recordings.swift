package import ROSRecordings
internal import Synchronization
package import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The recordings of one run of the program: one file per vehicle, started with its first link, or when it is wanted.
package final class Recordings: Sendable {
    private struct State {
        var recorders: [String: FlightRecorder] = [:]
        var links: [String: [OpenLink]] = [:]
        /// The formats of the vehicles' ROS.
        var formats: [String: RecordingFormat] = [:]
        var hasEnded = false
    }

    /// A link that can be recorded.
    private struct OpenLink {
        weak var link: RecordingLink?
    }

    private let path: String?
    private let format: RecordingFormat?
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// Recordings at a path. If it is an existing folder, each vehicle gets a file in it, named after vehicle and time;
    /// otherwise it is the file of the first vehicle, and further vehicles' names are inserted before its extension. Without a path
    /// nothing is recorded before ``start(_:at:)``.
    ///
    /// - Parameter format: the format of all; `nil`: what the name of a file ends with, else that of the vehicle's ROS.
    package init(
        path: String?, format: RecordingFormat? = nil, clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.path = path
        self.format = format
        self.clock = clock
    }

    /// Notes the format in which a vehicle is recorded if nothing else asks for one: that of its ROS.
    package func note(_ usual: RecordingFormat, of vehicle: String) {
        state.withLock { $0.formats[vehicle] = usual }
    }

    /// Notes that a vehicle runs ROS 2 when its link says so, which over the channel it does with the first telemetry.
    private func note(rosOf link: any UAVLink, of vehicle: String) {
        if link.vehicleCapabilities.isROS2 { note(.mcap, of: vehicle) }
    }

    /// How long a companion is waited for to say it; with telemetry it does so at once.
    private static let longestWait: Duration = .milliseconds(300)

    /// Waits until a link can say which ROS its vehicle runs, where a file that is about to be created depends on that.
    private func hear(_ link: any UAVLink, of vehicle: String) async {
        guard let path, format == nil, RecordingFormat(path: path) == nil, link.kind == .udp || link.kind == .tcp,
            running(vehicle) == nil
        else { return }
        let deadline = clock.now + Self.longestWait
        while link.latestTelemetry == nil, !link.vehicleCapabilities.isROS2, clock.now < deadline {
            do { try await clock.sleep(for: .milliseconds(10)) } catch { return }
        }
    }

    /// Wraps a connected link so that it is recorded.
    ///
    /// - Throws: ``LinkError`` if the file cannot be created.
    package func around(_ link: any UAVLink, vehicle: String) throws(LinkError) -> any UAVLink {
        note(rosOf: link, of: vehicle)
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
        for link in links(of: vehicle) { note(rosOf: link, of: vehicle) }
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
                let format = format ?? RecordingFormat(path: path) ?? state.formats[vehicle] ?? .bag
                let made = try FlightRecorder(path: path, vehicle: vehicle, format: format, clock: clock)
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
        let usual = format ?? state.withLock { $0.formats[vehicle] } ?? .bag
        if Self.isFolder(path) {
            // A completed path ends with a slash; that of the root is nothing else.
            let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
            return "\(folder)/\(name)-\(Self.stamp(of: time(nil)))\(usual.suffix)"
        }
        guard !isFirst else { return path }
        guard let asked = RecordingFormat(path: path) else { return "\(path)-\(name)\(usual.suffix)" }
        return "\(path.dropLast(asked.suffix.utf8.count))-\(name)\(asked.suffix)"
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
    ///
    /// - Parameters:
    ///   - isROS2: whether the vehicle is known to run ROS 2, so that it is recorded as MCAP.
    ///   - mayWait: whether the link may come 0.3 s later, so that a vehicle can say it; not for a command that stops.
    package static func decoration(
        _ recordings: Recordings?, vehicle: String, isROS2: Bool = false, mayWait: Bool = true
    ) -> @Sendable (any UAVLink) async throws(LinkError) -> any UAVLink {
        recordings?.note(isROS2 ? .mcap : .bag, of: vehicle)
        return { (link) async throws(LinkError) in
            guard let recordings else { return link }
            if mayWait { await recordings.hear(link, of: vehicle) }
            return try recordings.around(link, vehicle: vehicle)
        }
    }
}
