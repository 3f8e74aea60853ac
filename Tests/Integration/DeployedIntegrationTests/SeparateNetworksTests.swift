#if os(Linux)
    import Foundation
    import IntegrationKit
    import Synchronization
    import Testing

    /// What a test does in a network of its own must not reach other tests of the process: the threads that the system creates for
    /// tasks inherit the network of whoever wakes those.
    @Suite(
        "Separate networks", .enabled(if: SeparateNetworks.missing == nil, "\(SeparateNetworks.missing ?? "")"),
        .timeLimit(.minutes(MachinePace.minutes(1))))
    struct SeparateNetworksTests {
        @Test func `who returns from one wakes its task in the network of the process`() async throws {
            try await SeparateNetworks.with { networks in
                // Longer than the threads of Swift's tasks wait for another task: the next one is created then.
                try await networks.inside(.near) { _ = sleep(7) }
                #expect(SeparateNetworks.currentNetwork == SeparateNetworks.ownNetwork)
            }
        }

        @Test func `a thread that stays in one is noticed`() async throws {
            let end = Flag()
            defer { end.isSet.withLock { $0 = true } }
            try await SeparateNetworks.with { networks in
                #expect(SeparateNetworks.strayThreads.isEmpty)
                // As a server does that is created there.
                try await networks.inside(.near) {
                    Thread.detachNewThread { while !end.isSet.withLock({ $0 }) { usleep(1000) } }
                }
                #expect(await eventually { SeparateNetworks.strayThreads.count == 1 })
                // Otherwise it would be an error of this test.
                end.isSet.withLock { $0 = true }
            }
        }

        private final class Flag: Sendable { let isSet = Mutex(false) }
    }
#endif
