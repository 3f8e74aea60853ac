import Impairment
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

/// Two sessions against each other in memory, under one clock that only the test moves and two zeros of it.
final class TwoEnds {
    enum End: Hashable, Sendable {
        case ground
        case vehicle
    }

    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    /// The vehicle's clock minus the ground's.
    let offset: Duration
    let ticket: ChannelTicket
    let ground: GroundSession
    let vehicle: VehicleSession
    var network: ImpairedNetwork<End>
    var telemetry: Telemetry?
    var messages = MessageLog()
    private let frame = FrameBuffer()

    // What came out.
    var setpoints: [(setpoint: VelocitySetpoint, at: MonotonicTime)] = []
    var performed: [Command] = []
    /// How many stops the ground knew of when it gave each of them.
    var knownStops: [UInt64?] = []
    /// Until when each might be begun, on the vehicle's clock.
    var deadlines: [MonotonicTime] = []
    var answers: [UInt64: Result<CommandReply, LinkError>] = [:]
    var questions: [SurveyQuestion] = []
    var information: [UInt64: [UInt8]] = [:]
    var progress: [UInt64: [Double]] = [:]
    /// When heartbeats were sent whose answer was waited for, and when it came.
    var echoes: [(sent: MonotonicTime, at: MonotonicTime)] = []
    /// What the vehicle answers to a question.
    var survey: (SurveyQuestion) -> Result<SurveyAnswer, LinkError> = { _ in .success(.maps([])) }
    var groundEvents: [String] = []
    var vehicleEvents: [String] = []
    /// How long the vehicle works on a command; `nil` for ever.
    var workTime: (Command) -> Duration? = { _ in .zero }
    private var working: [(id: UInt64, doneAt: MonotonicTime)] = []
    /// Frames as they were sent, for tests that replay or change them.
    var sentFrames: [(to: End, bytes: [UInt8])] = []
    var keepsFrames = false

    init(
        seed: UInt64 = 1, _ impairment: Impairment = .none, offset: Duration = .seconds(12345),
        isReliable: Bool = false,
        groundVersion: UInt16 = channelProtocolVersion, vehicleVersion: UInt16 = channelProtocolVersion
    ) throws {
        self.offset = offset
        ticket = ChannelTicket(
            session: SessionID(0x1122_3344_5566_7788), key: try .random(), udpPort: 1, tcpPort: 2, vehicle: "uav1")
        network = ImpairedNetwork(seed: seed, impairment)
        ground = try GroundSession(
            ticket: ticket, isReliable: isReliable, helloRandom: SecureRandom.bytes(24), now: now,
            version: groundVersion)
        vehicle = try VehicleSession(
            id: ticket.session, key: ticket.key, statePeriod: .milliseconds(20), now: now + offset,
            version: vehicleVersion)
    }

    var vehicleNow: MonotonicTime { now + offset }

    /// Sends whatever both ends have to send.
    func flush() {
        while true {
            let length = ground.nextFrame(into: frame.bytes, now: now)
            guard length > 0 else { break }
            send(to: .vehicle, length)
        }
        while true {
            let length = vehicle.nextFrame(
                into: frame.bytes, now: vehicleNow, telemetry: telemetry, messages: messages)
            guard length > 0 else { break }
            send(to: .ground, length)
        }
    }

    private func send(to end: End, _ length: Int) {
        let bytes = Array(frame.bytes[..<length])
        if keepsFrames { sentFrames.append((end, bytes)) }
        network.send(bytes, to: end, now: now)
    }

    /// Gives a frame to an end, as it stands.
    func deliver(_ bytes: [UInt8], to end: End) {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { raw in
            switch end {
            case .vehicle: handle(vehicle.receive(raw, now: vehicleNow).event)
            case .ground: handle(ground.receive(raw, now: now))
            }
        }
    }

    /// Lets time pass, from event to event.
    func run(for duration: Duration) { run(for: duration) {} }

    /// Lets time pass a millisecond at a time, with something to do in each.
    func run(for duration: Duration, _ each: () throws -> Void) rethrows {
        let step = Duration.milliseconds(1)
        let end = now + duration
        flush()
        while now < end {
            now = now + step
            for (to, bytes) in network.arrivals(at: now) { deliver(bytes, to: to) }
            for done in working where done.doneAt <= now {
                vehicle.answer(done.id, .success(CommandReply(accepted: true, message: "done \(done.id)")))
            }
            working.removeAll { $0.doneAt <= now }
            switch vehicle.tick(now: vehicleNow) {
            case .nothing: break
            case let change: vehicleEvents.append("\(change)")
            }
            for (id, error) in ground.expired(now: now) { answers[id] = .failure(error) }
            try each()
            flush()
        }
    }

    /// Runs until the session is open at both ends and the clocks are known.
    func open() {
        for _ in 0..<100 where ground.phase != .open || vehicle.timing.estimate(now: vehicleNow) == nil {
            run(for: .milliseconds(100))
        }
    }

    private func handle(_ event: VehicleEvent) {
        switch event {
        case .nothing: break
        case .opened: vehicleEvents.append("opened")
        case .steer(let setpoint):
            setpoints.append((setpoint, vehicleNow))
            vehicle.note(.applied)
            vehicle.note(.applied, receivedAt: vehicleNow, handedAt: vehicleNow, leftAt: vehicleNow)
        case .perform(let id, let command, let deadline, let known):
            performed.append(command)
            knownStops.append(known)
            deadlines.append(deadline)
            if let time = workTime(command) { working.append((id, now + time)) }
        case .transferred(let transfer): handle(vehicle.perform(transfer.decoded(), now: vehicleNow))
        case .watch(let isWatched): vehicleEvents.append("watches: \(isWatched)")
        case .ask(let id, let question, _):
            questions.append(question)
            vehicle.answer(question: id, QuestionAnswer(id: id, result: survey(question)).payload)
        case .ended: vehicleEvents.append("ended by the ground")
        }
    }

    private func handle(_ event: GroundEvent) {
        switch event {
        case .nothing, .telemetry: break
        case .opened: groundEvents.append("opened")
        case .refused(let error): groundEvents.append("refused: \(error.code)")
        case .answered(let id, let result): answers[id] = result
        case .informed(let id, let payload): information[id] = payload
        case .echoed(let sent): echoes.append((sent, now))
        case .progressed(let id, let fraction): progress[id, default: []].append(fraction)
        case .ended: groundEvents.append("ended by the companion")
        }
    }
}
