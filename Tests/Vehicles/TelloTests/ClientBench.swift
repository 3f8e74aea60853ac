import MachineLink
import Testing
import UAVLink

@testable import Tello

/// A client on a clock that only a test moves, with what it has sent and said.
struct ClientBench {
    var client = TelloClient(vehicle: "t1")
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private(set) var sent: [String] = []
    private(set) var answers: [UInt64: Result<CommandReply, LinkError>] = [:]
    private(set) var openings: [UInt64: LinkError?] = [:]
    private(set) var telemetry: Telemetry?
    private var lastCall: UInt64 = 0
    private var stateDue = MonotonicTime(nanoseconds: 1_000_000_000_000)
    /// What the drone's state says from now on, ten times a second; `nil` for none.
    var state: String?
    /// Whether its motors run: then the state counts their seconds.
    var motorsRun = false
    private var motorSeconds = 50.0
    /// Whether the program uses the link all the time.
    var isUsed = true

    private static let step: Duration = .milliseconds(10)
    static let standing = "tof:10;h:0;bat:87;vgx:0;vgy:0;vgz:0;"

    // MARK: Time

    /// Lets time pass in steps of 10 ms.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while now < end {
            now = min(now + Self.step, end)
            if isUsed { client.used(now: now) }
            if motorsRun { motorSeconds += Self.step.inSeconds }
            if let state, now >= stateDue {
                stateDue = now + .milliseconds(100)
                client.receiveState(Array("\(state)time:\(Int(motorSeconds));\r\n".utf8), now: now)
            }
            client.advance(now: now)
            collect()
        }
    }

    /// Lets time pass until a command is sent, at most so long.
    mutating func pass(until command: String, within limit: Duration = .seconds(5)) {
        let end = now + limit
        while !sent.contains(command), now < end { pass(Self.step) }
    }

    private mutating func collect() {
        sent += client.takeOutgoing().map(\.text)
        for ending in client.takeEndings() {
            switch ending {
            case .opened(let call, let error): openings[call] = .some(error)
            case .answered(let call, let result): answers[call] = result
            }
        }
        if let news = client.takeNews() { telemetry = news }
    }

    // MARK: What the ground does

    mutating func open(within timeout: Duration = .seconds(5)) -> UInt64 {
        lastCall += 1
        client.open(for: lastCall, until: now + timeout, now: now)
        collect()
        return lastCall
    }

    mutating func perform(_ command: Command, within timeout: Duration = .seconds(60)) -> UInt64 {
        lastCall += 1
        client.perform(command, for: lastCall, within: timeout, now: now)
        collect()
        return lastCall
    }

    /// Sends a command of the drone's own protocol.
    mutating func send(_ command: TelloCommand, ofPlan plan: UInt64? = nil) -> UInt64 {
        lastCall += 1
        client.perform(command, ofPlan: plan, for: lastCall, within: .seconds(60), now: now)
        collect()
        return lastCall
    }

    mutating func beginPlan() throws(LinkError) -> UInt64 {
        defer { collect() }
        return try client.beginPlan(now: now)
    }

    /// Steers forward at a share of the full speed.
    @discardableResult
    mutating func steer(_ share: Double) -> Bool {
        let setpoint = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: share, y: 0, z: 0), frame: .body, intendedAt: now)
        let isSent = client.steer(setpoint, as: TelloSticks(setpoint, full: .tello), now: now)
        collect()
        return isSent
    }

    // MARK: What the drone does

    mutating func hear(_ text: String) {
        client.receive(Array(text.utf8), now: now)
        collect()
    }

    mutating func forget() { sent = [] }

    // MARK: Shortcuts

    /// Opens the link to a drone of an edition, which stands on the ground and sends its state.
    static func open(_ version: String = "20") -> ClientBench {
        var bench = ClientBench()
        _ = bench.open()
        bench.hear("ok")
        bench.pass(until: "sdk?")
        bench.hear(version)
        bench.state = standing
        bench.pass(.seconds(3))
        // What keeps it awake is not of interest.
        bench.hear("0TQZ")
        bench.forget()
        return bench
    }

    /// The same with a drone that hovers.
    static func flying(_ version: String = "20") -> ClientBench {
        var bench = open(version)
        _ = bench.perform(.takeoff)
        bench.motorsRun = true
        bench.state = "tof:80;h:70;bat:87;vgx:0;vgy:0;vgz:0;"
        bench.pass(.seconds(4))
        bench.hear("ok")
        bench.pass(.seconds(1))
        bench.forget()
        return bench
    }

    /// The reply to a call; `nil` while it has none.
    func reply(_ call: UInt64) -> CommandReply? { try? answers[call]?.get() }

    /// The error of a call; `nil` while it has none.
    func error(_ call: UInt64) -> LinkError? {
        if case .failure(let error)? = answers[call] { error } else { nil }
    }

    /// What was sent, but for questions.
    var orders: [String] { sent.filter { !$0.hasSuffix("?") } }
}

extension Command {
    /// Straight ahead, metres.
    static func ahead(_ metres: Double) -> Command {
        .goTo(.init(.body, position: Vector3(x: metres, y: 0, z: 0), headingRadians: 0))
    }
}
