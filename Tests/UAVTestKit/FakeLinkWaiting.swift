internal import Synchronization
internal import UAVLink

extension FakeLink {
    /// Waits `delay` (or for ever), at most `timeout`, and no longer than the link and the task live.
    func wait(for delay: Duration?, timeout: Duration) async throws(LinkError) {
        let id = state.withLock { state in
            state.nextWait += 1
            return state.nextWait
        }
        let timer = Task { [clock] in
            if let delay, delay < timeout {
                try await clock.sleep(for: delay)
                self.end(id, .success(()))
            } else {
                try await clock.sleep(for: timeout)
                self.end(id, .failure(LinkError(.timedOut, "the vehicle did not answer within \(timeout)")))
            }
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state -> Result<Void, LinkError>? in
                    if let early = state.endedEarly.removeValue(forKey: id) { return early }
                    if state.phase == .closed { return .failure(LinkError(.closed, "the link was closed")) }
                    state.waiting[id] = continuation
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            end(id, .failure(LinkError(.cancelled, "the command was cancelled")))
        }
        _ = state.withLock { $0.endedEarly.removeValue(forKey: id) }
        try result.get()
    }

    func end(_ id: UInt64, _ result: Result<Void, LinkError>) {
        let waiter = state.withLock { state in
            let waiter = state.waiting.removeValue(forKey: id)
            // A cancellation or a very short time may come before the wait has begun.
            if waiter == nil { state.endedEarly[id] = result }
            return waiter
        }
        waiter?.resume(returning: result)
    }
}
