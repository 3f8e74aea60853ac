import BenchmarkKit
import ChannelProtocol
import FlightControl
import Foundation
import Glibc
import SocketTransport
import UAVLink

/// The ground in a process of its own: a link over UDP that is steered from a thread with nothing else to do.
///
/// Its first line of input is a ticket. It takes off, and says `ready` in the air. Then it takes lines
/// `run COUNT PERIOD_NS START_NS FILE`: neutral setpoints, with the number 0, begin and end the run, COUNT setpoints with the
/// numbers from 1 on follow on the schedule. The number of a setpoint is its velocity eastwards in millionths of a metre per
/// second. FILE gets an int64 for each setpoint: when `steer` was called, on CLOCK_MONOTONIC. It answers `took SENT FAILED`.
/// Upon `trace on` both ends begin to note times, upon `trace off` they stop.
enum SteeringWorker {
    static func run() async throws {
        guard let line = readLine() else { return }
        let ticket = try ChannelTicket(line: line)
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in ticket }
        try await link.connect(within: .seconds(10))
        // The companion passes setpoints on to a vehicle in flight only.
        let flight = FlightInteractor(.init(link: link))
        try await flight.armAndTakeOff()
        try await flight.waitForEffect(of: .takeoff)
        say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ")
            if words.first == "trace" {
                if words.last == "on" { link.startTracing() } else { link.stopTracing() }
                _ = link.takeTrace()
                continue
            }
            guard words.count == 5, words[0] == "run", let count = Int(words[1]), let period = Int64(words[2]),
                let start = Int64(words[3])
            else { throw LinkError(.invalidInput, "cannot read '\(line)'") }
            try await ControlAuthorityClient.take(of: link, within: .seconds(5))
            let run = SteeringRun(link: link, count: count, period: period, start: start)
            await run.complete()
            let bytes = run.called.withUnsafeBytes { Data($0) }
            guard FileManager.default.createFile(atPath: String(words[4]), contents: bytes) else {
                throw LinkError(.internalFault, "cannot write \(words[4])")
            }
            say("took \(count - run.failures) \(run.failures)")
        }
        await link.close()
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// One run of steering on a thread of its own.
///
/// `@unchecked Sendable`: the thread alone writes, and whoever waits reads when the thread has ended.
final class SteeringRun: @unchecked Sendable {
    static let threadName = "steering"
    private let link: SocketLink
    private let period: Int64
    private let start: Int64
    private(set) var called: [Int64]
    private(set) var failures = 0
    private let clock = SystemMonotonicClock()

    init(link: SocketLink, count: Int, period: Int64, start: Int64) {
        self.link = link
        self.period = period
        self.start = start
        called = [Int64](repeating: 0, count: count)
    }

    func complete() async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                self.steer()
                continuation.resume()
            }
            thread.name = Self.threadName
            thread.start()
        }
    }

    private func steer() {
        // Before the first that asks for motion, by more than the companion demands; not earlier: the lease is 200 ms.
        ThreadClock().block(until: start - Self.neutralLead)
        send(0)
        for index in called.indices {
            ThreadClock().block(until: start + Int64(index) * period)
            called[index] = Pace.now
            send(index + 1)
        }
        // Silence after this one brakes nothing.
        send(0)
    }

    /// Nanoseconds.
    private static let neutralLead: Int64 = 40_000_000

    private func send(_ number: Int) {
        do throws(LinkError) {
            try link.steer(
                VelocitySetpoint(
                    velocityMetresPerSecond: Vector3(x: Double(number) * 1e-6, y: 0, z: 0), intendedAt: clock.now))
        } catch { failures += 1 }
    }
}
