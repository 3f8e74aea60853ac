import Impairment
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

/// What is done wrong on purpose, to see that the judge finds it.
public enum BrokenRule: String, Sendable, CaseIterable {
    /// A command that takes over is passed on without the lease being notified.
    case leaseForgetsCommands
    /// Steering need not begin neutral, nor command be taken.
    case anybodySteers
    /// Setpoints are good for longer than they say.
    case setpointsLiveLonger
    /// A command that comes again is executed again.
    case commandsRunTwice
    /// Nothing watches whether setpoints stop.
    case silenceIsIgnored
    /// Who is in command may begin to steer with the stick pushed.
    case neutralIsNotDemanded
    /// The replay window is off by one: it does not know the newest frame when it comes again.
    case windowForgetsNewest
    /// The companion commands hover when the lease expires.
    case companionHovers
    /// Whoever lost control authority to another steers on.
    case takeOverIsForgotten
    /// The companion holds commands back, and begins them whatever their deadline.
    case lateCommandsBegin
    /// Every command is answered as done.
    case answersLie
    /// There is a place for every ticket.
    case ticketsWithoutEnd
    /// The companion does not know what the vehicle does.
    case vehicleIsNotHeard
    /// A ground keeps a session that is not heard any more.
    case sessionsAreNotRenewed
    /// A command that was on its way for long moves the vehicle after a newer stop of another ground.
    case stopsAreForgotten
    /// Each step of a sequence knows of the stops that came since its first.
    case sequencesGoOn
}

/// Two grounds, their pilots, a bad network, a companion and a vehicle in one process: one seed, one virtual clock, no threads.
public final class World: @unchecked Sendable {
    /// What a run came to.
    public struct Outcome: Sendable {
        /// The rule that was broken first, and how; begins with the rule's name.
        public var finding: String?
        /// What happened, when it was asked for.
        public var trace: [String]
        /// Setpoints that reached the vehicle.
        public var setpoints: Int
        /// Commands that it executed.
        public var commands: Int
        /// Instants at which something happened.
        public var steps: Int
    }

    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
    var dice: Dice
    /// For faults that were added later: the others of a seed stay where they were.
    var laterDice: Dice
    /// For what was added still later.
    var latestDice: Dice
    /// For sequences of commands.
    var sequenceDice: Dice
    let judge = Judge(lease: World.lease)
    let broken: BrokenRule?
    private(set) lazy var vehicle = ModelVehicle(self)
    var grounds: [SimulatedGround] = []
    private(set) lazy var end = SimulatedCompanion(self)
    var network: ImpairedNetwork<Destination>
    var scheduled = TimeQueue<() -> Void>()
    /// From then on nothing more is broken, and everything must heal.
    let faultsEnd: MonotonicTime
    /// When the last fault so far is over.
    var faultsOver: MonotonicTime
    var nextFault: MonotonicTime
    var steps = 0
    var nextDiagnostics = MonotonicTime(nanoseconds: 1_000_000_000)

    /// Where a ground was when it sent.
    struct Address: Hashable {
        let ground: Int
        let address: Int
    }

    enum Destination: Hashable { case companion(from: Address), ground(Address) }

    static let lease: Duration = .milliseconds(200)
    /// Of one companion: few, so that they are all taken now and then.
    static let mostSessions = 6
    /// Frames that a socket holds for one who does not read.
    static let socketBuffer = 200
    /// So long after the last fault everything must work again: a ground notices within five seconds that its session is no more, and
    /// each pilot takes a turn.
    static let heals: Duration = .seconds(12)

    /// A world of that seed.
    public init(seed: UInt64, seconds: Int = 12, broken: BrokenRule? = nil, keepsTrace: Bool = false) {
        dice = Dice(seed: seed)
        laterDice = Dice(seed: ~seed)
        latestDice = Dice(seed: seed &* 10)
        sequenceDice = Dice(seed: seed &* 11)
        network = ImpairedNetwork(seed: seed)
        self.broken = broken
        faultsEnd = now + .seconds(Int64(seconds))
        faultsOver = now
        nextFault = now + .milliseconds(500)
        judge.keepsTrace = keepsTrace
        grounds = (0..<2).map { SimulatedGround(self, number: $0) }
        network.impairment = calm
    }

    let frame = FrameBuffer()
    /// The network without a fault. A slow one shows soon that setpoints live too long: steering that begins neutral hides most of that.
    private(set) lazy var calm = Impairment(
        delay: .milliseconds(broken == .setpointsLiveLonger ? 120 : 3), jitter: .milliseconds(2))

    // MARK: Time

    /// Does something so much later.
    func after(_ duration: Duration, _ body: @escaping () -> Void) {
        scheduled.add(body, at: now + duration)
    }

    /// Runs to the end, or to the first rule that is broken.
    public func run() -> Outcome {
        // What was still to come holds this world.
        defer { scheduled = TimeQueue() }
        for ground in grounds { ground.start() }
        while judge.finding == nil, !hasHealed { step() }
        return Outcome(
            finding: judge.finding?.description, trace: judge.trace, setpoints: judge.setpointsApplied,
            commands: judge.commandsExecuted, steps: steps)
    }

    /// No fault is left, and from now on none comes.
    private(set) var mustHeal = false
    /// Whose turn it is to show that he can fly; `nil` when all have.
    var showsNow: Int? { grounds.first { !judge.haveFlown.contains($0.number) }?.number }

    /// Everything works again; not in time is a finding.
    var hasHealed: Bool {
        guard now >= faultsEnd, now >= faultsOver else { return false }
        if !mustHeal {
            mustHeal = true
            judge.note("nothing is broken any more", at: now)
            judge.forgetWhoFlew()
        }
        guard let ailment = grounds.lazy.compactMap(\.ailment).first else { return true }
        if now > max(faultsEnd, faultsOver) + Self.heals { judge.broke("recovers", ailment, at: now) }
        return false
    }

    func step() {
        // Everything that is due now.
        if nextFault <= now, now < faultsEnd { breakSomething() }
        if nextDiagnostics <= now {
            nextDiagnostics = now + .milliseconds(100)
            let telemetry = vehicle.diagnostics(heardAt: now)
            let late = dice.milliseconds(0...3)
            if vehicle.reach != .nothing, vehicle.runs { after(late) { [self] in end.hears(telemetry) } }
        }
        while let body = scheduled.takeDue(at: now) { body() }
        if let at = network.nextArrival, at <= now { deliver() }
        vehicle.passTime()
        for ground in grounds where ground.due <= now { ground.work() }
        if end.due <= now { end.work() }
        if vehicle.reach == .nothing { judge.vehicleIsUnreached(at: now) }
        judge.look(at: vehicle, companionRuns: end.runs, at: now)
        // Two for each command that may be under way.
        judge.bound("things planned", scheduled.count, atMost: 400, at: now)
        judge.bound("frames under way", network.underWay, atMost: 500, at: now)
        // On to the next thing that happens, a microsecond at least.
        var next = min(nextDiagnostics, now < faultsEnd ? nextFault : .never)
        if let at = scheduled.next { next = min(next, at) }
        if let at = network.nextArrival { next = min(next, at) }
        if let at = vehicle.nextDeadline { next = min(next, at) }
        for ground in grounds { next = min(next, ground.due) }
        next = min(next, end.due)
        steps += 1
        now = MonotonicTime(nanoseconds: max(next.nanoseconds, now.nanoseconds + 1000))
    }

    // MARK: Network

    func deliver() {
        for (to, bytes) in network.arrivals(at: now) {
            switch to {
            case .companion(let from): end.receive(bytes, from: from)
            case .ground(let to):
                if grounds.indices.contains(to.ground) { grounds[to.ground].receive(bytes, at: to.address) }
            }
        }
    }

    func send(_ bytes: [UInt8], to destination: Destination) {
        switch destination {
        case .companion(let from): if cutUp.contains(from.ground) { return }
        case .ground(let to): if cutDown.contains(to.ground) { return }
        }
        network.send(bytes, to: destination, now: now)
    }

    /// Grounds from which, and to which, nothing gets through.
    var cutUp: Set<Int> = []
    var cutDown: Set<Int> = []
}
