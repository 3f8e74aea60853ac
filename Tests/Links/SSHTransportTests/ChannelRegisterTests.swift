import Synchronization
import Testing

@testable import SSHTransport

private final class FakeChannel: Closable {
    private let closings = Atomic<Int>(0)
    var isClosed: Bool { closings.load(ordering: .relaxed) > 0 }
    func close() { closings.add(1, ordering: .relaxed) }
}

@Suite struct ChannelRegisterTests {
    private let register = ChannelRegister()

    @Test func `what is open is closed, and what was removed is not`() {
        let (open, ended) = (FakeChannel(), FakeChannel())
        register.add(open, begunAt: register.now)
        register.add(ended, begunAt: register.now)
        register.remove(ended)
        register.closeAll(includingLater: false)
        #expect(open.isClosed)
        #expect(!ended.isClosed)
    }

    /// A setpoint whose channel was still opening when the vehicle was commanded to stop moved it after the stop.
    @Test func `what began before a closing is closed by it, even when it opens only after`() {
        let moment = register.now
        register.closeAll(includingLater: false)
        let late = FakeChannel()
        register.add(late, begunAt: moment)
        #expect(late.isClosed)
    }

    @Test func `what begins after a closing stays open, unless it was for ever`() {
        register.closeAll(includingLater: false)
        let next = FakeChannel()
        register.add(next, begunAt: register.now)
        #expect(!next.isClosed)
        register.closeAll(includingLater: true)
        #expect(next.isClosed)
        let never = FakeChannel()
        register.add(never, begunAt: register.now)
        #expect(never.isClosed)
    }
}
