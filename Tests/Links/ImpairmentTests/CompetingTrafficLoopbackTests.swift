#if os(Linux)
    import IntegrationKit
    import SystemIO
    import Testing
    import UAVLink

    @testable import Impairment

    /// Uploads through a bottleneck of ours: the kernel's own TCP fills the queue in front of it.
    @Suite(
        "Traffic that competes", .enabled(if: PacketNetwork.missing == nil, "\(PacketNetwork.missing ?? "")"),
        .serialized, .timeLimit(.minutes(MachinePace.minutes(1))))
    struct CompetingTrafficLoopbackTests {
        /// Sends datagrams through the network and back nowhere; how long each took.
        private struct Pings {
            let service: SocketHandle
            let client: SocketHandle
            let clock = SystemMonotonicClock()

            init(_ network: PacketNetwork) throws {
                service = try #require(RelaySocket.bound(stream: false))
                let target = try #require(
                    RelayAddress(host: network.address, port: RelaySocket.port(of: service)))
                client = try #require(RelaySocket.connected(to: target, stream: false))
            }

            /// The longest of so many one-way times, 20 ms apart, of those that arrive within two seconds.
            func longest(of count: Int) async throws -> Duration? {
                var longest: Duration?
                var buffer = [UInt8](repeating: 0, count: 16)
                for number in 0..<count {
                    let began = clock.now
                    _ = RelaySocket.send([UInt8(truncatingIfNeeded: number)], to: client)
                    while clock.now - began < .seconds(2) {
                        guard case .moved = buffer.withUnsafeMutableBytes({ service.read(into: $0) }) else {
                            try await Task.sleep(for: .milliseconds(2))
                            continue
                        }
                        guard buffer[0] == UInt8(truncatingIfNeeded: number) else { continue }
                        longest = max(longest ?? .zero, clock.now - began)
                        break
                    }
                    try await Task.sleep(for: .milliseconds(20))
                }
                return longest
            }
        }

        /// 2 Mbit/s and a queue of 64 kB, which is a quarter of a second when it is full.
        @Test func `an upload fills the queue, and a datagram behind it waits; when it ends the queue drains`()
            async throws
        {
            let condition = try Impairment("rate=2mbit,queue=64kB,up:load=1")
            let network = try PacketNetwork()
            defer { network.stop() }
            network.impair(up: condition, down: condition.down)
            let traffic = try CompetingTraffic(
                through: network, up: condition.competitors, down: condition.down.competitors)
            defer { traffic.stop() }
            let pings = try Pings(network)
            #expect(traffic.bytes == 0)
            traffic.flow(true)
            // A second and a half of it has filled the queue, however slowly it began.
            #expect(await eventually { traffic.bytes > 375_000 })
            // A drop halves what waits, so that it is less than a full queue at times.
            let loaded = try #require(try await pings.longest(of: 10))
            #expect(loaded > .milliseconds(40), "\(loaded)")
            traffic.flow(false)
            var before = -1
            // Nothing new for a while: it has drained.
            #expect(
                await eventually {
                    defer { before = traffic.bytes }
                    // Longer than the kernel takes to send a lost tail again: twice the 256 ms of a full queue.
                    try? await Task.sleep(for: .seconds(1))
                    return traffic.bytes == before
                })
            let arrived = traffic.bytes
            let free = try #require(try await pings.longest(of: 5))
            #expect(free < loaded, "\(free) \(loaded)")
            #expect(traffic.bytes == arrived)
        }

        @Test func `a download competes on the way back`() async throws {
            let condition = try Impairment("rate=8mbit,down:load=2")
            let network = try PacketNetwork()
            defer { network.stop() }
            network.impair(up: condition, down: condition.down)
            let traffic = try CompetingTraffic(through: network, up: 0, down: condition.down.competitors)
            defer { traffic.stop() }
            traffic.flow(true)
            #expect(await eventually { traffic.bytes > 100_000 })
            #expect(network.counts.bytesDown > network.counts.bytesUp)
        }
    }
#endif
