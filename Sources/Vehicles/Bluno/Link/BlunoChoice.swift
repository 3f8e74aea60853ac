internal import Synchronization
internal import UAVLink

extension BlunoCore {
    /// The way to a board that was left, and what of the stop it has not taken.
    struct Parting {
        let stream: any BlunoStream
        var stop: [UInt8]
        let until: MonotonicTime
    }

    /// Goes to another board, or leaves the present one for none: the robot is stopped before.
    func choose(_ transport: (any BlunoTransport)?) throws(LinkError) {
        let now = clock.now
        // Ended outside the lock: a radio says good-bye.
        let (old, stops) = try state.withLock { state throws(LinkError) -> ((any BlunoStream)?, [Waiter]) in
            if state.isClosed { throw Self.closed }
            // The same board, which is being reached or is: nothing to do.
            if let transport, transport.name == state.transport.name, state.stream != nil, state.failure == nil {
                return (nil, [])
            }
            if state.isOpen {
                state.client.leave()
                write(&state)
                // What the way has not taken yet follows on the link's thread, before another one is opened.
                if let stream = state.stream, state.failure == nil {
                    let stop = state.client.hasStop ? state.client.next(underWay: 0)?.bytes : nil
                    state.parting = Parting(stream: stream, stop: stop ?? [], until: now + Self.farewell)
                }
            }
            // The next board's stop is none of theirs.
            let stops = state.waiters.filter { $0.value.aim == .stopSent }
            for call in stops.keys { state.waiters[call] = nil }
            defer { (state.stream, state.isOpen, state.failure) = (nil, false, nil) }
            state.choice &+= 1
            if let transport {
                let words = "\(state.transport.name) was left for \(transport.name)"
                (state.transport, state.opensAt, state.wasReached) = (transport, now, true)
                state.client.left(words, now: now)
            } else {
                state.opensAt = nil
                state.client.left("\(state.transport.name) was left", now: now)
            }
            return (state.stream, Array(stops.values))
        }
        for waiter in stops {
            waiter.continuation.resume(
                returning: LinkError(
                    .timedOut, "the board was left while its stop was sent", hint: "look at what the robot does"))
        }
        wake()
        withExtendedLifetime(old) {}
    }
}
