import Companion
import UAVLink
import UAVTestKit
import Impairment

@testable import ChannelProtocol

/// Faults at random instants.
extension World {
    // MARK: Faults

    /// A fault lasts so long.
    func lasts(_ duration: Duration, _ end: @escaping () -> Void = {}) {
        faultsOver = max(faultsOver, now + duration)
        after(duration, end)
    }

    func breakSomething() {
        nextFault = now + dice.milliseconds(50...1500)
        switch dice.next() % 10 {
        case 0, 1, 2: breakNetwork()
        case 3, 4, 5: breakMachine(dice.pick(grounds))
        case 6: breakClock(dice.pick(grounds))
        default: breakVehicle()
        }
    }

    func breakNetwork() {
        let length = dice.milliseconds(50...3000)
        let ground = dice.pick(grounds)
        switch dice.next() % 5 {
        case 0, 1:
            network.impairment = Impairment(
                delay: dice.milliseconds(0...60), jitter: dice.milliseconds(0...80), loss: dice.share() * 0.4,
                duplication: dice.share() * 0.2, reordering: dice.share() * 0.2)
            judge.note("network \(network.impairment)", at: now)
            lasts(length) { [self] in network.impairment = calm }
        case 2:
            judge.note("blackout for \(length)", at: now)
            network.isDark = true
            lasts(length) { [self] in network.isDark = false }
        case 3:
            judge.note("nothing from ground \(ground.number) for \(length)", at: now)
            cutUp.insert(ground.number)
            lasts(length) { [self] in cutUp.remove(ground.number) }
        default:
            judge.note("nothing to ground \(ground.number) for \(length)", at: now)
            cutDown.insert(ground.number)
            lasts(length) { [self] in cutDown.remove(ground.number) }
        }
    }

    func breakMachine(_ ground: SimulatedGround) {
        let length = dice.milliseconds(50...3000)
        lasts(length)
        switch dice.next() % 8 {
        case 0: ground.pause(for: length)
        case 1: end.pause(for: min(length, .milliseconds(1500)))
        case 2: ground.restart(after: length)
        case 3: end.restart(after: length)
        case 4: ground.stopReading(for: length)
        case 5, 6: ground.roam()
        default:
            if laterDice.hits(0.3) { ground.flood() } else { callStrangers() }
        }
    }

    /// Tickets are asked for by whoever does not fly, up to more than there are places.
    func callStrangers() {
        let opens = dice.hits(0.8)
        let count = 1 + Int(dice.next() % UInt64(Self.mostSessions))
        judge.note("\(count) strangers, who \(opens ? "come and stop sending" : "do not come")", at: now)
        for number in 0..<count {
            guard let ticket = end.ticket(), opens else { continue }
            let stranger = try? GroundSession(
                ticket: ticket, isReliable: false, helloRandom: SecureRandom.bytes(ChannelLimits.handshakeRandom),
                now: now)
            let length = stranger?.nextFrame(into: frame.bytes, now: now) ?? 0
            end.receive(Array(frame.bytes[..<length]), from: Address(ground: grounds.count, address: number))
        }
        // Until then an unused ticket may not be taken from its owner.
        lasts(opens ? ChannelTimes.linkLossTimeout : ChannelTimes.ticketEvictionAge)
    }

    func breakClock(_ ground: SimulatedGround) {
        let length = dice.milliseconds(50...3000)
        switch dice.next() % 6 {
        case 0, 1, 2:
            // chrony at its limit.
            let rate = 1 + (dice.share() * 2 - 1) * 0.1
            if laterDice.hits(0.3) {
                judge.note("clock of the companion at \(rate)", at: now)
                end.slew(rate)
                lasts(length) { [self] in end.slew(1) }
                return
            }
            judge.note("clock of ground \(ground.number) at \(rate)", at: now)
            ground.slew(rate)
            lasts(length) { ground.slew(1) }
        case 3: ground.jump(ahead: dice.milliseconds(1...(dice.hits(0.5) ? 2000 : 14_400_000)))
        case 4:
            // A machine that sleeps does so for a second at least.
            let length = length + .seconds(1)
            ground.pause(for: length, stopsClock: true)
            lasts(length)
        default:
            let step = dice.milliseconds(1...(dice.hits(0.5) ? 2000 : 14_400_000))
            judge.note("clock of the companion jumps by \(step)", at: now)
            end.jump(ahead: step)
        }
        lasts(.zero)
    }

    func breakVehicle() {
        let length = dice.milliseconds(50...3000)
        switch dice.next() % 7 {
        case 0:
            judge.note("slow services for \(length)", at: now)
            vehicle.serviceDelay = 100...900
            lasts(length) { [self] in vehicle.serviceDelay = 2...20 }
        case 1:
            judge.note("services refuse for \(length)", at: now)
            vehicle.refusesShare = 0.5
            lasts(length) { [self] in vehicle.refusesShare = 0 }
        case 2:
            judge.note("services hang for \(length)", at: now)
            vehicle.hangsShare = 0.5
            lasts(length) { [self] in vehicle.hangsShare = 0 }
        case 3:
            judge.note("no roscore for \(length)", at: now)
            vehicle.reach = .noServices
            lasts(length) { [self] in vehicle.reach = .all }
        case 4:
            if laterDice.hits(0.3) { return vehicle.pause(for: length) }
            let restarts = laterDice.hits(0.4)
            judge.note("vehicle out of reach for \(length)\(restarts ? ", restarted" : "")", at: now)
            vehicle.reach = .nothing
            if restarts { vehicle.restarted() }
            lasts(length) { [self] in vehicle.reach = .all }
        case 5:
            let returns = laterDice.hits(0.4)
            judge.note("another pilot \(returns ? "sends it home" : "lands it")", at: now)
            if returns { vehicle.sentHome() } else { vehicle.landedByOthers() }
            lasts(.zero)
        default:
            let radio = latestDice.hits(0.5) ? ModelVehicle.Radio.outputOff : .outputOn
            judge.note("radio for \(length), \(radio)", at: now)
            vehicle.takenByRadio(radio)
            lasts(length) { [self] in vehicle.leftByRadio() }
        }
    }
}
