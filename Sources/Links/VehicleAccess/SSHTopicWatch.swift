internal import MRS
internal import SSHTransport
internal import Synchronization
internal import UAVLink

/// Watches topics with `uavlink-companion topic` on the vehicle over the shared SSH session, whatever the link.
final class SSHTopicWatch: TopicWatching {
    private let profile: VehicleProfile
    private let shared: SharedSession
    private let tasks = Mutex<[UInt64: Task<Void, Never>]?>([:])

    /// Timeout for the login, if necessary, and for the start of a program.
    private static let start: Duration = .seconds(15)
    /// Read timeout: the companion writes every two seconds, and a link may recover from a longer interruption.
    private static let wait: Duration = .seconds(20)
    /// Pause between attempts after the session was lost.
    private static let pause: Duration = .seconds(2)

    init(profile: VehicleProfile, shared: SharedSession) {
        self.profile = profile
        self.shared = shared
    }

    private func line(_ arguments: [String], _ lines: ROSCommandLines) -> String {
        let (program, words) = profile.companionCommand(
            ["--uav", profile.vehicle] + profile.ros.companionArguments + ["topic"] + arguments)
        return lines.run(program, words).line
    }

    func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic] {
        let session = try await shared.session(within: timeout)
        let result = try await shared.finder.run(in: session, within: timeout, needsROS: false) {
            (lines, remaining) async throws(LinkError) -> SSHCommandResult in
            try await session.run(self.line(["--list"], lines), within: remaining, outputLimit: 4 << 20)
        } result: {
            RemoteResult($0)
        }
        guard result.exitStatus == 0 else { throw Self.failure(result.exitStatus, result.errorText, profile) }
        return result.outputText.split(whereSeparator: \.isNewline).prefix(TopicLimits.published)
            .compactMap { TopicLine.published(in: String($0)) }
    }

    func updates(of topic: String) -> AsyncStream<TopicUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: TopicUpdate.self, bufferingPolicy: .bufferingNewest(1))
        let number = UInt64.random(in: 0 ... .max)
        let task = Task { [weak self] in
            while !Task.isCancelled, let self {
                do throws(LinkError) {
                    try await self.follow(topic) { continuation.yield($0) }
                } catch {
                    guard error.isTransient else {
                        continuation.yield(.failed(error))
                        break
                    }
                    continuation.yield(.silent(error.what, hertz: nil))
                }
                try? await Task.sleep(for: Self.pause)
            }
            continuation.finish()
        }
        let isOpen = tasks.withLock { tasks -> Bool in
            tasks?[number] = task
            return tasks != nil
        }
        if !isOpen { task.cancel() }
        continuation.onTermination = { [weak self] _ in
            task.cancel()
            self?.tasks.withLock { _ = $0?.removeValue(forKey: number) }
        }
        return stream
    }

    /// Reads what the companion prints until it ends.
    private func follow(_ topic: String, tell: @Sendable (TopicUpdate) -> Void) async throws(LinkError) {
        let session = try await shared.session(within: Self.start)
        let commandLines = try await shared.finder.lines(in: session, within: Self.start, needsROS: false)
        let channel = try await session.start(line([topic], commandLines), within: Self.start)
        defer { channel.close() }
        channel.finishWriting()
        var lines = TopicLines()
        var errors: [UInt8] = []
        while let chunk = try await channel.read(within: Self.wait) {
            guard chunk.stream == .output else {
                errors = Array((errors + chunk.bytes).suffix(4096))
                continue
            }
            for line in lines.take(chunk.bytes) {
                guard let update = TopicLine.update(in: line) else { continue }
                if case .failed(let error) = update { throw error }
                tell(update)
            }
        }
        shared.finder.forget(commandLines, after: (channel.exit?.status).map { Int($0) })
        throw Self.failure(channel.exit?.status, String(decoding: errors, as: UTF8.self), profile)
    }

    static func failure(_ status: Int32?, _ errors: String, _ profile: VehicleProfile) -> LinkError {
        let status = status.map { Int($0) }
        let reason = CompanionProgram.reason(status, errors: errors)
        switch status {
        case 126, 127:
            let failure = CompanionProgram.failure(
                profile.companion, status, errors: errors, output: "", command: "\(profile.companion) --version",
                install: profile.deployCommand)
            return LinkError(
                .companionUnavailable, "\(failure.what); watching a topic needs it", hint: failure.hint)
        case 2:
            return LinkError(
                .companionUnavailable, "the companion on the vehicle cannot watch topics: \(reason)",
                hint: "it is older than this program; install the same version: \(profile.deployAdvice)")
        default: return LinkError(.remoteFailed, "the companion stopped watching: \(reason)")
        }
    }

    func close() async {
        let running = tasks.withLock { tasks in
            defer { tasks = nil }
            return tasks ?? [:]
        }
        for task in running.values { task.cancel() }
    }
}

/// Splits a byte stream into lines; a line that is too long is skipped.
struct TopicLines {
    private var pending: [UInt8] = []
    private var isSkipping = false

    /// Takes the next bytes and returns the lines that they complete.
    mutating func take(_ bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == 0x0A {
                if !isSkipping { lines.append(String(decoding: pending, as: UTF8.self)) }
                isSkipping = false
                pending.removeAll(keepingCapacity: true)
            } else if pending.count < TopicLimits.lineBytes {
                pending.append(byte)
            } else {
                isSkipping = true
            }
        }
        return lines
    }
}

extension LinkError {
    /// Whether it may work a little later: the connection was lost, not refused.
    fileprivate var isTransient: Bool {
        switch code {
        case .notConnected, .timedOut, .unreachable, .remoteFailed: true
        default: false
        }
    }
}
