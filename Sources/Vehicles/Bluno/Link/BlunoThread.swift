internal import Synchronization
internal import SystemIO
internal import UAVLink

extension BlunoCore {
    /// How long the thread waits with nothing due.
    private static let longestWait: Duration = .seconds(1)
    /// While bytes are under way that nothing else waits behind: the time of some 60 at 115200 baud.
    private static let drainPause: Duration = .milliseconds(5)
    private static let bufferBytes = 1024
    /// The most readings at once, so that a board that never stops talking does not keep a stop from being sent.
    private static let mostAtOnce = 16
    /// How long the last bytes have to leave once the link is closed.
    private static let mostDrainPauses = 50
    /// The same for a board that is left.
    static let farewell = drainPause * mostDrainPauses

    /// The link's thread: opens the port, reads, does what is due, until the link is closed.
    func run(_ waker: Waker) {
        var poller = Poller()
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        while !state.withLock({ $0.isClosed }) {
            _ = part()
            openIfDue()
            let (stream, wait, wantsWriting) = prepare()
            answer()
            publish()
            poller.reset()
            let wakerPlace = poller.add(waker.descriptor)
            let place = stream.map { poller.add($0.descriptor, writing: wantsWriting) }
            poller.waitPrecisely(wait)
            if poller.isReady(wakerPlace) { waker.clear() }
            if let stream, let place, poller.isReady(place) || stream.hasBytes { read(stream, &buffer) }
        }
        poller.reset()
        while part() { poller.waitPrecisely(Self.drainPause) }
        drain()
        let closers = state.withLock { state in
            // With the last reference the port is closed; what was written last still leaves.
            (state.isThreadRunning, state.stream) = (false, nil)
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Lets the last stop leave. The system holds the closing of a port until its bytes have left, for half a minute where a board
    /// takes none: what has not left in a quarter of a second never will.
    private func drain() {
        guard let stream = state.withLock({ $0.isOpen ? $0.stream : nil }) else { return }
        var poller = Poller()
        for _ in 0..<Self.mostDrainPauses {
            let mustWait = state.withLock { state in
                if let error = stream.advance(now: clock.now) { state.failure = error }
                write(&state)
                return state.failure == nil && (state.client.hasStop || stream.underWay > 0)
            }
            guard mustWait else { return }
            poller.waitPrecisely(Self.drainPause)
        }
        stream.discard()
    }

    /// Lets the stop leave for a board that was left.
    ///
    /// - Returns: whether that goes on.
    private func part() -> Bool {
        let now = clock.now
        let (gone, goesOn) = state.withLock { state -> ((any BlunoStream)?, Bool) in
            guard var parting = state.parting else { return (nil, false) }
            if parting.stream.advance(now: now) == nil, now < parting.until {
                if !parting.stop.isEmpty, case .moved(let count) = parting.stream.write(parting.stop) {
                    parting.stop.removeFirst(min(count, parting.stop.count))
                }
                state.parting = parting
                if !parting.stop.isEmpty || parting.stream.underWay > 0 { return (nil, true) }
            }
            state.parting = nil
            return (parting.stream, false)
        }
        // Closed outside the lock.
        gone?.discard()
        return goesOn
    }

    /// Begins to open the port when it is time. The lock is not held meanwhile: only this thread opens.
    private func openIfDue() {
        let now = clock.now
        let due = state.withLock { state -> (transport: any BlunoTransport, choice: UInt64)? in
            guard !state.isClosed, state.stream == nil, state.parting == nil, let at = state.opensAt, now >= at
            else { return nil }
            return (state.transport, state.choice)
        }
        guard let due else { return }
        let result: Result<any BlunoStream, LinkError>
        do throws(LinkError) { result = .success(try due.transport.open()) } catch { result = .failure(error) }
        state.withLock { state in
            guard !state.isClosed, state.choice == due.choice else { return }
            switch result {
            case .success(let stream):
                (state.stream, state.isOpen, state.failure, state.opensAt) = (stream, false, nil, nil)
            case .failure(let error): giveUp(&state, error)
            }
        }
    }

    /// The way is gone, or was not opened: one that was open once is tried again.
    private func giveUp(_ state: inout State, _ error: LinkError) {
        (state.stream, state.isOpen, state.failure) = (nil, false, nil)
        if state.wasReached {
            state.opensAt = clock.now + BlunoTimes.reconnection
            state.client.lost(error.what, now: clock.now)
        } else {
            (state.opensAt, state.refusal) = (nil, error)
        }
    }

    /// Does what is due.
    ///
    /// - Returns: the port, how long to wait, and whether to wait for room to write.
    private func prepare() -> ((any BlunoStream)?, Duration, Bool) {
        let now = clock.now
        return state.withLock { state in
            if let stream = state.stream, state.failure == nil {
                state.failure = stream.advance(now: now)
                if !state.isOpen, state.failure == nil, case .open(let name) = stream.progress {
                    (state.isOpen, state.wasReached) = (true, true)
                    state.client.opened(name ?? state.transport.name, mayStart: stream.mayStart, now: now)
                }
            }
            state.client.advance(now: now)
            write(&state)
            if let error = state.failure { giveUp(&state, error) }
            var next = now + Self.longestWait
            var wantsWriting = false
            if let stream = state.stream {
                let bytesWait = state.client.state.waitingBytes > 0
                wantsWriting = stream.wantsWriting(whileBytesWait: bytesWait)
                // The port says when it has room, but not when little is under way.
                if bytesWait, stream.underWay > 0 { next = min(next, now + Self.drainPause) }
                if let due = stream.nextDeadline { next = min(next, due) }
            }
            let opensAt = state.parting == nil ? state.opensAt : nil
            if state.parting != nil { next = min(next, now + Self.drainPause) }
            for due in [state.client.nextDeadline, opensAt, state.waiters.values.map(\.deadline).min()] {
                if let due { next = min(next, due) }
            }
            state.wakesAt = next
            return (state.stream, max(next - now, .zero), wantsWriting)
        }
    }

    /// Tells those who wait what has become of it.
    private func answer() {
        let now = clock.now
        let answers = state.withLock { state -> [(Waiter, LinkError?)] in
            var answers: [(Waiter, LinkError?)] = []
            let phase = state.client.robot.phase
            let refusal = state.refusal
            state.refusal = nil
            for (call, waiter) in state.waiters {
                let answer: LinkError??
                switch (waiter.aim, phase) {
                case (.ready, _) where refusal != nil: answer = .some(refusal)
                case (.ready, .ready): answer = .some(nil)
                case (.stopSent, .ready), (.stopSent, .starting):
                    answer = state.client.hasStop ? .none : .some(nil)
                case (.stopSent, .lost(let why)): answer = .some(LinkError(.timedOut, why))
                default: answer = .none
                }
                if let answer {
                    answers.append((waiter, answer))
                } else if now >= waiter.deadline {
                    answers.append((waiter, Self.late(waiter.aim, phase, state.stream?.progress)))
                } else {
                    continue
                }
                state.waiters[call] = nil
            }
            return answers
        }
        for (waiter, error) in answers { waiter.continuation.resume(returning: error) }
    }

    private static func late(
        _ aim: Waiter.Aim, _ phase: RobotState.Phase, _ progress: BlunoProgress?
    ) -> LinkError {
        if case .lost(let why) = phase { return LinkError(.unreachable, why, hint: "it is tried again every second") }
        switch aim {
        case .ready:
            if case .opening(let words) = progress {
                return LinkError(.timedOut, "still \(words)", hint: "allow it more time with --timeout")
            }
            return LinkError(.timedOut, "the board has not started in time", hint: "allow it three seconds")
        case .stopSent:
            return LinkError(
                .timedOut, "the port has not taken the stop", hint: "check the cable, switch the robot off")
        }
    }

    /// News leave on this thread only, so that none overtakes a newer one.
    private func publish() {
        let (news, hasChanged) = state.withLock { ($0.client.takeNews(), $0.client.takeChange()) }
        if let news { broadcast.send(news) }
        if hasChanged { changes.send(0) }
    }

    private func read(_ stream: any BlunoStream, _ buffer: inout [UInt8]) {
        for _ in 0..<Self.mostAtOnce {
            let outcome = buffer.withUnsafeMutableBytes { stream.read(into: $0) }
            switch outcome {
            case .nothing: return
            case .moved(let count):
                let now = clock.now
                state.withLock { state in
                    // Another board may have been chosen meanwhile.
                    guard state.stream === stream else { return }
                    state.client.receive(buffer.prefix(count), now: now)
                }
            case .ended(let why):
                state.withLock { state in
                    guard state.stream === stream, state.failure == nil else { return }
                    state.failure = stream.advance(now: clock.now) ?? LinkError(.unreachable, why)
                }
                return
            }
        }
    }
}
