import Companion
import Impairment
import UAVLink
import UAVTestKit

@testable import SocketTransport

/// A clock that the world moves, with an error of its own.
final class WorldClock: MonotonicClock, @unchecked Sendable {
    // In nanoseconds: `Duration` counts attoseconds in 128 bits, and this is asked several times a step.
    private var true0: Int64 = 0
    private var shown0: Int64
    /// How fast it goes: 1.1 gains a tenth.
    private var rate = 1.0
    private(set) var now: MonotonicTime

    init(start: MonotonicTime) {
        shown0 = start.nanoseconds
        now = start
    }

    func shown(at time: MonotonicTime) -> MonotonicTime {
        MonotonicTime(nanoseconds: shown0 + Int64(Double(time.nanoseconds - true0) * rate))
    }

    /// When it will show that.
    func trueTime(of shown: MonotonicTime) -> MonotonicTime {
        guard shown.nanoseconds < .max / 2 else { return .never }
        return MonotonicTime(
            nanoseconds: true0 + Int64((Double(shown.nanoseconds - shown0) / rate).rounded(.up)))
    }

    func move(to time: MonotonicTime) { now = shown(at: time) }

    /// From that instant on it goes faster or slower.
    func slew(_ rate: Double, at time: MonotonicTime) {
        move(to: time)
        shown0 = now.nanoseconds
        true0 = time.nanoseconds
        self.rate = rate
    }

    func sleep(until deadline: MonotonicTime) async throws(CancellationError) {}
    func block(until deadline: MonotonicTime) {}
}

extension MonotonicTime {
    static let never = MonotonicTime(nanoseconds: .max)
    static let atOnce = MonotonicTime(nanoseconds: .min)
}

/// What is done wrong on purpose, to see that the judge finds it.
public enum BrokenRule: String, Sendable, CaseIterable {
    /// A command that takes over is passed on without the lease being told.
    case leaseForgetsCommands
    /// Steering need not begin neutral, nor command be taken.
    case anybodySteers
    /// Setpoints are good for longer than they say.
    case setpointsLiveLonger
    /// A command that comes again is executed again.
    case commandsRunTwice
    /// Nobody looks whether setpoints stop.
    case silenceIsIgnored
}

/// Two grounds, their pilots, a bad network, a companion and a vehicle in one process: one seed, one virtual clock, no threads.
public final class World: @unchecked Sendable {
    /// What a run came to.
    public struct Outcome: Sendable {
        /// The rule that was broken first, and how.
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
    let judge = Judge()
    let broken: BrokenRule?
    private(set) lazy var vehicle = ModelVehicle(self)
    private var grounds: [SimulatedGround] = []
    private(set) lazy var end = SimulatedCompanion(self)
    private var network: ImpairedNetwork<Place>
    private var scheduled = TimeQueue<() -> Void>()
    /// From then on nothing more is broken, and everything must heal.
    private let faultsEnd: MonotonicTime
    private let ends: MonotonicTime
    private var nextFault: MonotonicTime
    private var steps = 0
    private var nextDiagnostics = MonotonicTime(nanoseconds: 1_000_000_000)

    enum Place: Hashable { case companion(ground: Int), ground(Int) }

    static let lease: Duration = .milliseconds(200)

    /// A world of that seed.
    public init(seed: UInt64, seconds: Int = 12, broken: BrokenRule? = nil, keepsTrace: Bool = false) {
        dice = Dice(seed: seed)
        network = ImpairedNetwork(seed: seed)
        self.broken = broken
        faultsEnd = now + .seconds(Int64(seconds))
        ends = faultsEnd + .seconds(10)
        nextFault = now + .milliseconds(500)
        judge.keepsTrace = keepsTrace
        grounds = (0..<2).map { SimulatedGround(self, number: $0) }
        network.impairment = calm
    }

    private let calm = Impairment(delay: .milliseconds(3), jitter: .milliseconds(2))

    // MARK: Time

    /// Does something so much later.
    func after(_ duration: Duration, _ body: @escaping () -> Void) {
        scheduled.add(body, at: now + duration)
    }

    /// Runs to the end, or to the first rule that is broken.
    public func run() -> Outcome {
        for ground in grounds { ground.start() }
        while now < ends, judge.finding == nil { step() }
        if judge.finding == nil { for ground in grounds { ground.judgeHealth() } }
        return Outcome(
            finding: judge.finding?.description, trace: judge.trace, setpoints: judge.setpointsApplied,
            commands: judge.commandsExecuted, steps: steps)
    }

    private func step() {
        // Everything that is due now.
        if nextFault <= now, now < faultsEnd { breakSomething() }
        if nextDiagnostics <= now {
            nextDiagnostics = now + .milliseconds(100)
            let telemetry = vehicle.diagnostics(heardAt: now)
            let late = dice.milliseconds(0...3)
            after(late) { [self] in end.hears(telemetry) }
        }
        while let body = scheduled.takeDue(at: now) { body() }
        if let at = network.nextArrival, at <= now { deliver() }
        vehicle.passTime()
        for ground in grounds where ground.due <= now { ground.work() }
        if end.due <= now { end.work() }
        judge.look(at: vehicle, lease: Self.lease, companionRuns: end.runs, at: now)
        // On to the next thing that happens, a microsecond at least.
        var next = min(nextDiagnostics, now < faultsEnd ? nextFault : ends)
        if let at = scheduled.next { next = min(next, at) }
        if let at = network.nextArrival { next = min(next, at) }
        if let at = vehicle.nextDeadline { next = min(next, at) }
        for ground in grounds { next = min(next, ground.due) }
        next = min(next, end.due)
        steps += 1
        now = MonotonicTime(nanoseconds: max(next.nanoseconds, now.nanoseconds + 1000))
    }

    // MARK: Network

    private func deliver() {
        for (place, bytes) in network.arrivals(at: now) {
            switch place {
            case .companion(let ground): end.receive(bytes, from: ground)
            case .ground(let number): grounds[number].receive(bytes)
            }
        }
    }

    func send(_ bytes: [UInt8], to place: Place) {
        if isCut(place) { return }
        network.send(bytes, to: place, now: now)
    }

    private var cuts: Set<Place> = []
    private func isCut(_ place: Place) -> Bool { cuts.contains(place) }

    // MARK: Faults

    private func breakSomething() {
        nextFault = now + dice.milliseconds(50...1500)
        let length = dice.milliseconds(50...3000)
        let ground = dice.pick(grounds)
        switch dice.next() % 16 {
        case 0:
            network.impairment = Impairment(
                delay: dice.milliseconds(0...60), jitter: dice.milliseconds(0...80), loss: dice.share() * 0.4,
                duplication: dice.share() * 0.2, reordering: dice.share() * 0.2)
            judge.note("network \(network.impairment)", at: now)
            after(length) { [self] in network.impairment = calm }
        case 1:
            judge.note("blackout for \(length)", at: now)
            network.isDark = true
            after(length) { [self] in network.isDark = false }
        case 2:
            let place: Place = dice.hits(0.5) ? .companion(ground: ground.number) : .ground(ground.number)
            judge.note("nothing to \(place) for \(length)", at: now)
            cuts.insert(place)
            after(length) { [self] in cuts.remove(place) }
        case 3: ground.pause(for: length)
        case 4: end.pause(for: min(length, .milliseconds(1500)))
        case 5: ground.restart(after: dice.milliseconds(10...2000))
        case 6: end.restart(after: dice.milliseconds(10...2000))
        case 7:
            judge.note("slow services for \(length)", at: now)
            vehicle.serviceDelay = 100...900
            after(length) { [self] in vehicle.serviceDelay = 2...20 }
        case 8:
            judge.note("services refuse for \(length)", at: now)
            vehicle.refusesShare = 0.5
            after(length) { [self] in vehicle.refusesShare = 0 }
        case 9:
            judge.note("somebody else lands it", at: now)
            vehicle.landedByOthers()
            after(dice.milliseconds(300...2000)) { [self] in vehicle.touchesDown() }
        case 10:
            judge.note("radio for \(length)", at: now)
            vehicle.takenByRadio()
            after(length) { [self] in vehicle.givenBackByRadio() }
        case 11, 12:
            // chrony at its limit.
            let rate = 1 + (dice.share() * 2 - 1) * 0.1
            judge.note("clock of ground \(ground.number) at \(rate)", at: now)
            ground.slew(rate)
            after(length) { ground.slew(1) }
        default: break
        }
    }

}
