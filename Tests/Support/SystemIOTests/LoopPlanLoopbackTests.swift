import IntegrationKit
import Synchronization
import SystemIO
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which handlers a loop asks, and when: on its real thread, with pipes.
@Suite(.timeLimit(.minutes(MachinePace.minutes(1)))) struct LoopPlanLoopbackTests {
    private func stop(_ loop: EventLoop) async {
        await withCheckedContinuation { stopped in
            loop.submit { core in core.onStop.append { stopped.resume() } }
            loop.stop()
        }
    }

    /// Writes bytes one by one, each when the handler has read the one before.
    private func feed(_ pipe: Pipe, _ count: Int) async throws {
        for number in 1...count {
            pipe.write()
            try #require(await reaches { pipe.reads.load(ordering: .acquiring) >= number })
        }
    }

    private func reaches(_ condition: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + .patient(seconds: 20)
        while !condition() {
            guard .now < end else { return false }
            await Task.yield()
        }
        return true
    }

    @Test(arguments: [true, false])
    func `others are asked again only if the handler that was ready may have changed them`(isSelfContained: Bool)
        async throws
    {
        let loop = try EventLoop()
        try loop.start()
        let pipe = try Pipe()
        let asked = Pipe.Count()
        loop.submit { core in
            core.add(Reader(pipe, isSelfContained: isSelfContained))
            core.add(Bystander(asked))
        }
        try await feed(pipe, 10)
        let before = asked.number.load(ordering: .relaxed)
        try await feed(pipe, 110)
        let times = asked.number.load(ordering: .relaxed) - before
        #expect(isSelfContained ? times < 10 : times >= 99)
        await stop(loop)
    }

    @Test func `a deadline that another thread announces is kept when an earlier one goes`() async throws {
        let loop = try EventLoop()
        try loop.start()
        let pipe = try Pipe()
        let timed = Pipe.Timed()
        // The reader has an earlier deadline, until it has read something.
        loop.submit { core in
            core.add(Reader(pipe, isSelfContained: true, until: .now + .seconds(5)))
            core.add(Late(timed))
        }
        try await feed(pipe, 1)
        pipe.expects.store(true, ordering: .releasing)
        try await feed(pipe, 2)
        let deadline = ContinuousClock.now + .milliseconds(200)
        timed.deadline.withLock { $0 = deadline }
        loop.ensureAwake(at: deadline)
        try await feed(pipe, 5)
        #expect(await reaches { timed.hasPassed.load(ordering: .acquiring) })
        await stop(loop)
    }

    @Test func `a handler that changes to another descriptor is served on that one only`() async throws {
        let loop = try EventLoop()
        try loop.start()
        let (first, second) = (try Pipe(), try Pipe())
        await withCheckedContinuation { changed in
            loop.submit { core in
                let reader = Reader(first, isSelfContained: true)
                core.add(reader)
                core.attachment = reader
                core.loop.submit { core in
                    (core.attachment as? Reader)?.pipe = second
                    changed.resume()
                }
            }
        }
        first.write()
        try await feed(second, 3)
        #expect(first.reads.load(ordering: .acquiring) == 0)
        await stop(loop)
    }
}

/// A pipe, and how often it was read.
private final class Pipe: Sendable {
    final class Count: Sendable { let number = Atomic(0) }
    final class Timed: Sendable {
        let deadline = Mutex<ContinuousClock.Instant?>(nil)
        let hasPassed = Atomic(false)
    }

    let reading: OwnedDescriptor
    private let writing: OwnedDescriptor
    let reads = Atomic(0)
    let expects = Atomic(false)

    init() throws {
        (reading, writing) = try OwnedDescriptor.pipe()
    }

    func write() {
        var byte: UInt8 = 1
        _ = systemWrite(writing.number, &byte)
    }
}

/// Reads a byte at a time.
private final class Reader: LoopHandler {
    var pipe: Pipe
    let isSelfContained: Bool
    private(set) var deadline: ContinuousClock.Instant?
    let interest = Readiness.readable
    let isFinished = false

    init(_ pipe: Pipe, isSelfContained: Bool, until deadline: ContinuousClock.Instant? = nil) {
        self.pipe = pipe
        self.isSelfContained = isSelfContained
        self.deadline = deadline
    }

    var descriptor: Int32 { pipe.reading.number }
    var owner: AnyObject? { pipe.reading }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        var byte: UInt8 = 0
        guard systemRead(descriptor, &byte) == 1 else { return }
        if pipe.expects.load(ordering: .acquiring) { deadline = nil }
        pipe.reads.add(1, ordering: .releasing)
    }
    func deadlinePassed(on loop: LoopCore) { deadline = nil }
    func loopWillStop(on loop: LoopCore) {}
}

/// Waits for nothing, and counts how often it is asked.
private final class Bystander: LoopHandler {
    let descriptor: Int32 = -1
    var owner: AnyObject? { nil }
    let interest: Readiness = []
    let isFinished = false
    private let asked: Pipe.Count
    init(_ asked: Pipe.Count) { self.asked = asked }

    var deadline: ContinuousClock.Instant? {
        asked.number.add(1, ordering: .relaxed)
        return nil
    }

    func ready(_ readiness: Readiness, on loop: LoopCore) {}
    func deadlinePassed(on loop: LoopCore) {}
    func loopWillStop(on loop: LoopCore) {}
}

/// Has a deadline that another thread sets.
private final class Late: LoopHandler {
    let descriptor: Int32 = -1
    var owner: AnyObject? { nil }
    let interest: Readiness = []
    let isFinished = false
    private let timed: Pipe.Timed
    init(_ timed: Pipe.Timed) { self.timed = timed }

    var deadline: ContinuousClock.Instant? { timed.deadline.withLock { $0 } }
    func ready(_ readiness: Readiness, on loop: LoopCore) {}
    func deadlinePassed(on loop: LoopCore) {
        timed.deadline.withLock { $0 = nil }
        timed.hasPassed.store(true, ordering: .releasing)
    }
    func loopWillStop(on loop: LoopCore) {}
}

// Inside the classes, methods of the same names hide the system functions.
private func systemWrite(_ descriptor: Int32, _ byte: UnsafePointer<UInt8>) -> Int { write(descriptor, byte, 1) }
private func systemRead(_ descriptor: Int32, _ byte: UnsafeMutablePointer<UInt8>) -> Int { read(descriptor, byte, 1) }
