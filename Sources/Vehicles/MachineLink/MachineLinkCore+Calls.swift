internal import Synchronization
internal import SystemIO
package import UAVLink

extension MachineLinkCore {
    /// Waits until the client is open, or says why not.
    package func open(until deadline: MonotonicTime) async throws(LinkError) {
        let call = newCall()
        let error: LinkError? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(call, .opener(continuation)) { client, now in client.open(for: call, until: deadline, now: now) }
            }
        } onCancel: {
            cancel(call, "the connection was cancelled")
        }
        finished(call)
        if let error { throw error }
    }

    /// Sends a command and waits for its answer.
    ///
    /// - Parameters:
    ///   - name: the command in messages.
    ///   - begin: hands it to the client.
    package func perform(
        _ name: String, _ begin: @escaping @Sendable (inout Client, Call, MonotonicTime) -> Void
    ) async throws(LinkError) -> CommandReply {
        guard !Task.isCancelled else { throw LinkError(.cancelled, "\(name) was cancelled before it was sent") }
        let call = newCall()
        let answer: Result<CommandReply, LinkError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.begin(call, .commander(continuation)) { client, now in begin(&client, call, now) }
            }
        } onCancel: {
            cancel(call, "waiting for the answer to \(name) was cancelled")
        }
        finished(call)
        return try answer.get()
    }

    /// Sends a setpoint.
    package func steer(_ setpoint: VelocitySetpoint, as sticks: Client.Sticks) throws(LinkError) -> SteeringReceipt {
        let now = clock.now
        let (receipt, isEarlier) = try state.withLock { state throws(LinkError) -> (SteeringReceipt, Bool) in
            switch state.life {
            case .closed: throw Self.closed
            case .new: throw notConnected
            case .running: break
            }
            let isSent = state.client.steer(setpoint, as: sticks, now: now)
            send(&state)
            state.setpoints &+= 1
            let next = state.client.nextDeadline(now: now)
            return (
                SteeringReceipt(
                    number: state.setpoints, sentAt: isSent ? now : nil, isTaken: state.client.tookSetpoint),
                next.map { $0 < state.wakesAt } ?? false
            )
        }
        if isEarlier { wake() }
        return receipt
    }

    /// Changes the client, and tells what follows.
    ///
    /// - Throws: `notConnected` unless it is started; what `body` throws.
    package func change<Value>(
        _ body: (inout Client, MonotonicTime) throws(LinkError) -> Value
    ) throws(LinkError) -> Value {
        let now = clock.now
        let value = try state.withLock { state throws(LinkError) -> Value in
            guard case .running = state.life else { throw notConnected }
            defer { send(&state) }
            return try body(&state.client, now)
        }
        deliver()
        wake()
        return value
    }

    private func newCall() -> Call {
        state.withLock { state in
            state.lastCall &+= 1
            return state.lastCall
        }
    }

    private func begin(_ call: Call, _ waiter: Waiter, _ body: (inout Client, MonotonicTime) -> Void) {
        let now = clock.now
        let refusal: LinkError? = state.withLock { state in
            switch state.life {
            case .closed: return Self.closed
            case .new: return notConnected
            case .running: break
            }
            if state.cancelledEarly.remove(call) != nil { return LinkError(.cancelled, "cancelled") }
            state.waiters[call] = waiter
            body(&state.client, now)
            send(&state)
            return nil
        }
        if let refusal { return waiter.fail(refusal) }
        deliver()
        wake()
    }

    /// A call is cancelled; what was sent is not taken back.
    private func cancel(_ call: Call, _ what: String) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.waiters.removeValue(forKey: call) else {
                state.cancelledEarly.insert(call)
                return nil
            }
            state.client.cancel(call)
            return waiter
        }
        waiter?.fail(LinkError(.cancelled, what))
    }

    /// A call is over: whoever cancels it later cancels nothing.
    private func finished(_ call: Call) { _ = state.withLock { $0.cancelledEarly.remove(call) } }

    /// Sends what the client has to send; under the lock, so that nothing overtakes.
    func send(_ state: inout State) {
        guard case .running(let sockets) = state.life else { return }
        for outgoing in state.client.takeOutgoing() {
            switch sockets.send(outgoing) {
            case .moved: state.sendFailure = 0
            case .failed(let number): state.sendFailure = number
            // Full buffers: it is lost, as in the air.
            case .wouldBlock, .ended: break
            }
        }
    }

    /// Tells everybody who waits what has come for them; the lock is not held meanwhile.
    func deliver() {
        let (endings, failure) = state.withLock { state in
            let endings = state.client.takeEndings().compactMap { ending -> (Waiter, MachineEnding)? in
                switch ending {
                case .opened(let call, _), .answered(let call, _):
                    state.waiters.removeValue(forKey: call).map { ($0, ending) }
                }
            }
            return (endings, state.sendFailure)
        }
        for (waiter, ending) in endings {
            switch (waiter, ending) {
            case (.opener(let opener), .opened(_, let error)):
                opener.resume(returning: error.map { Self.explained($0, failure) })
            case (.commander(let commander), .answered(_, let result)): commander.resume(returning: result)
            case (_, .opened(_, let error)): waiter.fail(error ?? Self.closed)
            case (_, .answered): waiter.fail(Self.closed)
            }
        }
    }

    /// Why nothing could be sent says more than that nothing was answered.
    private static func explained(_ error: LinkError, _ failure: Int32) -> LinkError {
        guard error.code == .unreachable, failure != 0 else { return error }
        return LinkError(.unreachable, "\(error.what) (\(SystemError.text(failure)))", hint: error.hint)
    }

    func wake() { state.withLock { $0.waker }?.wake() }
}
