package import MRS
internal import ReportKit
package import SSHTransport
internal import Synchronization
package import UAVLink

/// A `rospy` process on the vehicle that answers lines, in one exec channel of an SSH session.
package final class PersistentProcess: Sendable {
    /// An answer, and when its line had arrived.
    package struct Arrival: Sendable {
        package var answer: PersistentCalls.Answer
        package var at: MonotonicTime
    }

    private struct State {
        var line: [UInt8] = []
        var errors: [UInt8] = []
        var arrivals: [Int: Arrival] = [:]
        var failure: LinkError?
    }

    private let channel: SSHChannel
    private let clock: any MonotonicClock
    private let state = Mutex(State())
    /// From the request for the channel to the process ready to answer: the log-in shell, the set-up, Python, its imports, the node.
    package let startNanoseconds: Int64

    /// A line is not sent while so many bytes wait for the network.
    private static let queueLimit = 32 * 1024
    private static let largestErrors = 4096
    /// More than a turn of two seconds at 1000 Hz has, with what came too late in those before it.
    private static let mostAnswers = 100_000
    /// How often an answer is looked for where somebody waits for it; when it arrived is noted by the reader.
    private static let look: Duration = .milliseconds(2)
    /// The number of the line that the process writes when it is ready.
    private static let ready = 0

    private init(_ channel: SSHChannel, clock: any MonotonicClock, began: MonotonicTime, within timeout: Duration)
        async throws(LinkError)
    {
        self.channel = channel
        self.clock = clock
        // Read from here: the process answers nothing before it is ready.
        var state = State()
        let deadline = began + timeout
        while state.arrivals[Self.ready] == nil {
            do throws(LinkError) {
                guard let chunk = try await channel.read(within: deadline - clock.now) else {
                    throw Self.ended(state.errors)
                }
                Self.take(chunk, into: &state, at: clock.now)
            } catch {
                channel.close()
                throw error
            }
            if let failure = state.failure {
                channel.close()
                throw failure
            }
        }
        startNanoseconds = (clock.now - began).nanoseconds
        self.state.withLock { [state] in $0 = state }
    }

    /// Starts it.
    ///
    /// - Throws: ``LinkError`` of the channel; `remoteFailed` if the process ended, with what it said last.
    package static func start(
        in session: SSHSession, _ lines: ROSCommandLines, clock: any MonotonicClock, within timeout: Duration
    ) async throws(LinkError) -> PersistentProcess {
        let began = clock.now
        let channel = try await session.start(lines.persistentProcess().line, within: timeout)
        try await channel.write(PersistentCalls.input, within: timeout)
        let process = try await PersistentProcess(channel, clock: clock, began: began, within: timeout)
        Task.detached { await process.read() }
        return process
    }

    /// Reads until the channel is closed, by ``close()`` too.
    private func read() async {
        while true {
            do throws(LinkError) {
                guard let chunk = try await channel.read(within: .seconds(60)) else {
                    let errors = state.withLock { $0.errors }
                    throw Self.ended(errors)
                }
                let now = clock.now
                let isFailed = state.withLock { state in
                    Self.take(chunk, into: &state, at: now)
                    return state.failure != nil
                }
                if isFailed { return channel.close() }
            } catch {
                if error.code == .timedOut { continue }
                return state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }

    private static func take(_ chunk: SSHChunk, into state: inout State, at now: MonotonicTime) {
        guard chunk.stream == .output else {
            state.errors = Array((state.errors + chunk.bytes).suffix(largestErrors))
            return
        }
        for byte in chunk.bytes {
            guard byte == UInt8(ascii: "\n") else {
                guard state.line.count < PersistentCalls.longestLine else {
                    state.failure = LinkError(.remoteFailed, "the process on the vehicle wrote a line without end")
                    return
                }
                state.line.append(byte)
                continue
            }
            // What the set-up of the vehicle prints is none of its lines.
            if let answer = PersistentCalls.Answer(line: String(decoding: state.line, as: UTF8.self)) {
                guard state.arrivals.count < mostAnswers else {
                    state.failure = LinkError(.remoteFailed, "the process on the vehicle answered what nobody asked")
                    return
                }
                state.arrivals[answer.number] = Arrival(answer: answer, at: now)
            }
            state.line = []
        }
    }

    private static func ended(_ errors: [UInt8]) -> LinkError {
        let last = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last
        let reason = last.map { String($0.prefix(300)).sanitizedLine } ?? "it gave no reason"
        return LinkError(
            .remoteFailed, "the rospy process on the vehicle ended: \(reason)",
            hint: "it takes the Python 3 of rosservice, with rospy")
    }

    /// Sends a line at once, from any thread; `false` if too much waits for the network already.
    ///
    /// - Throws: ``LinkError`` with `notConnected` if the channel takes nothing any more.
    package func send(_ line: [UInt8]) throws(LinkError) -> Bool {
        guard let isTaken = channel.offer(line, limit: Self.queueLimit) else {
            throw state.withLock { $0.failure }
                ?? LinkError(.notConnected, "the process on the vehicle takes no more lines")
        }
        return isTaken
    }

    /// The answers with these numbers, which are forgotten, once there are all of them, the process has ended, or time is up.
    package func takeAnswers(_ numbers: Range<Int>, within timeout: Duration) async -> [Int: Arrival] {
        let deadline = clock.now + timeout
        while clock.now < deadline, !Task.isCancelled {
            let isDone = state.withLock { state in
                state.failure != nil || numbers.allSatisfy { state.arrivals[$0] != nil }
            }
            if isDone { break }
            try? await Task.sleep(for: Self.look)
        }
        return state.withLock { state in
            var taken: [Int: Arrival] = [:]
            for number in numbers { taken[number] = state.arrivals.removeValue(forKey: number) }
            return taken
        }
    }

    /// Sends a line and waits for its answer; `nil` if there is none.
    package func ask(_ line: [UInt8], _ number: Int, within timeout: Duration) async -> Arrival? {
        guard (try? send(line)) == true else { return nil }
        return await takeAnswers(number..<number + 1, within: timeout)[number]
    }

    /// Why it answers no more; `nil` while it does.
    package var failure: LinkError? { state.withLock { $0.failure } }

    /// Ends its input, whereupon it ends.
    package func close() { channel.close() }
}
