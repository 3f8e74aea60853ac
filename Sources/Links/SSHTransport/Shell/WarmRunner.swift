internal import MRS
internal import UAVLink

/// Runs the commands of a link in open shells, and in channels of their own where that is not possible.
///
/// A command that moves the vehicle is run once: again only if the shell has ended without having begun it, or could not find its
/// program. A stop may be run twice, which does no harm:
///
/// ```
///   stop ──▶ a free shell ──begun within 1 s──▶ its answer
///     │           └── not begun, or the shell ends ──▶ also in a channel of its own: the first answer counts
///     └── none is free ───────────────────────────────▶ in a channel of its own, at once
/// ```
///
/// Nothing overtakes what is newer. A stop is not run again once a newer one was given, and its shell is closed. A channel
/// of its own takes longer to start than a shell: as long as a command runs in one, newer ones do too; one that stops the vehicle
/// only as long as an older stop does, since it ends all others.
struct WarmRunner: Sendable {
    /// Runs the command in a channel of its own.
    typealias Fresh = @Sendable () async throws(LinkError) -> RemoteResult

    /// One command.
    struct Job: Sendable {
        /// Its script for a shell with the set-up done.
        var script: String
        /// The set-up of the shell that it needs.
        var setup: String
        var deadline: Deadline
        /// The most bytes of output.
        var outputLimit: Int
        /// Ends it when it is closed after `moment`.
        var register: ChannelRegister
        var moment: ChannelRegister.Moment
        /// Whether it is still to be run; asked just before.
        var isWanted: @Sendable () -> Bool = { true }
    }

    let pool: ShellPool
    let clock: any MonotonicClock

    /// How long a shell may take to begin a stop: it takes a round trip, and some milliseconds on the vehicle.
    static let patience: Duration = .seconds(1)
    /// The exit statuses of a shell that could not start a program, as when its environment is gone.
    private static let notStarted: Set<Int32> = [126, 127]

    // MARK: Commands

    /// Runs a command that is run at most once.
    ///
    /// - Throws: ``LinkError`` of the shell's channel or of `fresh`; `timedOut` if it is unknown whether it was run.
    func run(_ job: Job, fresh: Fresh) async throws(LinkError) -> RemoteResult {
        guard job.register.now == job.moment else { throw ChannelRecord.closed }
        guard job.isWanted() else { throw ChannelRecord.unwanted }
        guard !pool.hasCommandElsewhere, let shell = pool.take(setup: job.setup) else {
            return try await pool.elsewhere(isStop: false, fresh)
        }
        do throws(LinkError) {
            return try await run(job, in: shell)
        } catch {
            let hasNotRun = error == Self.notRun || Self.isEnd(error) && !shell.hasBegun
            guard hasNotRun else { throw Self.unknown(error, shell) }
        }
        // Whether it was replaced meanwhile, or has expired, this checks.
        return try await pool.elsewhere(isStop: false, fresh)
    }

    /// The result in a shell; throws ``notRun`` if the shell could not start the program.
    private func run(_ job: Job, in shell: WarmShell) async throws(LinkError) -> RemoteResult {
        job.register.add(shell, begunAt: job.moment)
        defer { job.register.remove(shell) }
        do throws(LinkError) {
            let result = try await shell.run(
                job.script, in: .subshellUntilClosed, by: job.deadline, outputLimit: job.outputLimit)
            guard !Self.notStarted.contains(result.exitStatus ?? 0) else { throw Self.notRun }
            pool.giveBack(shell)
            return RemoteResult(result)
        } catch {
            pool.drop(shell)
            throw error
        }
    }

    /// Whether the shell ended, and not its connection or the caller's patience.
    private static func isEnd(_ error: LinkError) -> Bool { error.code == .remoteFailed }

    private static func unknown(_ error: LinkError, _ shell: WarmShell) -> LinkError {
        guard shell.hasBegun, isEnd(error) else { return error }
        return LinkError(
            .timedOut, "\(error.what); unknown whether the vehicle received it",
            hint: "check the telemetry before repeating the command")
    }

    // MARK: Stops

    private enum Attempt: Sendable { case shell, channel }

    private enum Event: Sendable {
        case ended(Attempt, Result<RemoteResult, LinkError>)
        case late
    }

    /// Runs a command that stops the vehicle: without waiting for anything, and again where a shell fails.
    ///
    /// - Parameter isNewest: whether no newer stop was given; other newer commands wait for this one.
    /// - Throws: ``LinkError`` of the last attempt; `timedOut` if it is unknown whether it was run.
    func stop(
        _ job: Job, isNewest: @escaping @Sendable () -> Bool, fresh: @escaping Fresh
    ) async throws(LinkError) -> RemoteResult {
        guard !pool.hasStopElsewhere, let shell = pool.take(setup: job.setup) else {
            return try await pool.elsewhere(isStop: true, fresh)
        }
        let inShell: Fresh = { () async throws(LinkError) in try await run(job, in: shell) }
        let again: Fresh = { () async throws(LinkError) in try await pool.elsewhere(isStop: true, fresh) }
        return try await withTaskGroup(of: Event.self) { group -> Result<RemoteResult, LinkError> in
            group.addTask { .ended(.shell, await Self.result(inShell)) }
            group.addTask {
                try? await clock.sleep(until: clock.now + Self.patience)
                return .late
            }
            defer { group.cancelAll() }
            var pending: Set<Attempt> = [.shell]
            var hasTriedChannel = false
            var failure = Self.notRun
            while !pending.isEmpty, let event = await group.next() {
                switch event {
                case .ended(_, .success(let result)): return .success(result)
                case .ended(.shell, .failure(let error)):
                    pending.remove(.shell)
                    failure = Self.unknown(error, shell)
                    // Over a lost connection, and for a caller who does not wait any more, nothing is run again.
                    guard Self.isEnd(error) else { continue }
                case .ended(.channel, .failure(let error)):
                    pending.remove(.channel)
                    failure = error
                    continue
                case .late: guard !shell.hasBegun, pending.contains(.shell) else { continue }
                }
                guard !hasTriedChannel else { continue }
                // An older stop must not follow what is newer, also not from a shell that goes on later.
                guard isNewest() else { return .failure(pending.isEmpty ? failure : Self.replaced) }
                hasTriedChannel = true
                pending.insert(.channel)
                group.addTask { .ended(.channel, await Self.result(again)) }
            }
            return .failure(failure)
        }.get()
    }

    private static func result(_ body: Fresh) async -> Result<RemoteResult, LinkError> {
        do throws(LinkError) { return .success(try await body()) } catch { return .failure(error) }
    }

    private static let replaced = LinkError(
        .timedOut,
        "the shell on the vehicle does not answer, and a newer stop was given; unknown whether it was received",
        hint: "check the telemetry before repeating the command")
    private static let notRun = LinkError(.remoteFailed, "the shell on the vehicle could not start the program")
}
