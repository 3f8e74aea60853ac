import Synchronization
import SystemIO
import Testing
import Threads

/// The event loop on its real thread, with sockets of the loopback.
@Suite(.timeLimit(.minutes(1))) struct EventLoopLoopbackTests {
    /// Ends the loop and returns when it has stopped.
    private func stop(_ loop: EventLoop) async {
        await withCheckedContinuation { stopped in
            loop.submit { core in core.onStop.append { stopped.resume() } }
            loop.stop()
        }
    }

    @Test func `closures run in the order of their submission until the loop stops`() async throws {
        let loop = try EventLoop()
        let seen = Mutex<[Int]>([])
        // The first ones before the thread exists.
        for number in 0..<50 { loop.submit { _ in seen.withLock { $0.append(number) } } }
        try loop.start()
        for number in 50..<100 { loop.submit { _ in seen.withLock { $0.append(number) } } }
        await stop(loop)
        #expect(seen.withLock { $0 } == Array(0..<100))
        #expect(!loop.submit { _ in seen.withLock { $0.append(100) } })
        #expect(seen.withLock(\.count) == 100)
    }

    @Test func `closures run on one thread of the loop's own`() async throws {
        let loop = try EventLoop()
        try loop.start()
        var threads: Set<UInt> = []
        for _ in 0..<3 {
            threads.insert(
                await withCheckedContinuation { answer in
                    loop.submit { _ in answer.resume(returning: DedicatedThread.current) }
                })
        }
        #expect(threads.count == 1 && !threads.contains(DedicatedThread.current))
        await stop(loop)
    }

    /// Its threads before, where its answers come from, and after each.
    @concurrent private static func threadsOfAnswers(from loop: EventLoop) async -> [UInt] {
        var threads = [DedicatedThread.current]
        for _ in 0..<3 {
            threads.append(
                await withCheckedContinuation { answer in
                    loop.submit { _ in answer.resume(returning: DedicatedThread.current) }
                })
            threads.append(DedicatedThread.current)
        }
        return threads
    }

    @Test func `a task on the loop's thread is answered there, and goes on elsewhere when the loop has stopped`()
        async throws
    {
        let loop = try EventLoop()
        try loop.start()
        // Its thread has begun.
        await withCheckedContinuation { begun in loop.submit { _ in begun.resume() } }
        let threads = await withTaskExecutorPreference(loop.executor) { await Self.threadsOfAnswers(from: loop) }
        #expect(Set(threads).count == 1 && threads.first != DedicatedThread.current)
        await stop(loop)
        #expect(await withTaskExecutorPreference(loop.executor) { 7 } == 7)
    }

    @Test func `a handler that is not finished is notified when the loop stops, a finished one is not`() async throws {
        let loop = try EventLoop()
        try loop.start()
        let notified = Mutex<[String]>([])
        loop.submit { core in
            core.add(Watcher { notified.withLock { $0.append("unfinished") } })
            let finished = Watcher { notified.withLock { $0.append("finished") } }
            finished.isFinished = true
            core.add(finished)
        }
        await stop(loop)
        #expect(notified.withLock { $0 } == ["unfinished"])
    }

    @Test func `a timer fires once for each deadline that is set`() async throws {
        let loop = try EventLoop()
        try loop.start()
        let count = await withCheckedContinuation { fired in
            loop.submit { core in
                var count = 0
                let timer = LoopTimer { timer, _ in
                    count += 1
                    guard count == 3 else { return timer.set(.now) }
                    timer.finish()
                    fired.resume(returning: count)
                }
                timer.set(.now)
                core.add(timer)
            }
        }
        #expect(count == 3)
        await stop(loop)
    }

    @Test func `a connection goes where the redirect says`() async throws {
        let loop = try EventLoop()
        try loop.start()
        let (listener, port) = try SocketHandle.listen(on: .loopback)
        let asked = Mutex<[String]>([])
        await withCheckedContinuation { accepted in
            loop.submit { core in
                core.redirect = { host, destination in
                    asked.withLock { $0.append("\(host):\(destination)") }
                    return ("127.0.0.1", port)
                }
                core.add(Listener(listener) { accepted.resume() })
                guard let unreachable = IPv4Address("192.0.2.1") else { return }
                core.attachment = try? core.connect(to: unreachable, port: 9)
            }
        }
        #expect(asked.withLock { $0 } == ["192.0.2.1:9"])
        await stop(loop)
    }

    @Test func `a number that is no descriptor, and a peer that is gone, are reported to the handler`() async throws {
        let loop = try EventLoop()
        try loop.start()
        var pipe: (reading: OwnedDescriptor, writing: OwnedDescriptor)? = try OwnedDescriptor.pipe()
        let reading = try #require(pipe).reading
        let writing = Mutex(pipe?.writing)
        pipe = nil
        let invalid = await withCheckedContinuation { (answer: CheckedContinuation<Readiness, Never>) in
            loop.submit { core in core.add(Watcher(.max) { answer.resume(returning: $0) }) }
        }
        #expect(invalid == .invalid)
        let hungUp = await withCheckedContinuation { (answer: CheckedContinuation<Readiness, Never>) in
            loop.submit { core in
                core.add(Watcher(reading.number) { answer.resume(returning: $0) })
                writing.withLock { $0 = nil }
            }
        }
        #expect(hungUp.contains(.hungUp))
        await stop(loop)
    }

    @Test func `a numeric address needs no lookup`() async throws {
        let loop = try EventLoop()
        try loop.start()
        let found = await withCheckedContinuation { answer in
            loop.submit { core in core.lookUp("127.0.0.1") { answer.resume(returning: try? $0.get()) } }
        }
        #expect(found == .loopback)
        await stop(loop)
    }
}

/// Waits for nothing, or until a descriptor can be read or is broken.
private final class Watcher: LoopHandler {
    let descriptor: Int32
    var owner: AnyObject? { nil }
    let interest: Readiness
    let deadline: ContinuousClock.Instant? = nil
    var isFinished = false
    private let onReady: (Readiness) -> Void
    private let onStop: () -> Void

    init(onStop: @escaping () -> Void) {
        (descriptor, interest) = (-1, [])
        onReady = { _ in }
        self.onStop = onStop
    }

    init(_ descriptor: Int32, onReady: @escaping (Readiness) -> Void) {
        self.descriptor = descriptor
        interest = .readable
        self.onReady = onReady
        onStop = {}
    }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        isFinished = true
        onReady(readiness)
    }
    func deadlinePassed(on loop: LoopCore) {}
    func loopWillStop(on loop: LoopCore) { onStop() }
}

/// Accepts one connection.
private final class Listener: LoopHandler {
    private var listener: LoopListener
    private let accepted: () -> Void
    private(set) var isFinished = false

    init(_ socket: SocketHandle, accepted: @escaping () -> Void) {
        listener = LoopListener(socket)
        self.accepted = accepted
    }

    var descriptor: Int32 { listener.descriptor }
    var owner: AnyObject? { listener.owner }
    var interest: Readiness { listener.interest }
    var deadline: ContinuousClock.Instant? { listener.deadline }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        guard listener.accept() != nil else { return }
        isFinished = true
        accepted()
    }
    func deadlinePassed(on loop: LoopCore) { listener.resume() }
    func loopWillStop(on loop: LoopCore) {}
}
