import FlightTestKit
import Foundation
import IntegrationKit
import Testing
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Companions that are asked to end in flight.
extension LossInFlightTests {
    /// Who ends the companion.
    enum End: String, CaseIterable {
        case terminate, interrupt, hangUp, stop, rosnodeKill

        /// What then stands in its log.
        var words: String {
            self == .rosnodeKill ? "its ROS node was shut down by another node" : "ending while session"
        }

        /// The signal, if it is asked by one; a program that asks first has to start.
        var signal: Int32? {
            switch self {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            case .hangUp: SIGHUP
            case .stop, .rosnodeKill: nil
            }
        }
    }

    @Test func `a companion that is asked to end while steering stops the vehicle first, and the next one flies on`()
        async throws
    {
        let stack = try await sharedStack()
        try await stack.withLink(.udp) { link in
            let flight = Flight(link)
            try await flight.takeOff()
            // To and fro: each flight is also that of the companion that followed.
            for (index, end) in End.allCases.enumerated() {
                // On a busy machine a pause can outlast the lease before the companion is reached: then again.
                for attempt in 1... {
                    let steering = try await flight.steerUntilUnderWay(
                        Vector3(x: (index + attempt).isMultiple(of: 2) ? -1 : 1, y: 0, z: 0), stack.witness())
                    let wasSteered: Bool
                    do { wasSteered = try await endCompanion(by: end, of: stack) } catch {
                        steering.cancel()
                        throw error
                    }
                    steering.cancel()
                    await steering.value
                    // A new session, perhaps a new companion: control is taken anew.
                    #expect(
                        await eventually(within: .seconds(60)) {
                            link.quality.isConnected && stack.companionProcess() != nil
                        }, "\(end)")
                    if wasSteered { break }
                    try #require(attempt < 5, "\(end): steering lapsed each time")
                    print("companion asked to end (\(end)): steering had lapsed on this machine, once more")
                }
            }
            try await flight.steer(Vector3(x: -1, y: 0, z: 0)) { seen, start in seen.x < start.x - 0.5 }
            try await flight.land()
            try await stack.witness().sees("the vehicle landed") { $0.isLanded }
        }
    }

    /// How long after the signal the vehicle has a neutral setpoint; where no signal asks, after the last one that asked for motion,
    /// which come every 20 ms.
    private static let mostMilliseconds = 100.0
    /// The companion's usual lease.
    private static let leaseSeconds = 0.2

    /// Ends the companion while it steers, and expects that it brakes first. `false` when its lease had expired before, by its own
    /// log, so that there was nothing to brake.
    private func endCompanion(by end: End, of stack: FlightStack) async throws -> Bool {
        let witness = try await stack.witness()
        let nodes = try await stack.master.tool("rosnode", "list").output.split(separator: "\n")
        let node = String(try #require(nodes.first { $0.contains("uavlink_companion") }, "\(nodes)"))
        let watch = try await stack.schedulingWatch()
        defer { watch.stop() }
        let companion = try #require(stack.companionProcess())
        let logged = stack.companionLog.utf8.count
        // It tells of a lapse once a minute for each session.
        let hadLapsed =
            stack.companionLog.components(separatedBy: "for uav1: udp").last?.contains("no fresh setpoint") == true
        let isUnderWay = try await eventually(within: .seconds(6)) {
            let account = try await witness.account()
            return account.speed > 0.7 && account.isSteeredNow
        }
        guard isUnderWay else { return false }
        let askedAt = Date().timeIntervalSince1970
        if let signal = end.signal {
            kill(companion, signal)
        } else if end == .stop {
            #expect(try await stack.companion("stop").status == 0)
        } else {
            _ = try await stack.master.tool("rosnode", "kill", node)
        }
        #expect(await eventually { stack.companionProcess() != companion })
        let rested = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
        let log = String(decoding: stack.companionLog.utf8.dropFirst(logged), as: UTF8.self)
        if !log.contains("ending while session") {
            // The last setpoint may have come longer than a lease before the companion heard that it is to end: 'rosnode kill' takes
            // seconds to start on a busy machine, and a lapse is not told of each time.
            let heardAt = log.split(separator: "\n").first { $0.contains(end.words) }.flatMap(CompanionLogTime.seconds)
            let hadFallenSilent = heardAt.map { $0 - rested.setpointAt > Self.leaseSeconds } ?? false
            if hadLapsed || log.contains("no fresh setpoint") || hadFallenSilent { return false }
        }
        let line = try #require(
            log.split(separator: "\n").first { $0.contains("ending while session") }, "\(end): \(log)")
        let stoppedAt = try #require(CompanionLogTime.seconds(line))
        watch.settle()
        let lastAt = rested.setpointAt
        let last = SchedulingWatch.instant(wallSeconds: lastAt)
        let late = Double(watch.longestWait(from: last - 100_000_000, to: last + 1_000_000_000)) / 1e6
        try #require(rested.brakedAt > lastAt, "\(end): no neutral setpoint came")
        let begin = end.signal == nil ? lastAt : askedAt
        // As the vehicle's side received it, and as the companion logged it once it had sent it.
        let (braked, noted) = ((rested.brakedAt - begin) * 1000, (stoppedAt - begin) * 1000)
        let most = Self.mostMilliseconds * MachinePace.factor + late
        print(
            "companion asked to end (\(end)): a neutral setpoint came \(Int(braked)) ms after",
            end.signal == nil ? "the last one for motion," : "the signal,",
            "and was logged after \(Int(noted)) ms; \(Int(late)) ms waited")
        #expect(braked < most, "\(end)")
        #expect(noted < most, "\(end)")
        #expect((stoppedAt - lastAt) * 1000 > -50 - late, "\(end): setpoints for motion came after the brake")
        #expect(log.contains(end.words), "\(end): \(log)")
        return true
    }
}
