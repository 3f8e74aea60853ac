internal import UAVLink

/// The calls of a link that wait for an answer of the companion. Whatever ends them is added to ``GroundOutcomes``.
struct PendingCalls {
    typealias Answer = Result<CommandReply, LinkError>
    /// The encoded answer to a question.
    typealias Information = Result<[UInt8], LinkError>
    /// The duration of a round trip.
    typealias Echo = Result<Duration, LinkError>

    enum Waiter {
        case command(CheckedContinuation<Answer, Never>)
        case question(CheckedContinuation<Information, Never>)
    }

    /// A command or question that was sent.
    private struct Request {
        let waiter: Waiter
        /// Observes the transfer of a large one.
        let progress: MonotonicProgress?
    }

    /// A call that waits for the answer to the heartbeat sent at `sentAt`, or to a later one.
    private struct Ping {
        let call: UInt64
        let sentAt: MonotonicTime
        let deadline: MonotonicTime
        let waiter: CheckedContinuation<Echo, Never>
    }

    /// A call until its caller has returned.
    private enum Call {
        /// Cancelled before it began.
        case cancelled
        /// Its command or question has that id.
        case begun(UInt64)
    }

    private var requests: [UInt64: Request] = [:]
    private var pings: [Ping] = []
    private var calls: [UInt64: Call] = [:]
    private var lastCall: UInt64 = 0

    // MARK: Calls

    /// The number of a new call.
    mutating func newCall() -> UInt64 {
        lastCall += 1
        return lastCall
    }

    /// Whether that call was cancelled before it began; reported once.
    mutating func takeCancelled(_ call: UInt64) -> Bool {
        guard case .cancelled = calls[call] else { return false }
        calls[call] = nil
        return true
    }

    /// A call is cancelled before it has begun.
    mutating func cancelEarly(_ call: UInt64) { calls[call] = .cancelled }

    /// Forgets a call that has ended, with any result.
    mutating func finish(_ call: UInt64) { calls[call] = nil }

    // MARK: Commands and questions

    /// Adds a command or question that the session has begun.
    mutating func add(_ id: UInt64, of call: UInt64, _ waiter: Waiter, _ progress: MonotonicProgress?) {
        requests[id] = Request(waiter: waiter, progress: progress)
        calls[call] = .begun(id)
    }

    /// Cancels a call.
    ///
    /// - Returns: the command or question to forget, if it has begun, and who waits for it.
    mutating func cancel(_ call: UInt64) -> (id: UInt64, waiter: Waiter?)? {
        guard case .begun(let id) = calls[call] else {
            cancelEarly(call)
            return nil
        }
        calls[call] = nil
        return (id, requests.removeValue(forKey: id)?.waiter)
    }

    /// Ends a command with its answer, or a question with an error.
    mutating func answer(_ id: UInt64, _ result: Answer, _ outcomes: inout GroundOutcomes) {
        switch (requests[id]?.waiter, result) {
        case (.command(let waiter), _): outcomes.answers.append((waiter, result))
        case (.question(let waiter), .failure(let error)): outcomes.information.append((waiter, .failure(error)))
        case (.question, .success), (nil, _): return
        }
        requests[id] = nil
    }

    /// Ends a question with its answer.
    mutating func inform(_ id: UInt64, _ payload: [UInt8], _ outcomes: inout GroundOutcomes) {
        guard case .question(let waiter) = requests[id]?.waiter else { return }
        outcomes.information.append((waiter, .success(payload)))
        requests[id] = nil
    }

    /// Reports the progress of a transfer.
    func progress(_ id: UInt64, _ fraction: Double, _ outcomes: inout GroundOutcomes) {
        if let progress = requests[id]?.progress { outcomes.progress.append((progress, fraction)) }
    }

    // MARK: Round trips

    /// Whether a call waits for a heartbeat's answer.
    var awaitsEcho: Bool { !pings.isEmpty }

    /// Adds a call that waits for the answer to a heartbeat.
    mutating func addPing(
        of call: UInt64, sentAt: MonotonicTime, deadline: MonotonicTime, _ waiter: CheckedContinuation<Echo, Never>
    ) { pings.append(Ping(call: call, sentAt: sentAt, deadline: deadline, waiter: waiter)) }

    /// Ends the round trips that a heartbeat sent at that time has answered.
    mutating func echo(sentAt: MonotonicTime, now: MonotonicTime, _ outcomes: inout GroundOutcomes) {
        endPings(&outcomes) { $0.sentAt <= sentAt ? .success(now - $0.sentAt) : nil }
    }

    /// Ends the round trips whose deadline has passed.
    mutating func endExpiredPings(now: MonotonicTime, _ outcomes: inout GroundOutcomes) {
        endPings(&outcomes) { ping in
            guard ping.deadline <= now else { return nil }
            return .failure(LinkError(.timedOut, "the companion did not answer in time", hint: "see 'uavlink status'"))
        }
    }

    /// Cancels a round trip.
    mutating func cancelPing(_ call: UInt64, _ outcomes: inout GroundOutcomes) {
        guard pings.contains(where: { $0.call == call }) else { return cancelEarly(call) }
        endPings(&outcomes) { ping in
            ping.call == call ? .failure(LinkError(.cancelled, "the round trip was cancelled")) : nil
        }
    }

    private mutating func endPings(_ outcomes: inout GroundOutcomes, _ end: (Ping) -> Echo?) {
        guard !pings.isEmpty else { return }
        pings.removeAll { ping in
            guard let echo = end(ping) else { return false }
            outcomes.echoes.append((ping.waiter, echo))
            return true
        }
    }

    // MARK: All

    /// Ends everything that waits.
    mutating func failAll(_ error: LinkError, _ outcomes: inout GroundOutcomes) {
        for request in requests.values {
            switch request.waiter {
            case .command(let waiter): outcomes.answers.append((waiter, .failure(error)))
            case .question(let waiter): outcomes.information.append((waiter, .failure(error)))
            }
        }
        requests = [:]
        endPings(&outcomes) { _ in .failure(error) }
        // Ids of this session mean other commands in the next.
        calls = calls.filter { if case .cancelled = $0.value { true } else { false } }
    }
}

/// Results to deliver once the link's lock is released.
struct GroundOutcomes {
    var openers: [CheckedContinuation<LinkError?, Never>] = []
    var openError: LinkError?
    var answers: [(CheckedContinuation<PendingCalls.Answer, Never>, PendingCalls.Answer)] = []
    var information: [(CheckedContinuation<PendingCalls.Information, Never>, PendingCalls.Information)] = []
    var echoes: [(CheckedContinuation<PendingCalls.Echo, Never>, PendingCalls.Echo)] = []
    var progress: [(MonotonicProgress, Double)] = []
    var telemetry: Telemetry?
    var renews = false

    /// Resumes the callers.
    func deliver() {
        for (waiter, echo) in echoes { waiter.resume(returning: echo) }
        for opener in openers { opener.resume(returning: openError) }
        for (watcher, fraction) in progress { watcher.reach(fraction) }
        for (waiter, answer) in answers { waiter.resume(returning: answer) }
        for (asker, information) in information { asker.resume(returning: information) }
    }
}
