import Synchronization
import SystemIO
import Testing
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Real descriptors and threads.
@Suite(.timeLimit(.minutes(1))) struct WakerLoopbackTests {
    private func isReadable(_ waker: Waker, within milliseconds: Int32 = 0) -> Bool {
        var entry = pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1 && entry.revents == Int16(POLLIN)
    }

    @Test func `it is readable from a wake-up until it is cleared`() throws {
        let waker = try Waker()
        #expect(!isReadable(waker))
        waker.wake()
        #expect(isReadable(waker))
        #expect(isReadable(waker))
        waker.clear()
        #expect(!isReadable(waker))
    }

    @Test func `one clearing takes back any number of wake-ups`() throws {
        let waker = try Waker()
        for _ in 0..<100_000 { waker.wake() }
        waker.clear()
        #expect(!isReadable(waker))
        // The descriptor still works.
        waker.wake()
        #expect(isReadable(waker))
    }

    @Test func `clearing without a wake-up does not wait`() throws {
        let waker = try Waker()
        waker.clear()
        waker.clear()
        waker.wake()
        #expect(isReadable(waker))
    }

    @Test func `it wakes a thread that waits`() async throws {
        let waker = try Waker()
        let isWaiting = Atomic(false)
        let hasStarted = DedicatedThread.start {
            while !isWaiting.load(ordering: .acquiring) { usleep(100) }
            // By now it waits, most probably; the result is the same if not.
            usleep(5000)
            waker.wake()
        }
        try #require(hasStarted)
        let wasWoken = await DedicatedThread.run {
            isWaiting.store(true, ordering: .releasing)
            return isReadable(waker, within: 30_000)
        }
        #expect(wasWoken == true)
    }

    @Test func `no wake-up of several threads is lost`() async throws {
        let waker = try Waker()
        let count = Atomic(0)
        let (threads, each) = (4, 2000)
        for _ in 0..<threads {
            let hasStarted = DedicatedThread.start {
                for _ in 0..<each {
                    count.add(1, ordering: .sequentiallyConsistent)
                    waker.wake()
                }
            }
            try #require(hasStarted)
        }
        let seen = await DedicatedThread.run {
            var seen = 0
            while seen < threads * each, isReadable(waker, within: 30_000) {
                waker.clear()
                seen = count.load(ordering: .sequentiallyConsistent)
            }
            return seen
        }
        #expect(seen == threads * each)
    }

    @Test func `other programs do not inherit it, and it never waits`() throws {
        let waker = try Waker()
        #expect(fcntl(waker.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(waker.descriptor, F_GETFL) & O_NONBLOCK != 0)
    }

    @Test func `a descriptor is closed with its last reference`() throws {
        var ends: (reading: OwnedDescriptor, writing: OwnedDescriptor)? = try OwnedDescriptor.pipe()
        let reading = try #require(ends).reading
        #expect(fcntl(reading.number, F_GETFD) & FD_CLOEXEC != 0)
        // With the writing end closed, the reading end reports the end of the pipe.
        var entry = pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 0) == 0)
        ends = nil
        #expect(poll(&entry, 1, 0) == 1)
        #expect(entry.revents & Int16(POLLHUP) != 0)
    }
}
