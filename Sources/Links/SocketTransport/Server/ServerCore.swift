#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import UAVLink

/// What a ``ChannelServer``'s thread and those who bring it answers share: the sessions and their sockets, under a lock.
///
/// ```
///   datagram ─▶ the thread: open, judge ─▶ handler.perform ─ ─ ▶ the vehicle
///   datagram ◀─ whichever thread has the answer: seal, send ◀─ ─ ─ ╯
/// ```
/// An answer is sealed and sent by the thread that brings it: waking the server's thread for that costs as much as the
/// network does on a machine that was idle. Whatever wakes another thread (a command to the vehicle, an answer's datagram)
/// happens outside the lock: who is woken takes the processor from who wakes it, and would soon wait for the lock.
final class ServerCore: Sendable {
    private let loop: Mutex<ServerLoop>
    private let sockets: ServerSockets
    private let mailbox: ServerMailbox
    private let handler: any ChannelHandler
    private let clock: any MonotonicClock
    private let decoder: TransferDecoder

    init(
        sockets: ServerSockets, mailbox: ServerMailbox, handler: any ChannelHandler, clock: any MonotonicClock,
        decode: @escaping TransferDecoder.Decode = { $0.decoded() }
    ) {
        decoder = TransferDecoder(decode)
        self.sockets = sockets
        self.mailbox = mailbox
        self.handler = handler
        self.clock = clock
        loop = Mutex(ServerLoop(sockets: sockets, mailbox: mailbox, handler: handler, clock: clock))
    }

    /// Runs until the mail says stop.
    func run() {
        var poller = Poller()
        while let wakeAt = loop.withLock({ $0.work(listing: &poller) }) {
            poller.wait(wakeAt - clock.now)
            let (order, isWatched) = loop.withLock { ($0.read(poller), $0.takeWatchChange()) }
            if let isWatched { watch(isWatched) }
            if let order { hand(order) }
        }
    }

    /// Takes in a session that waits for its ground; from any thread.
    func admit(_ session: NewSession, maximum: Int) throws(LinkError) {
        try loop.withLock { loop throws(LinkError) in try loop.admit(session, maximum: maximum) }
        // It has a deadline, and whoever made room for it is to be told of.
        mailbox.wake()
    }

    /// Takes nobody in any more, unless somebody is there.
    func endAdmission() -> Bool {
        let isOver = loop.withLock { $0.endAdmission() }
        // Tickets whose time is up are let go of there.
        if !isOver { mailbox.wake() }
        return isOver
    }

    /// Has the handler watch other nodes' velocity references, or stop it.
    private func watch(_ isWatched: Bool) {
        guard isWatched else { return handler.watchSetpoints(nil) }
        handler.watchSetpoints { [weak self] sequence, at in
            self?.loop.withLock { $0.saw(sequence, at: at) }
        }
    }

    private func hand(_ order: ServerLoop.Order) {
        let askedAt = clock.now
        switch order.content {
        case .command(let command):
            handler.perform(command, from: order.session, until: order.deadline) { [weak self] result in
                guard let self else { return }
                let times = ServerLoop.CommandTimes(
                    receivedAt: order.receivedAt, askedAt: askedAt, answeredAt: clock.now)
                send(loop.withLock { $0.answer(order.session, order.id, result, times) })
            }
        case .transfer(let transfer):
            let work = TransferDecoder.Work(
                transfer: transfer, session: order.session, receivedAt: order.receivedAt)
            decoder.add(work) { [weak self] work, command in self?.take(command, of: work) }
        case .question(let question):
            handler.ask(question, from: order.session, until: order.deadline) { [weak self] result in
                guard let self else { return }
                // Encoded before the lock is taken: a map is megabytes, and steering must not wait for them.
                let payload = QuestionAnswer(id: order.id, result: result).payload
                send(loop.withLock { $0.answer(order.session, question: order.id, payload) })
            }
        }
    }

    private func take(_ command: DecodedCommand?, of work: TransferDecoder.Work) {
        loop.withLock { $0.take(command, from: work.session, receivedAt: work.receivedAt) }
        mailbox.wake()
    }

    /// Sends what an answer came to, on this thread.
    private func send(_ outcome: ServerLoop.AnswerOutcome) {
        if let (frame, address) = outcome.datagram {
            // A datagram that the kernel does not take is a datagram lost.
            frame.withUnsafeBytes { bytes in
                _ = address.withSockaddr {
                    sendto(sockets.datagrams.descriptor, bytes.baseAddress, bytes.count, 0, $0, $1)
                }
            }
        }
        if outcome.wakes { mailbox.wake() }
    }
}
