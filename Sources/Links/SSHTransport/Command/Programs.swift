internal import MRS
internal import UAVLink

/// The programs of one link on the vehicle: their channels by what ends them, and their order (``ProgramOrder``).
struct Programs: Sendable {
    /// A command that has begun, and what ends its program.
    struct Begun: Sendable {
        let command: Command
        let ticket: ProgramOrder.Ticket
        let register: ChannelRegister
        let moment: ChannelRegister.Moment

        /// Whether a newer command has ended it, or the link was closed.
        var isReplaced: Bool { register.now != moment }
    }

    /// Runs the program of a command until the deadline.
    typealias Run = @Sendable (Begun, Deadline) async throws(LinkError) -> CommandReply

    /// Those of commands that move the vehicle: a newer one, or one that stops it, ends what has not reached it.
    let motions = ChannelRegister()
    /// Those of commands that arm it or switch it on: a halt ends what has not reached it.
    let switches = ChannelRegister()
    let steerings = ChannelRegister()
    let echoes = ChannelRegister()
    /// Those of halts, which stop it, land it or switch it off: nothing ends them while the link is open.
    let halts = ChannelRegister()
    let others = ChannelRegister()
    let order: ProgramOrder
    private let clock: any MonotonicClock

    /// How long a halt that is under way may take when the link is closed: its program takes some 1 s to reach the vehicle.
    static let farewell: Duration = .seconds(3)
    /// How long a stop waits for an older one, to be run again after it: later the vehicle may do something else by itself.
    static let longestOvertaking: Duration = .seconds(5)

    init(clock: any MonotonicClock) {
        self.clock = clock
        order = ProgramOrder(clock: clock)
    }

    // MARK: Commands

    /// Runs a command in its order: at once if it is a halt, which stops, lands or switches off the vehicle.
    ///
    /// A halt goes on when its caller leaves, also a disarming: whether it has reached the vehicle, nobody knows by then, and a
    /// vehicle that stays armed, or cannot be controlled and is not switched off, is worse than one that is as commanded.
    ///
    /// - Parameter ended: called when nothing of it is under way any more.
    /// - Throws: ``LinkError`` of `run`; `timedOut` if older stops were not answered until the deadline, `cancelled`.
    func perform(
        _ command: Command, by deadline: Deadline, _ run: @escaping Run, ended: @escaping @Sendable () -> Void
    ) async throws(LinkError) -> CommandReply {
        let begun = begin(command)
        guard command.isHalt else {
            defer {
                order.end(begun.ticket)
                ended()
            }
            try await waitForHalts(begun, by: deadline)
            return try await run(begun, deadline)
        }
        let answer = LateAnswer<CommandReply>()
        Task(priority: .high) {
            await halt(begun, by: deadline, answer, run)
            order.end(begun.ticket)
            ended()
        }
        return try await answer.value(
            left: LinkError(
                .cancelled, "no longer waited for '\(command.name)'; unknown whether the vehicle received it",
                hint: "check the telemetry"))
    }

    /// Ends the programs that a command replaces, well before its own has started.
    private func begin(_ command: Command) -> Begun {
        if command.interruptsSteering {
            steerings.closeAll(includingLater: false)
            motions.closeAll(includingLater: false)
        }
        if command.isHalt { switches.closeAll(includingLater: false) }
        let register = register(of: command)
        let moment = register.now
        return Begun(command: command, ticket: order.begin(command), register: register, moment: moment)
    }

    private func register(of command: Command) -> ChannelRegister {
        if command.isHalt { return halts }
        if command.interruptsSteering { return motions }
        return command.switchesOn ? switches : others
    }

    /// Before a command that moves, arms or switches the vehicle on: until the older halts have reached it.
    private func waitForHalts(_ begun: Begun, by deadline: Deadline) async throws(LinkError) {
        guard begun.command.interruptsSteering || begun.command.switchesOn else { return }
        let end = clock.now + deadline.remaining
        if await order.waitForOlderHalts(than: begun.ticket, until: end, orUntil: { begun.isReplaced }) { return }
        throw Task.isCancelled
            ? LinkError(.cancelled, "\(begun.command.name) was cancelled before it was sent")
            : LinkError(
                .timedOut,
                "'\(begun.command.name)' was not sent: an older command that stops the vehicle is not answered")
    }

    /// Runs a halt; a stop again after an older one that may have reached the vehicle after it.
    private func halt(_ begun: Begun, by deadline: Deadline, _ answer: LateAnswer<CommandReply>, _ run: Run) async {
        do throws(LinkError) {
            answer.give(.success(try await run(begun, deadline)))
            guard begun.ticket.mayBeOvertaken else { return }
            let end = clock.now + Self.longestOvertaking
            guard await order.waitForOlderHalts(than: begun.ticket, until: end), order.isNewestStop(begun.ticket) else {
                return
            }
            _ = try await run(begun, Deadline(in: Self.longestOvertaking))
        } catch {
            answer.give(.failure(error))
        }
    }

    // MARK: Closing

    func closeAllButHalts() {
        for register in [others, motions, switches, steerings, echoes] { register.closeAll(includingLater: true) }
        order.recheck()
    }

    /// Gives those halts that are under way ``farewell``, then ends them.
    func closeHalts() async {
        await order.waitForHalts(until: clock.now + Self.farewell)
        halts.closeAll(includingLater: true)
    }
}
