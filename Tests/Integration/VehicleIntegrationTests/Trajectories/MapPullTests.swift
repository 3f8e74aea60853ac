import FlightTestKit
import Foundation
import IntegrationKit
import PointCloud
import Synchronization
import Testing
import UAVLink

/// A map comes through the companion while everything else goes on.
@Suite(.serialized, .oneFlightStack, .enabled(if: FlightStack.missing == nil)) struct MapPullTests {
    /// A hall of so many points, rough enough that packing helps little: the worst for the line.
    private static func hall(points: Int) -> PointCloud {
        var state: UInt64 = 42
        func number() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24)
        }
        return PointCloud(
            offsets: (0..<points).map { _ in SIMD3(number() * 40 - 20, number() * 30 - 15, number() * 8) })
    }

    private func stack(_ cloud: PointCloud) async throws -> FlightStack {
        let stack = try await sharedStack()
        let path = stack.folder.path + "/hall.pcd"
        try Data(try PCDWriter.bytes(of: cloud, encoding: .binary)).write(to: URL(filePath: path))
        await stack.endCompanion()
        await stack.stopSimulator()
        try await stack.startSimulator(options: ["--map", path])
        return stack
    }

    /// Counts changes of pose that come over a link in a time.
    private func rate(_ link: any UAVLink, while work: () async throws -> Void) async throws -> Double {
        let count = Mutex(0)
        let reader = Task {
            var last: MonotonicTime?
            for await telemetry in link.telemetry() where telemetry.pose?.at != last {
                last = telemetry.pose?.at
                count.withLock { $0 += 1 }
            }
        }
        let begun = ContinuousClock.now
        try await work()
        let seconds = (ContinuousClock.now - begun).inSeconds
        reader.cancel()
        return Double(count.withLock { $0 }) / seconds
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(2))))
    func `a million points come over UDP while telemetry keeps its rate`() async throws {
        let hall = Self.hall(points: 1_000_000)
        let stack = try await stack(hall)
        try await stack.withLink(.udp) { connected in
            let link = try #require(connected.capabilities.survey)
            let maps = try await link.maps(within: .patient(seconds: 20))
            #expect(maps.map(\.topic) == ["/uav1/map/points"])
            var bytes: [UInt8] = []
            let reported = Mutex<[Double]>([])
            let quiet = try await rate(link) { try await Task.sleep(for: .seconds(1)) }
            let watch = try await stack.schedulingWatch()
            let begin = SchedulingWatch.now
            let busy = try await rate(link) {
                bytes = try await link.pullMap(
                    MapRequest(topic: "/uav1/map/points", spacingMetres: 0, maximumPoints: 1_000_000),
                    within: .patient(seconds: 60)
                ) { fraction in reported.withLock { $0.append(fraction) } }
            }
            // What the channel owes is held in memory, to the millisecond (SocketTransportTests/SurveyTests).
            watch.settle()
            let end = SchedulingWatch.now
            let account = watch.account(from: begin, to: end)
            print("state frames a second: \(quiet) without a map, \(busy) with one of \(bytes.count) bytes; \(account)")
            // A frame that a process could not send or take for want of a processor says nothing of the channel.
            let awake = 1 - Double(watch.waited(from: begin, to: end)) / Double(end - begin)
            #expect(busy > 0 && busy >= 0.8 * quiet * max(0.25, awake), "\(account)")
            let progress = reported.withLock { $0 }
            #expect(progress == progress.sorted() && progress.first == 0 && progress.last == 1)
            let map = try CloudReader.read(bytes, source: "the map").cloud
            #expect(map.count == hall.count)
            let isSame = zip(map.offsets, hall.offsets).allSatisfy { $0 == $1 }
            #expect(isSame)

            // Thinned on board, and no more than asked for.
            let thin = try await link.pullMap(
                MapRequest(topic: "/uav1/map/points", spacingMetres: 0.5, maximumPoints: 20_000),
                within: .patient(seconds: 60)
            ) { _ in }
            let few = try CloudReader.read(thin, source: "the thin map").cloud
            #expect(few.count > 1000 && few.count <= 20_000)
        }
        await stack.stopSimulator()
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(2))), arguments: [LinkKind.tcp, .ros])
    func `a map comes whole over other links, too, and a topic that is none is named`(_ kind: LinkKind) async throws {
        let hall = Self.hall(points: 100_000)
        let stack = try await stack(hall)
        try await stack.withLink(kind) { connected in
            let link = try #require(connected.capabilities.survey)
            let reported = Mutex<[Double]>([])
            let bytes = try await link.pullMap(
                MapRequest(topic: "/uav1/map/points", spacingMetres: 0, maximumPoints: 1_000_000),
                within: .patient(seconds: 60)
            ) { fraction in reported.withLock { $0.append(fraction) } }
            let progress = reported.withLock { $0 }
            #expect(progress == progress.sorted() && progress.first == 0 && progress.last == 1)
            let map = try CloudReader.read(bytes, source: "the map").cloud
            let isSame = map.count == hall.count && zip(map.offsets, hall.offsets).allSatisfy { $0 == $1 }
            #expect(isSame)
            let error = await #expect(throws: LinkError.self) {
                try await link.pullMap(MapRequest(topic: "/uav1/no/map"), within: .patient(seconds: 20)) { _ in }
            }
            #expect(error?.code == .unsupported && error?.hint.contains("/uav1/map/points") == true)
        }
        await stack.stopSimulator()
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(2))))
    func `over SSH maps are listed, and fetching one says what to use`() async throws {
        let stack = try await stack(Self.hall(points: 1000))
        try await stack.withLink(.ssh) { connected in
            let link = try #require(connected.capabilities.survey)
            #expect(try await link.maps(within: .patient(seconds: 60)) == [AvailableMap(topic: "/uav1/map/points")])
            let error = await #expect(throws: LinkError.self) {
                try await link.pullMap(MapRequest(topic: "/uav1/map/points"), within: .patient(seconds: 20)) { _ in }
            }
            #expect(error?.code == .unsupported && error?.hint.contains("udp") == true)
        }
        await stack.stopSimulator()
    }
}
