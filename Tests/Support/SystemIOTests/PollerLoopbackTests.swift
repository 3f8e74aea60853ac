import IntegrationKit
import Synchronization
import SystemIO
import Testing
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Real descriptors, threads and signals.
@Suite(.timeLimit(.minutes(1)), .serialized) struct PollerLoopbackTests {
    private typealias Pipe = (reading: OwnedDescriptor, writing: OwnedDescriptor)

    private func put(_ text: String, into pipe: Pipe) { #expect(write(pipe.writing.number, text, 1) == 1) }

    @Test func `what is ready is known by its index, and what is not is not`() throws {
        let (quiet, loud) = (try OwnedDescriptor.pipe(), try OwnedDescriptor.pipe())
        put("a", into: loud)
        var poller = Poller()
        let quietPlace = poller.add(quiet.reading.number)
        let loudPlace = poller.add(loud.reading.number, writing: true)
        let writingPlace = poller.add(quiet.writing.number, for: .writable)
        #expect(poller.wait(.seconds(30)) == .ready)
        #expect(!poller.isReady(quietPlace))
        #expect(poller.readiness(loudPlace) == .readable)
        #expect(poller.readiness(writingPlace) == .writable)
        poller.reset()
        #expect(!poller.isReady(loudPlace))
        #expect(poller.add(loud.reading.number) == 0)
        #expect(poller.wait(until: nil) == .ready)
        #expect(poller.isReady(0))
    }

    @Test func `what was ready is not when the next wait finds nothing`() throws {
        let pipe = try OwnedDescriptor.pipe()
        put("a", into: pipe)
        var poller = Poller()
        poller.add(pipe.reading.number)
        #expect(poller.wait(.zero) == .ready)
        var byte: UInt8 = 0
        #expect(read(pipe.reading.number, &byte, 1) == 1)
        #expect(poller.wait(.zero) == .timedOut)
        #expect(!poller.isReady(0))
    }

    @Test func `the other end being gone ends the wait, and what it has sent can still be read`() throws {
        var pipe: Pipe? = try OwnedDescriptor.pipe()
        let reading = try #require(pipe).reading
        put("a", into: try #require(pipe))
        pipe = nil
        #expect(Poller.wait(for: reading.number, .readable, within: .seconds(30)) == [.readable, .hungUp])
        var byte: UInt8 = 0
        #expect(read(reading.number, &byte, 1) == 1)
        let found = Poller.wait(for: reading.number, .readable, within: .seconds(30))
        #expect(found.contains(.hungUp) && !found.isDisjoint(with: .broken))
    }

    @Test func `a pipe without a reader reports a failure to its writer`() throws {
        var pipe: Pipe? = try OwnedDescriptor.pipe()
        let writing = try #require(pipe).writing
        pipe = nil
        #expect(Poller.wait(for: writing.number, .writable, within: .seconds(30)).contains(.failed))
    }

    @Test func `a number that is no descriptor is reported, not waited for`() {
        #expect(Poller.wait(for: .max, .readable, within: .seconds(30)) == .invalid)
        var poller = Poller()
        poller.add(.max)
        #expect(poller.wait(.seconds(30)) == .ready)
        #expect(poller.readiness(0) == .invalid)
    }

    @Test(arguments: [Duration.microseconds(1), .microseconds(1500), .milliseconds(20)])
    func `no wait ends before its time`(timeout: Duration) throws {
        let pipe = try OwnedDescriptor.pipe()
        var poller = Poller()
        poller.add(pipe.reading.number)
        let clock = ContinuousClock()
        let waits: [(inout Poller) -> Poller.Outcome] = [
            { $0.wait(timeout) }, { $0.waitPrecisely(timeout) }, { $0.wait(until: clock.now + timeout) },
        ]
        for wait in waits {
            let begun = clock.now
            #expect(wait(&poller) == .timedOut)
            #expect(clock.now - begun >= timeout)
        }
        let begun = clock.now
        #expect(Poller.wait(for: pipe.reading.number, .readable, within: timeout) == [])
        #expect(clock.now - begun >= timeout)
        withExtendedLifetime(pipe) {}
    }

    @Test func `a deadline that has passed is one look`() throws {
        let pipe = try OwnedDescriptor.pipe()
        let past = ContinuousClock.now - .seconds(1)
        #expect(Poller.wait(for: pipe.reading.number, .readable, until: past) == [])
        put("a", into: pipe)
        #expect(Poller.wait(for: pipe.reading.number, .readable, until: past) == .readable)
        var poller = Poller()
        poller.add(pipe.reading.number)
        #expect(poller.wait(until: past) == .ready)
    }

    /// Runs `body` on a thread that is sent signals until it returns.
    private func interrupted<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value? {
        let before = signal(SIGUSR1) { _ in }
        defer { signal(SIGUSR1, before) }
        let thread = Atomic<UInt>(0)
        let isOver = Atomic(false)
        let signalsEnded = Atomic(false)
        let hasStarted = DedicatedThread.start {
            while !isOver.load(ordering: .acquiring) {
                let target = thread.load(ordering: .acquiring)
                #if canImport(Glibc)
                    if target != 0 { pthread_kill(pthread_t(target), SIGUSR1) }
                #else
                    if let target = pthread_t(bitPattern: target) { pthread_kill(target, SIGUSR1) }
                #endif
                usleep(500)
            }
            signalsEnded.store(true, ordering: .releasing)
        }
        try #require(hasStarted)
        return await DedicatedThread.run {
            // A thread inherits the signals that are blocked, and Swift's own threads block them all.
            var own = sigset_t()
            sigemptyset(&own)
            sigaddset(&own, SIGUSR1)
            pthread_sigmask(SIG_UNBLOCK, &own, nil)
            thread.store(DedicatedThread.current, ordering: .releasing)
            let value = body()
            isOver.store(true, ordering: .releasing)
            // The thread must exist for as long as it is sent signals.
            while !signalsEnded.load(ordering: .acquiring) { usleep(500) }
            return value
        }
    }

    @Test func `a signal ends a wait for a time`() async throws {
        let outcome = try await interrupted {
            var poller = Poller()
            return poller.wait(.seconds(30))
        }
        #expect(outcome == .interrupted)
    }

    @Test func `a wait for a deadline goes on after signals`() async throws {
        let pipe = try OwnedDescriptor.pipe()
        let waited = try await interrupted {
            let begun = ContinuousClock.now
            var poller = Poller()
            poller.add(pipe.reading.number)
            let outcome = poller.wait(until: begun + .milliseconds(50))
            let found = Poller.wait(for: pipe.reading.number, .readable, until: begun + .milliseconds(100))
            return (outcome, found, ContinuousClock.now - begun)
        }
        let (outcome, found, time) = try #require(waited)
        #expect(outcome == .timedOut)
        #expect(found == [])
        #expect(time >= .milliseconds(100))
    }

    #if canImport(Glibc)
        @Test func `more descriptors than the system can wait for are an error that does not spin`() throws {
            var poller = Poller()
            for _ in 0..<9 { poller.add(-1) }
            try DescriptorLimit.lowered(to: 8) {
                let begun = ContinuousClock.now
                #expect(poller.wait(.seconds(30)) == .failed(EINVAL))
                #expect(poller.waitPrecisely(.seconds(30)) == .failed(EINVAL))
                #expect(poller.wait(until: nil) == .failed(EINVAL))
                #expect(ContinuousClock.now - begun >= .milliseconds(3))
            }
            try DescriptorLimit.lowered(to: 0) {
                let deadline = ContinuousClock.now + .milliseconds(5)
                #expect(Poller.wait(for: 0, .readable, until: deadline) == [])
                #expect(ContinuousClock.now >= deadline)
            }
        }

        @Test func `a process without free descriptors gets advice`() throws {
            try DescriptorLimit.lowered(to: 0) {
                let waker = #expect(throws: SocketError.self) { try Waker() }
                #expect(waker?.what == "cannot create an event descriptor: too many open files")
                #expect(waker?.hint.contains("ulimit -n") == true)
                let pipe = #expect(throws: SocketError.self) { try OwnedDescriptor.pipe() }
                #expect(pipe?.what == "cannot create a pipe: too many open files")
            }
        }
    #endif
}
