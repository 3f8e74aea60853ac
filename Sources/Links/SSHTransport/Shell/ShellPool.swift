internal import Synchronization
internal import UAVLink

/// The open shells of one link over one session.
///
/// Nobody waits for a shell: where none is free, the command is run otherwise, and shells are opened in the background, ``most``
/// at a time: with the topics of telemetry and a spare channel they are seven of the ten that sshd allows a connection.
///
/// ```
///   opening ──▶ idle ──take──▶ lent ──give back──▶ idle
///      │                         └──drop: it failed or was ended──▶ closed
///      └─ failed: none is opened for ``pause``
/// ```
final class ShellPool: Sendable {
    /// Opens a shell with this set-up.
    typealias Opener = @Sendable (_ setup: String) async throws(LinkError) -> WarmShell

    private struct State {
        var idle: [WarmShell] = []
        var lent = 0
        /// Those that are being opened; `nil` until their task is known.
        var opening: [UInt64: Task<Void, Never>?] = [:]
        var next: UInt64 = 0
        var pausedUntil: MonotonicTime?
        var isClosed = false
        /// The commands that run in channels of their own, and those of them that stop the vehicle.
        var elsewhere = 0
        var stopsElsewhere = 0
    }

    /// The most shells that are open at once: a stop command finds one while another command runs.
    static let most = 2
    /// After a shell could not be opened, as when sshd allows no more channels: commands need those that are left.
    static let pause: Duration = .seconds(30)

    private let clock: any MonotonicClock
    private let open: Opener
    private let state = Mutex(State())

    /// Creates an empty pool.
    init(clock: any MonotonicClock, open: @escaping Opener) {
        self.clock = clock
        self.open = open
    }

    deinit { close() }

    /// Opens the first shell, and others in the background; does nothing if it cannot be opened.
    func openFirst(setup: String) async {
        guard let number = reserve() else { return }
        opened(try? await open(setup), number)
        fill(setup: setup)
    }

    /// A free shell with this set-up, at once; `nil` if there is none. It must be given back or dropped.
    func take(setup: String) -> WarmShell? {
        let (shell, obsolete) = state.withLock { state -> (WarmShell?, [WarmShell]) in
            var obsolete: [WarmShell] = []
            while let shell = state.idle.popLast() {
                guard !shell.hasEnded, shell.setup == setup else {
                    obsolete.append(shell)
                    continue
                }
                state.lent += 1
                return (shell, obsolete)
            }
            return (nil, obsolete)
        }
        for shell in obsolete { shell.close() }
        fill(setup: setup)
        return shell
    }

    // MARK: Commands in channels of their own

    /// Whether a command runs in a channel of its own, where it takes longer to start: a newer one in a shell would overtake it.
    var hasCommandElsewhere: Bool { state.withLock { $0.elsewhere > 0 } }
    /// Whether such a command stops the vehicle.
    var hasStopElsewhere: Bool { state.withLock { $0.stopsElsewhere > 0 } }

    /// Runs a command in a channel of its own. For one that stops the vehicle, no shells are opened for now: they would take a
    /// channel from it.
    func elsewhere<Outcome>(
        isStop: Bool, _ body: () async throws(LinkError) -> Outcome
    ) async throws(LinkError) -> Outcome {
        count(1, isStop: isStop)
        defer { count(-1, isStop: isStop) }
        if isStop { stopOpening() }
        return try await body()
    }

    private func count(_ change: Int, isStop: Bool) {
        state.withLock { state in
            state.elsewhere += change
            if isStop { state.stopsElsewhere += change }
        }
    }

    private func stopOpening() {
        let tasks = state.withLock { state in
            state.pausedUntil = clock.now + Self.pause
            return state.opening.values.compactMap(\.self)
        }
        for task in tasks { task.cancel() }
    }

    // MARK: Giving back

    /// Makes a shell free again, after a command that has ended in it.
    func giveBack(_ shell: WarmShell) {
        let isKept = state.withLock { state in
            state.lent -= 1
            guard !state.isClosed, !shell.hasEnded else { return false }
            state.idle.append(shell)
            return true
        }
        if !isKept { shell.close() }
    }

    /// Closes a shell that was taken, and opens another one.
    func drop(_ shell: WarmShell) {
        state.withLock { $0.lent -= 1 }
        shell.close()
        fill(setup: shell.setup)
    }

    /// Closes the idle shells; those that are lent are closed when they come back. Safe to call twice.
    func close() {
        let (shells, tasks) = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return (state.idle, state.opening.values.compactMap(\.self))
        }
        for task in tasks { task.cancel() }
        for shell in shells { shell.close() }
    }

    private func fill(setup: String) {
        while let number = reserve() {
            let task = Task { [weak self, open] in
                let shell = try? await open(setup)
                self?.opened(shell, number)
            }
            state.withLock { if $0.opening[number] != nil { $0.opening[number] = .some(task) } }
        }
    }

    private func reserve() -> UInt64? {
        let now = clock.now
        return state.withLock { state in
            guard !state.isClosed, state.idle.count + state.lent + state.opening.count < Self.most,
                state.pausedUntil.map({ $0 <= now }) ?? true
            else { return nil }
            state.next += 1
            state.opening.updateValue(nil, forKey: state.next)
            return state.next
        }
    }

    private func opened(_ shell: WarmShell?, _ number: UInt64) {
        let isKept = state.withLock { state in
            state.opening.removeValue(forKey: number)
            guard let shell else {
                state.pausedUntil = clock.now + Self.pause
                return false
            }
            guard !state.isClosed else { return false }
            state.idle.append(shell)
            return true
        }
        if !isKept { shell?.close() }
    }
}
