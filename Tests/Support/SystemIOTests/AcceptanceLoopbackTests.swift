#if canImport(Glibc)
    import Glibc
    import IntegrationKit
    import Synchronization
    import SystemIO
    import Testing
    import Threads

    /// Listeners of a process that has no descriptor left for a connection.
    @Suite(.serialized, .timeLimit(.minutes(MachinePace.minutes(1)))) struct AcceptanceLoopbackTests {
        @Test func `a listener that waits outlasts a shortage, and does not spin`() async throws {
            let (listener, port) = try SocketHandle.listen(on: .loopback)
            let client = try SocketHandle.connect(to: .loopback, port: port)
            let seconds = Mutex(0.0)
            let accepted = Mutex<Bool?>(nil)
            try DescriptorLimit.lowered {
                let hasStarted = DedicatedThread.start {
                    let isAccepted = listener.acceptWaiting() != nil
                    var time = timespec()
                    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                    seconds.withLock { $0 = Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9 }
                    accepted.withLock { $0 = isAccepted }
                }
                try #require(hasStarted)
                // Long enough for a thread that spins to use a processor for half of it.
                usleep(300_000)
                #expect(accepted.withLock { $0 } == nil)
            }
            #expect(await eventually { accepted.withLock { $0 } == true })
            #expect(seconds.withLock { $0 } < 0.1, "it was busy for \(seconds.withLock { $0 }) s")
            withExtendedLifetime(client) {}
        }

        @Test func `one that waits ends when it is told to during a shortage`() async throws {
            let (listener, _) = try SocketHandle.listen(on: .loopback)
            let hasEnded = Mutex(false)
            try DescriptorLimit.lowered {
                let hasStarted = DedicatedThread.start {
                    if listener.acceptWaiting() == nil { hasEnded.withLock { $0 = true } }
                }
                try #require(hasStarted)
                listener.end()
            }
            #expect(await eventually { hasEnded.withLock { $0 } })
        }

        @Test func `a loop's listener is not waited for during a shortage, and goes on afterwards`() throws {
            let (socket, port) = try SocketHandle.listen(on: .loopback)
            let client = try SocketHandle.connect(to: .loopback, port: port)
            var listener = LoopListener(socket)
            let during = try DescriptorLimit.lowered { listener.accept() }
            #expect(during == nil)
            #expect(listener.interest == [])
            let deadline = try #require(listener.deadline)
            listener.resume()
            let early = listener.accept()
            #expect(early == nil || ContinuousClock.now >= deadline)
            _ = Poller.wait(for: -1, [], until: deadline)
            listener.resume()
            #expect(listener.interest == .readable)
            #expect(listener.deadline == nil)
            let later = early ?? listener.accept()
            #expect(later != nil)
            withExtendedLifetime(client) {}
        }
    }
#endif
