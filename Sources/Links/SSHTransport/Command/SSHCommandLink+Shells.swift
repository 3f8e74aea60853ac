internal import MRS
internal import UAVLink

/// What the link runs in open shells, over `ssh-shell`: `rosservice call`, the same as over `ssh`, without the set-up, which they
/// have done already.
extension SSHCommandLink {
    /// How long a shell may take to open: its set-up takes some 0.3 s, on a slow computer seconds.
    private static let shellTimeout: Duration = .seconds(8)

    func makeShells(in session: SSHSession) -> ShellPool {
        ShellPool(clock: clock) { (setup) async throws(LinkError) in
            try await WarmShell.open(in: session, setup: setup, by: Deadline(in: Self.shellTimeout))
        }
    }

    /// Opens the first shell while the link connects. If that fails, commands are run in channels of their own; what is wrong with
    /// the set-up, they report.
    func openFirst(of shells: ShellPool?, in session: SSHSession, by deadline: Deadline) async {
        guard let shells else { return }
        do throws(LinkError) {
            await shells.openFirst(setup: try await environment.lines(in: session, by: deadline).setup)
        } catch {}
    }

    /// Runs one `rosservice call`, in an open shell where there are any.
    ///
    /// - Parameters:
    ///   - isNewest: for a command that stops the vehicle: whether no newer one was given. It may be run twice.
    ///   - isWanted: whether a setpoint is still young enough; asked just before it is sent.
    func run(
        _ call: ServiceCall, on session: SSHSession, by deadline: Deadline, _ register: ChannelRegister,
        begunAt moment: ChannelRegister.Moment, stopsWhile isNewest: (@Sendable () -> Bool)? = nil,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(LinkError) -> RemoteResult {
        let fresh: WarmRunner.Fresh = { () async throws(LinkError) in
            try await self.run(on: session, by: deadline, register, begunAt: moment, isWanted: isWanted) {
                $0.abortableCall(call)
            }
        }
        guard let shells, let known = environment.known, known.failure == nil else { return try await fresh() }
        let command = ROSCommandLines(names: names, environment: .init(profileSetup: "", ros: environment.ros))
            .abortableCall(call)
        // Only such a command takes nothing from the input of the shell.
        guard case .untilClosed = command.input else { return try await fresh() }
        let runner = WarmRunner(pool: shells, clock: clock)
        let job = WarmRunner.Job(
            script: command.script, setup: known.setup, deadline: deadline, outputLimit: Self.largestAnswer,
            register: register, moment: moment, isWanted: isWanted)
        guard let isNewest else { return try await runner.run(job, fresh: fresh) }
        return try await runner.stop(job, isNewest: isNewest, fresh: fresh)
    }
}
