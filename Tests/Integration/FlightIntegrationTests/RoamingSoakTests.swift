import FlightTestKit
import Foundation
import Impairment
import IntegrationKit
import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink
import VehicleAccess

/// A minute in which the ground's address changes every second while it steers, over UDP and over TCP at the same time: both go
/// on after each change, and neither end has anything left of it.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"),
    .enabled(if: ProcessHoldings.areKnown, "there is no /proc"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(6))))
struct RoamingSoakTests {
    private static let roams = 60
    /// During these, nothing gets through: longer than it takes a ground to ask for another session.
    private static let dark = 25..<33
    /// Before anything is counted: what is made when it is first needed has been made.
    private static let warmUp = 4
    /// More than a minute's log lines and counters come to; a frame's room kept for each change would be 70 KiB, a thread's
    /// stack 500 MiB.
    private static let mostGrowth = 16 * 1024

    @Test func `a minute of roaming every second leaves nothing behind on either end`() async throws {
        try await withFlightStack { first in
            try await withFlightStack { second in
                // Both take off and land at the same time.
                async let udp = RoamingGround(.udp, first)
                async let tcp = RoamingGround(.tcp, second)
                let grounds = try await [udp, tcp]
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for ground in grounds { group.addTask { await ground.fly() } }
                    try await Self.soak(grounds)
                    group.cancelAll()
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for ground in grounds { group.addTask { try await ground.land() } }
                    try await group.waitForAll()
                }
            }
        }
    }

    private static func soak(_ grounds: [RoamingGround]) async throws {
        for _ in 0..<warmUp { try await roam(grounds) }
        let before = try await settled(grounds)
        let processes = ProcessHoldings.descendants().count
        for number in 0..<roams {
            if number == dark.lowerBound { for ground in grounds { ground.relay.setDark(true) } }
            if number == dark.upperBound { for ground in grounds { ground.relay.setDark(false) } }
            try await roam(grounds, isDark: dark.contains(number))
        }
        for ground in grounds { print(ground.account) }
        // What is to be closed is closed in time: a stranger's connection after five seconds.
        var after: [ProcessHoldings] = []
        let isSame = await eventually {
            after = grounds.flatMap(\.processes).map { ProcessHoldings(of: $0) }
            return zip(before, after).allSatisfy {
                $0.descriptors.count == $1.descriptors.count && $1.threads <= $0.threads + 2
            }
        }
        for (before, after) in zip(before, after) { print("before: \(before); after: \(after)") }
        #expect(isSame, "\(Self.difference(before, after))")
        for (before, after) in zip(before, after) {
            #expect(after.threads <= before.threads + 2, "\(before) \(after)")
            #expect(after.residentKibibytes <= before.residentKibibytes + mostGrowth, "\(before) \(after)")
        }
        // Each of the two asked for another session over SSH meanwhile.
        let isAlone = await eventually { ProcessHoldings.descendants().count <= processes }
        #expect(isAlone, "\(ProcessHoldings.descendants().count) processes, \(processes) before")
    }

    /// Changes the address of all, and comes back a second later at the earliest, when all of them steer and hear again.
    private static func roam(_ grounds: [RoamingGround], isDark: Bool = false) async throws {
        let end = ContinuousClock.now + .seconds(1)
        if isDark {
            for ground in grounds { ground.change() }
        } else {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for ground in grounds { group.addTask { try await ground.roam() } }
                try await group.waitForAll()
            }
        }
        try? await Task.sleep(until: end)
    }

    /// What all have, once it has stayed the same for longer than a stranger's connection is kept: a process that the machine
    /// keeps waiting has for a while what it is about to close.
    private static func settled(_ grounds: [RoamingGround]) async throws -> [ProcessHoldings] {
        var last: [ProcessHoldings] = []
        var same = 0
        for _ in 0..<40 {
            let now = grounds.flatMap(\.processes).map { ProcessHoldings(of: $0) }
            same = now.map(\.descriptors.count) == last.map(\.descriptors.count) ? same + 1 : 0
            if same == 6 { return now }
            last = now
            try await Task.sleep(for: .seconds(1))
        }
        throw ProcessFailure("descriptors came and went: \(last)")
    }

    private static func difference(_ before: [ProcessHoldings], _ after: [ProcessHoldings]) -> String {
        zip(before, after).map { before, after in
            "\(before) then \(after): \(after.descriptors.filter { !before.descriptors.contains($0) })"
        }.joined(separator: "\n")
    }
}

/// A real link through a relay, and a pilot who flies to and fro, and takes command again whenever he has lost it.
private final class RoamingGround: Sendable {
    let stack: FlightStack
    let relay: ImpairedRelay
    let link: SocketLink
    /// The companion and the ground, which is this process.
    let processes: [Int32]
    private let carrier: SocketLink.Carrier
    private let connector: VehicleConnector
    private let witness: FlightWitness
    private let counts = Mutex(Counts())

    private struct Counts {
        var roams = 0
        var longest: Duration = .zero
        var sum: Duration = .zero
        var takings = 0
    }

    /// Connects through the relay and takes off; the companion is started over SSH, as by any ground.
    init(_ carrier: SocketLink.Carrier, _ stack: FlightStack) async throws {
        self.stack = stack
        self.carrier = carrier
        connector = try stack.connector()
        let access = LaboratoryAccess(connector)
        let ticket = try await access.ticket(within: .patient(seconds: 20))
        let relay = try #require(
            ImpairedRelay(
                carrier == .udp ? .udp : .tcp, to: carrier == .udp ? ticket.udpPort : ticket.tcpPort))
        self.relay = relay
        link = try SocketLink(host: "127.0.0.1", carrier: carrier) { (timeout: Duration) throws(LinkError) in
            try await access.ticket(within: timeout).through(udpPort: relay.port, tcpPort: relay.port)
        }
        try await link.connect(within: .patient(seconds: 20))
        witness = try await stack.witness()
        try await Flight(link).takeOff()
        processes = [try #require(stack.companionProcess()), ProcessHoldings.ownPID]
    }

    /// In one line.
    var account: String {
        counts.withLock { counts in
            "\(carrier): \(counts.roams) changes of address, steering and telemetry after "
                + "\(Int((counts.sum / max(1, counts.roams)).inMilliseconds)) ms, at most "
                + "\(Int(counts.longest.inMilliseconds)) ms; command was taken \(counts.takings) times"
        }
    }

    /// Steers until the task is cancelled.
    func fly() async {
        await Flight(link).steerToAndFro { self.counts.withLock { $0.takings += 1 } }
    }

    /// From now on the companion sees this ground elsewhere.
    ///
    /// The relay forgets it, as a router does: connections end, and a datagram that comes leaves from another port.
    func change() { relay.cut() }

    /// Changes the address, and waits until the vehicle has been given motion and the ground has received that since.
    func roam() async throws {
        let begun = ContinuousClock.now
        let wall = Date.now.timeIntervalSince1970
        change()
        let changed = SystemMonotonicClock().now
        do {
            try await witness.sees("setpoints after a change of address") { $0.setpointAt > wall }
        } catch { throw ProcessFailure("\(account): \(error) \(link.quality) \(stack.companionLog.suffix(1500))") }
        let isHeard = await eventually { (link.latestTelemetry?.newest ?? changed) > changed }
        guard isHeard else { throw ProcessFailure("\(account): no telemetry after another") }
        let time = ContinuousClock.now - begun
        counts.withLock { counts in
            counts.roams += 1
            counts.longest = max(counts.longest, time)
            counts.sum += time
        }
    }

    func land() async throws {
        try await Flight(link).land()
        await link.close()
        await connector.close()
        relay.stop()
    }
}
