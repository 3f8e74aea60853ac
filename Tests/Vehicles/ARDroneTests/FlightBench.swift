import MachineLink
import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// A client and an emulated drone on a clock that only a test moves, with what was sent and said.
struct FlightBench {
    var core = ARDroneCore(vehicle: "d1")
    var drone: EmulatedARDrone
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    /// The lines of all datagrams to the port of commands.
    private(set) var sent: [String] = []
    private(set) var sentAt: [MonotonicTime] = []
    private(set) var requests = 0
    private(set) var answers: [UInt64: Result<CommandReply, LinkError>] = [:]
    private(set) var openings: [UInt64: LinkError?] = [:]
    private(set) var telemetry: Telemetry?
    private var lastCall: UInt64 = 0
    private var reader = ARDroneConfigurationReader()
    private var hasControl = false
    /// Whether the program uses the link all the time.
    var isUsed = true
    /// Whether datagrams arrive: commands, and navigation data.
    var isUpOpen = true
    var isDownOpen = true
    /// Whether the control channel can be connected.
    var isControlOpen = true
    /// So many of the next questions for the configuration are lost.
    var lostQuestions = 0

    private var steps = 0

    static let step: Duration = .milliseconds(5)
    /// Fewer packets than the drone sends: they are what takes time here.
    private static let stepsOfPacket = 4

    init(_ change: (inout EmulatedARDrone.Settings) -> Void = { _ in }) {
        var settings = EmulatedARDrone.Settings()
        settings.takeOffSeconds = 1.5
        change(&settings)
        drone = EmulatedARDrone(settings, now: 1000)
        drone.advance(to: 1000)
    }

    // MARK: Time

    /// Lets time pass in steps of 5 ms.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while now < end {
            now = now + Self.step
            if isUsed { core.used(now: now) }
            drone.advance(to: Double(now.nanoseconds) / 1e9)
            steps += 1
            if steps.isMultiple(of: Self.stepsOfPacket), let packet = drone.takePacket(), isDownOpen {
                core.receive(packet, now: now)
            }
            core.advance(now: now)
            exchange()
        }
    }

    /// Lets time pass until a condition holds, at most so long.
    mutating func pass(within limit: Duration = .seconds(10), until condition: (Self) -> Bool) -> Bool {
        let end = now + limit
        while now < end {
            if condition(self) { return true }
            pass(Self.step)
        }
        return condition(self)
    }

    private mutating func exchange() {
        let wanted = core.configurator.wantsControl && isControlOpen
        if wanted, !hasControl { core.controlOpened(now: now) }
        hasControl = wanted
        for output in core.takeOutgoing() {
            switch output {
            case .request:
                requests += 1
                if isUpOpen { drone.receiveRequest() }
            case .commands(let bytes):
                #expect(bytes.count <= 1024 && bytes.last == 0x0D)
                for line in bytes.split(separator: 0x0D) {
                    sent.append(String(decoding: line, as: UTF8.self))
                    sentAt.append(now)
                }
                if lostQuestions > 0, String(decoding: bytes, as: UTF8.self).hasSuffix(",4,0\r") {
                    lostQuestions -= 1
                    continue
                }
                if isUpOpen { drone.receive(bytes) }
            }
        }
        if let dump = reader.take(drone.takeControlOutput()), isDownOpen {
            core.receiveConfiguration(dump, now: now)
        }
        for ending in core.takeEndings() {
            switch ending {
            case .opened(let call, let error): openings[call] = .some(error)
            case .answered(let call, let result): answers[call] = result
            }
        }
        if let news = core.takeNews(now: now) { telemetry = news }
    }

    // MARK: What the ground does

    @discardableResult
    mutating func open(within timeout: Duration = .seconds(5)) -> UInt64 {
        lastCall += 1
        core.open(for: lastCall, until: now + timeout, now: now)
        exchange()
        return lastCall
    }

    @discardableResult
    mutating func perform(_ command: Command, within timeout: Duration = .seconds(60)) -> UInt64 {
        lastCall += 1
        core.perform(command, for: lastCall, within: timeout, now: now)
        exchange()
        return lastCall
    }

    /// Steers forward at a share of the full speed.
    @discardableResult
    mutating func steer(_ share: Double) -> Bool {
        let setpoint = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: 2 * share, y: 0, z: 0), frame: .body, intendedAt: now)
        let isSent = core.steer(setpoint, as: ATSticks(setpoint, full: .arDrone), now: now)
        exchange()
        return isSent
    }

    /// Steers for a while, a setpoint every 20 ms.
    mutating func steer(_ share: Double, for duration: Duration) {
        let end = now + duration
        while now < end {
            steer(share)
            pass(.milliseconds(20))
        }
    }

    /// Opens, takes off and waits until it hovers.
    mutating func fly() {
        open()
        let isOpen = pass { $0.core.phase == .open && $0.core.configurator.isDone }
        #expect(isOpen)
        perform(.takeoff)
        let isFlying = pass { $0.drone.activity == .flying && $0.core.flight.state == .flying }
        #expect(isFlying)
    }

    // MARK: What was sent

    mutating func forgetSent() { (sent, sentAt) = ([], []) }

    /// The arguments of the commands of a name, without their sequence numbers.
    func arguments(of name: String) -> [String] {
        sent.filter { $0.hasPrefix("AT*\(name)=") }.map { line in
            line.split(separator: ",", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        }
    }

    func accepted(_ call: UInt64) -> Bool? {
        guard case .success(let reply) = answers[call] else { return nil }
        return reply.accepted
    }

    func words(_ call: UInt64) -> String? {
        guard case .success(let reply) = answers[call] else { return nil }
        return reply.message
    }

    func failure(_ call: UInt64) -> LinkError? {
        guard case .failure(let error) = answers[call] else { return nil }
        return error
    }

    var messages: [String] { (telemetry?.messages ?? []).map(\.value.text) }

    static let hoverLine = "0,0,0,0,0"
    static let landBits = "290717696"
    static let takeOffBits = "290718208"
    static let emergencyBits = "290717952"
}
