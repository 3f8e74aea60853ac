internal import ROSMessages
internal import SystemIO
internal import XMLRPC

/// Keeps the node's publishers, subscribers and services registered with the master, across restarts of the master; used
/// on the I/O thread only.
///
/// ```
///            getPid answered                    a call failed, or another pid,
///  seeking ------------------> present         or the master does not know this node
///     ^                           |
///     +---------------------------+   then everything is registered again
/// ```
final class MasterSession {
    /// One registration of this node at the master.
    enum Registration: Hashable, CustomStringConvertible {
        case publisher(topic: String, type: String)
        case subscriber(topic: String, type: String)
        case service(String)

        var description: String {
            switch self {
            case .publisher(let topic, _): "the publisher of \(topic)"
            case .subscriber(let topic, _): "the subscriber of \(topic)"
            case .service(let name): "the service \(name)"
            }
        }
    }

    /// What is waited for.
    enum Event {
        /// The master answers.
        case answer
        /// The master has answered all registrations.
        case registrations
    }

    private enum Progress { case needed, asked, done, refused }

    /// How often the master is polled; a restart is noticed within that time.
    private static let watchInterval: Duration = .seconds(1)
    /// How often a master that does not answer is polled.
    private static let seekInterval: Duration = .milliseconds(250)
    /// The timeout of one call; the master answers within milliseconds, over a bad link within a second or two.
    private static let timeout: Duration = .seconds(3)

    private let uri: ROSURI
    private let node: NodeIdentity
    private let ownURI: String
    private let serviceURI: String
    private let connection: XMLRPCClientConnection
    private var timer: LoopTimer?
    private var registrations: [(what: Registration, progress: Progress)] = []
    private var removals: [Registration] = []
    private var pid: Int?
    private var wasFound = false
    private var isCalling = false
    private var waiters: [UInt64: (event: Event, call: (ROSError?) -> Void)] = [:]
    private var closing: (() -> Void)?
    private var isClosed = false
    /// The last error of a call to the master; `nil` while the master answers.
    private(set) var lastFailure: ROSError?
    /// Called with the publishers of a topic when the master has reported them.
    var onPublishers: ((String, [String], LoopCore) -> Void)?
    /// Called when the master answers for the first time, and when it answers again after a loss.
    var onFound: ((LoopCore) -> Void)?

    init(uri: ROSURI, node: NodeIdentity, ownURI: String, serviceURI: String) {
        self.uri = uri
        self.node = node
        self.ownURI = ownURI
        self.serviceURI = serviceURI
        connection = XMLRPCClientConnection(server: uri, closesWhenIdle: false)
    }

    func begin(on loop: LoopCore) {
        loop.add(connection)
        let timer = LoopTimer { [weak self] timer, loop in
            timer.set(.now + (self?.pid == nil ? Self.seekInterval : Self.watchInterval))
            self?.watch(on: loop)
        }
        timer.set(.now + Self.seekInterval)
        self.timer = timer
        loop.add(timer)
        watch(on: loop)
    }

    // MARK: Requests of the node

    func register(_ what: Registration, on loop: LoopCore) {
        removals.removeAll { $0 == what }
        guard !registrations.contains(where: { $0.what == what }) else { return }
        registrations.append((what, .needed))
        pump(on: loop)
    }

    func unregister(_ what: Registration, on loop: LoopCore) {
        guard let index = registrations.firstIndex(where: { $0.what == what }) else { return }
        let progress = registrations.remove(at: index).progress
        if progress != .needed { removals.append(what) }
        pump(on: loop)
    }

    /// Unregisters everything, as far as the master answers before the deadline.
    func close(until deadline: ContinuousClock.Instant, on loop: LoopCore, then done: @escaping () -> Void) {
        removals += registrations.filter { $0.progress != .needed }.map(\.what)
        registrations = []
        (closing, isClosed) = (done, true)
        settleWaiters(.nodeShutDown) { _ in true }
        if pid == nil || removals.isEmpty { return finishClosing() }
        let timer = LoopTimer { [weak self] timer, _ in
            timer.finish()
            self?.finishClosing()
        }
        timer.set(deadline)
        loop.add(timer)
        pump(on: loop)
    }

    private func finishClosing() {
        timer?.finish()
        closing?()
        closing = nil
    }

    // MARK: Waiting

    /// Calls once: when it has happened, or when the session is closed, with the error of that.
    func wait(_ number: UInt64, for event: Event, _ call: @escaping (ROSError?) -> Void) {
        if isClosed { return call(.nodeShutDown) }
        if hasHappened(event) { call(nil) } else { waiters[number] = (event, call) }
    }

    /// A waiter has given up: it is not called.
    func forgetWaiter(_ number: UInt64) { waiters[number] = nil }

    /// How many wait.
    var waiterCount: Int { waiters.count }

    private func hasHappened(_ event: Event) -> Bool {
        guard pid != nil else { return false }
        return switch event {
        case .answer: true
        case .registrations: registrations.allSatisfy { $0.progress == .done || $0.progress == .refused }
        }
    }

    private func notifyIfRegistered() {
        if hasHappened(.registrations) { settleWaiters(nil) { $0 == .registrations } }
    }

    private func settleWaiters(_ error: ROSError?, _ isMeant: (Event) -> Bool) {
        let settled = waiters.filter { isMeant($0.value.event) }
        for number in settled.keys { waiters[number] = nil }
        for waiter in settled.values { waiter.call(error) }
    }

    // MARK: Watching

    private func watch(on loop: LoopCore) {
        guard !isCalling else { return }
        call("getPid", [], on: loop) { session, result, loop in
            switch result {
            case .success(let value): session.answered(value.intValue ?? 0, on: loop)
            case .failure: break
            }
        }
    }

    private func answered(_ pid: Int, on loop: LoopCore) {
        if self.pid == pid {
            // The same process, or a new one with the same pid (in a container every master is process 1): a restarted
            // master does not know this node.
            guard registrations.contains(where: { $0.progress == .done }) else { return pump(on: loop) }
            call("lookupNode", [.string(node.name)], on: loop) { session, result, loop in
                if case .failure(let error) = result, error.code == .refused { session.found(on: loop) }
                session.pump(on: loop)
            }
            return
        }
        self.pid = pid
        found(on: loop)
    }

    private func found(on loop: LoopCore) {
        for index in registrations.indices { registrations[index].progress = .needed }
        node.tell(.masterFound(uri: uri.description, again: wasFound))
        wasFound = true
        lastFailure = nil
        onFound?(loop)
        settleWaiters(nil) { $0 == .answer }
        pump(on: loop)
    }

    private func lost(_ error: ROSError) {
        lastFailure = error
        if pid != nil { node.tell(.masterLost(error)) }
        pid = nil
        timer?.set(.now + Self.seekInterval)
        if closing != nil { finishClosing() }
    }

    // MARK: Calls

    private func call(
        _ method: String, _ parameters: [XMLRPCValue], on loop: LoopCore,
        then: @escaping (MasterSession, Result<XMLRPCValue, ROSError>, LoopCore) -> Void
    ) {
        isCalling = true
        connection.ask(
            XMLRPCCall(method, [.string(node.name)] + parameters), until: .now + Self.timeout, on: loop
        ) { [weak self] result, loop in
            guard let self else { return }
            self.isCalling = false
            let value = ROSMaster.value(of: result, from: self.uri, isMaster: true)
            if case .failure(let error) = value, error.code != .refused { self.lost(error) }
            then(self, value, loop)
        }
    }

    /// Sends the next pending call to the master.
    private func pump(on loop: LoopCore) {
        guard !isCalling, pid != nil else { return }
        if !removals.isEmpty {
            let removal = removals.removeFirst()
            let (method, parameters) = words(for: removal, registering: false)
            return call(method, parameters, on: loop) { session, _, loop in session.pump(on: loop) }
        }
        if closing != nil { return finishClosing() }
        guard let index = registrations.firstIndex(where: { $0.progress == .needed }) else {
            return notifyIfRegistered()
        }
        registrations[index].progress = .asked
        let what = registrations[index].what
        let (method, parameters) = words(for: what, registering: true)
        call(method, parameters, on: loop) { session, result, loop in
            session.registered(what, result, on: loop)
            session.pump(on: loop)
        }
    }

    private func registered(_ what: Registration, _ result: Result<XMLRPCValue, ROSError>, on loop: LoopCore) {
        let progress: Progress
        switch result {
        case .success(let value):
            progress = .done
            if case .subscriber(let topic, _) = what { onPublishers?(topic, value.stringsValue ?? [], loop) }
        case .failure(let error) where error.code == .refused:
            progress = .refused
            node.tell(.registrationRefused(what: what.description, error))
        case .failure: progress = .needed
        }
        // It may have been unregistered, or marked for registration again, during the call.
        if let index = registrations.firstIndex(where: { $0.what == what }), registrations[index].progress == .asked {
            registrations[index].progress = progress
        }
    }

    private func words(for what: Registration, registering: Bool) -> (String, [XMLRPCValue]) {
        switch (what, registering) {
        case (.publisher(let topic, let type), true):
            ("registerPublisher", [.string(topic), .string(type), .string(ownURI)])
        case (.publisher(let topic, _), false): ("unregisterPublisher", [.string(topic), .string(ownURI)])
        case (.subscriber(let topic, let type), true):
            ("registerSubscriber", [.string(topic), .string(type), .string(ownURI)])
        case (.subscriber(let topic, _), false): ("unregisterSubscriber", [.string(topic), .string(ownURI)])
        case (.service(let name), true): ("registerService", [.string(name), .string(serviceURI), .string(ownURI)])
        case (.service(let name), false): ("unregisterService", [.string(name), .string(serviceURI)])
        }
    }
}
