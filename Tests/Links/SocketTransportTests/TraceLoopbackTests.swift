import ChannelTestKit
import IntegrationKit
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// What both ends note of the channel, over real sockets.
@Suite("Trace over sockets", .timeLimit(.minutes(MachinePace.minutes(1)))) struct TraceLoopbackTests {
    @Test(arguments: LoopbackTests.carriers)
    func `on real sockets the times of setpoints, commands and telemetry stand in their order`(
        _ carrier: SocketLink.Carrier
    ) async throws {
        let handler = RecordingHandler()
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in try server.issueTicket()
        }
        let clock = SystemMonotonicClock()
        link.startTracing()
        link.stampReceipts()
        try await link.connect(within: .patient(seconds: 5))
        server.publish(Samples.telemetry(at: clock.now))
        #expect(await eventually { link.latestTelemetry?.pose != nil })
        var receipts: [SteeringReceipt] = []
        for number in 0..<50 {
            receipts += try await link.steer(x: Double(number), untilItReaches: handler)
        }
        #expect(handler.setpoints.map(\.velocityMetresPerSecond.x) == (0..<50).map(Double.init))
        let sent = receipts.count
        #expect(receipts.map { Int($0.number) } == Array(1...sent) && receipts.allSatisfy { $0.session == 1 })
        // The trace has begun, so that the stamps of poses from now on are in it.
        server.publish(Samples.telemetry(at: clock.now))
        _ = try await link.perform(.hover, within: .patient(seconds: 5))
        var parts: [ChannelTrace] = []
        // Both ends' notes come in parts: all of what is looked at below is waited for.
        #expect(
            await eventually {
                parts += link.takeTrace()
                let states = Set(parts.flatMap(\.states).map(\.sequence))
                var (noted, both, hasCommand) = (0, 0, false)
                for record in parts.flatMap(\.records) {
                    switch record {
                    case .setpoint: noted += 1
                    case .command: hasCommand = true
                    case .state(let state): both += states.contains(state.sequence) ? 1 : 0
                    default: break
                    }
                }
                return hasCommand && noted >= sent && both > 2
            })
        expectReceipts(in: parts, over: carrier)
        let setpoints = parts.flatMap(\.setpoints)
        var seen = 0
        for case .setpoint(let record) in parts.flatMap(\.records) {
            let ours = try #require(setpoints.first { $0.number == record.number })
            let sealed = try #require(ours.sealedAt)
            // Both ends have one clock here.
            #expect(ours.intendedAt <= ours.calledAt && ours.calledAt <= sealed && sealed <= record.receivedAt)
            #expect(record.receivedAt <= record.handedAt && record.handedAt <= record.leftAt)
            let receipt = receipts[Int(record.number) - 1]
            #expect(sealed <= (try #require(receipt.sentAt)) && parts.allSatisfy { $0.session == receipt.session })
            seen += 1
        }
        #expect(seen == setpoints.count && seen == sent)
        let command = try #require(parts.flatMap(\.commands).first)
        for case .command(let record) in parts.flatMap(\.records) {
            #expect(record.number == command.number)
            let (sealed, arrived) = (try #require(command.sealedAt), try #require(command.arrivedAt))
            #expect(command.begunAt <= sealed && sealed <= record.receivedAt && record.receivedAt <= record.askedAt)
            #expect(
                record.askedAt <= record.answeredAt && record.answeredAt <= record.readyAt && record.readyAt <= arrived)
        }
        let states = Set(parts.flatMap(\.states).map(\.sequence))
        let records = parts.flatMap(\.records).compactMap { if case .state(let state) = $0 { state } else { nil } }
        #expect(records.filter { states.contains($0.sequence) }.count > 2)
        let newest = try #require(records.last)
        #expect(newest.stampedAt == newest.arrivedAt - RecordingHandler.poseDelay)
        await link.close()
        await server.stop()
    }

    @Test(arguments: LoopbackTests.carriers)
    func `the companion says when its own subscriber has read a setpoint, and nothing of others' here`(
        _ carrier: SocketLink.Carrier
    ) async throws {
        let handler = RecordingHandler()
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in try server.issueTicket()
        }
        link.startTracing()
        link.watchOwnSetpoints()
        try await link.connect(within: .patient(seconds: 5))
        #expect(await eventually { handler.isWatched })
        let clock = SystemMonotonicClock()
        var (sent, read): ([SteeringReceipt], [UInt64: MonotonicTime]) = ([], [:])
        for number in 1...100 {
            sent += try await link.steer(x: Double(number), untilItReaches: handler)
            // Of the others' messages and of those that are long past nothing comes.
            let newest = UInt32(1000 + handler.setpoints.count)
            handler.read(newest, at: clock.now, isOwn: false)
            handler.read(newest - 70, at: clock.now, isOwn: true)
            // Each setpoint was sent until it arrived: the newest is that of the newest message.
            let at = clock.now
            handler.read(newest, at: at, isOwn: true)
            if let last = sent.last { read[last.number] = at }
        }
        var observed: [UInt64: MonotonicTime] = [:]
        var others = 0
        #expect(
            await eventually {
                for record in link.takeTrace().flatMap(\.records) {
                    switch record {
                    case .observed(let number, let at): observed[number] = at
                    case .seen: others += 1
                    default: break
                    }
                }
                return observed.count >= read.count
            })
        #expect(others == 0 && Set(observed.values) == Set(read.values))
        #expect(Set(observed.keys).isSubset(of: sent.map(\.number)))
        await link.close()
        #expect(await eventually { !handler.isWatched })
        await server.stop()
    }

    /// Both kernels have stamped datagrams from the first request on, where they do at all.
    private func expectReceipts(in parts: [ChannelTrace], over carrier: SocketLink.Carrier) {
        let sequences = Set(parts.flatMap(\.setpoints).compactMap(\.sequence))
        let up = parts.flatMap(\.records).compactMap { record -> TraceRecord.Receipt? in
            if case .receipt(let receipt) = record { receipt } else { nil }
        }.filter { sequences.contains($0.sequence) }
        let down = parts.flatMap(\.states).compactMap(\.waitedNanoseconds)
        #if os(Linux)
            guard carrier == .udp else {
                #expect(up.isEmpty && down.isEmpty)
                return
            }
            #expect(up.count > 40 && down.count > 1, "\(up.count) up, \(down.count) down")
            #expect(up.allSatisfy { $0.waitedNanoseconds >= 0 } && down.allSatisfy { $0 >= 0 })
        #else
            #expect(up.isEmpty && down.isEmpty)
        #endif
    }
}
