internal import Threads

/// The state of an ``EventLoop``, reachable only on its thread.
package final class LoopCore {
    package let loop: EventLoop
    var isStopping = false
    /// The owner's object, used on the loop's thread only.
    package var attachment: AnyObject?
    /// Maps a destination (numeric IPv4 address and port) to the one to connect to; must not block.
    package var redirect: (@Sendable (_ host: String, _ port: UInt16) -> (host: String, port: UInt16))?
    /// Called when the loop has stopped and all handlers are closed.
    package var onStop: [@Sendable () -> Void] = []
    /// A handler, and what the system waits for on its behalf.
    private struct Served {
        let handler: any LoopHandler
        var descriptor: Int32 = -1
        var owner: AnyObject?
        /// `nil` if the system has not taken it.
        var interest: Readiness?
        var deadline: ContinuousClock.Instant?
    }

    private var served: [Served] = []
    private var watch: DescriptorWatch
    /// Where in ``served`` the handler of a descriptor is.
    private var places: [Int32: Int] = [:]
    /// Handlers of which the descriptor is none.
    private var invalid: [any LoopHandler] = []
    /// Whether any handler may want something else than at the last plan; if not, those that were ready are asked only.
    private var asksAll = true
    private var lookups: [String: [(Result<IPv4Address, SocketError>) -> Void]] = [:]

    /// The read buffer shared by all handlers, since only one reads at a time. 64 KiB is the most that one read of the
    /// loopback returns.
    package let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// Until a descriptor that the system has not taken is tried again.
    private static let retryPause: Duration = .milliseconds(1)
    /// Concurrent host name lookups, each on a dedicated thread.
    private static let maximumLookups = 16

    init(loop: EventLoop, watch: DescriptorWatch) {
        self.loop = loop
        self.watch = watch
    }

    deinit { readBuffer.deallocate() }

    /// Adds a handler, which is served until it is finished.
    package func add(_ handler: any LoopHandler) {
        served.append(Served(handler: handler))
        asksAll = true
    }

    func run() {
        loop.executor.begin()
        while !isStopping {
            for task in loop.takeTasks(closing: false) {
                asksAll = true
                task(self)
            }
            guard !isStopping else { break }
            // Those that the events have made ready; they reach handlers through the loop only, as other threads do.
            _ = loop.executor.runAll()
            loop.willPlan()
            let next = plan()
            loop.hasPlanned(next)
            watch.wait(until: next)
            loop.isAwake()
            for arrival in watch.arrivals { take(arrival) }
            if !invalid.isEmpty { tellInvalid() }
            if let next, next <= .now { expire() }
        }
        // Closures submitted before the stop still run, and unfinished handlers are notified.
        for task in loop.takeTasks(closing: true) { task(self) }
        let rest = served
        served = []
        for one in rest where !one.handler.isFinished { one.handler.loopWillStop(on: self) }
        for waiters in lookups.values {
            for waiter in waiters { waiter(.failure(SocketError(.closed, "the event loop has stopped"))) }
        }
        lookups = [:]
        attachment = nil
        for call in onStop { call() }
        loop.executor.end()
    }

    private func take(_ arrival: DescriptorWatch.Arrival) {
        guard let place = places[arrival.descriptor] else {
            // Something has changed on another thread.
            asksAll = true
            return loop.drainWake()
        }
        let handler = served[place].handler
        if !handler.isSelfContained { asksAll = true }
        if !handler.isFinished { handler.ready(arrival.readiness, on: self) }
    }

    /// Has the system wait for what the handlers wait for now, and returns the earliest deadline.
    private func plan() -> ContinuousClock.Instant? {
        if !asksAll { for arrival in watch.arrivals { ask(places[arrival.descriptor]) } }
        if asksAll {
            asksAll = false
            loop.forgetAnnounced()
            removeFinished()
            for index in served.indices { ask(index) }
        }
        var next = asksAll ? .now + Self.retryPause : loop.earliestAnnounced
        for index in served.indices {
            guard let deadline = served[index].deadline else { continue }
            next = min(next ?? deadline, deadline)
        }
        return next
    }

    /// Asks a handler what it waits for, and has the system wait for that.
    private func ask(_ place: Int?) {
        guard let place else { return }
        let handler = served[place].handler
        guard !handler.isFinished else {
            asksAll = true
            return
        }
        served[place].deadline = handler.deadline
        let (descriptor, interest) = (handler.descriptor, handler.interest)
        let isSame = descriptor == served[place].descriptor && interest == served[place].interest
        guard !isSame || descriptor >= 0 && served[place].owner !== handler.owner else { return }
        if descriptor != served[place].descriptor || served[place].owner !== handler.owner { forget(place) }
        served[place].descriptor = descriptor
        served[place].owner = handler.owner
        served[place].interest = interest
        guard descriptor >= 0 else { return }
        let verdict = watch.add(descriptor, for: interest)
        guard verdict != .watched else {
            places[descriptor] = place
            return
        }
        // Tried again soon.
        served[place].interest = nil
        asksAll = true
        if verdict == .invalid { invalid.append(handler) }
    }

    /// No longer waits for a handler's descriptor, which its owner keeps open until here.
    private func forget(_ place: Int) {
        let descriptor = served[place].descriptor
        if descriptor >= 0, places[descriptor] == place {
            watch.remove(descriptor)
            places[descriptor] = nil
        }
        served[place].descriptor = -1
        served[place].owner = nil
        served[place].interest = nil
    }

    private func removeFinished() {
        guard served.contains(where: { $0.handler.isFinished }) else { return }
        for place in served.indices where served[place].handler.isFinished { forget(place) }
        served.removeAll { $0.handler.isFinished }
        places.removeAll(keepingCapacity: true)
        for place in served.indices where served[place].interest != nil && served[place].descriptor >= 0 {
            places[served[place].descriptor] = place
        }
    }

    private func tellInvalid() {
        let told = invalid
        invalid = []
        for handler in told where !handler.isFinished { handler.ready(.invalid, on: self) }
    }

    private func expire() {
        asksAll = true
        let now = ContinuousClock.now
        // A callback may add handlers.
        for one in served where !one.handler.isFinished {
            if let deadline = one.handler.deadline, deadline <= now { one.handler.deadlinePassed(on: self) }
        }
    }

    /// Begins to connect, through ``redirect`` when it is set.
    package func connect(to address: IPv4Address, port: UInt16) throws(SocketError) -> SocketHandle {
        guard let (host, port) = redirect?(address.description, port), let address = IPv4Address(host) else {
            return try SocketHandle.connect(to: address, port: port)
        }
        return try SocketHandle.connect(to: address, port: port)
    }

    // MARK: Host names

    /// Resolves a host without blocking the thread: numeric addresses at once, names on a dedicated thread.
    package func lookUp(_ host: String, _ completion: @escaping (Result<IPv4Address, SocketError>) -> Void) {
        if let address = IPv4Address(host) { return completion(.success(address)) }
        if lookups[host] != nil {
            lookups[host]?.append(completion)
            return
        }
        guard lookups.count < Self.maximumLookups else {
            return completion(.failure(SocketError(.systemFailure, "too many host names are being looked up at once")))
        }
        lookups[host] = [completion]
        let loop = loop
        let hasStarted = DedicatedThread.start {
            let result = IPv4Address.lookUp(host)
            loop.submit { core in
                for waiter in core.lookups.removeValue(forKey: host) ?? [] { waiter(result) }
            }
        }
        if !hasStarted {
            lookups[host] = nil
            completion(
                .failure(SocketError(.systemFailure, "cannot create a thread", hint: "raise 'ulimit -u'")))
        }
    }
}
