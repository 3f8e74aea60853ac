#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import Synchronization
internal import SystemIO
internal import UAVLink

/// Shared by a ``ChannelServer``'s thread and the threads that deliver answers: the sessions and sockets, under a lock.
///
/// ```
///   datagram ─▶ the thread: open, judge ─▶ handler.perform ─ ─ ▶ the vehicle
///   datagram ◀─ whichever thread has the answer: seal, send ◀─ ─ ─ ╯
/// ```
/// An answer is sealed and sent by the thread that delivers it: waking the server's thread for that costs as much as a network
/// round trip on an idle machine. Whatever wakes another thread (a command to the vehicle, the datagram of an answer) happens
/// outside the lock: the woken thread preempts the waking one and would soon block on the lock.
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

    /// Runs until the mailbox requests a stop.
    func run() {
        var poller = Poller()
        while let wakeAt = loop.withLock({ $0.work(listing: &poller) }) {
            poller.wait(wakeAt - clock.now)
            let (order, isWatched) = loop.withLock { ($0.read(poller), $0.pendingWatchChange()) }
            if let isWatched { watch(isWatched) }
            if let order { hand(order) }
        }
    }

    /// Adds a session that waits for its ground; safe to call from any thread.
    func admit(_ session: NewSession, maximum: Int) throws(LinkError) {
        try loop.withLock { loop throws(LinkError) in try loop.admit(session, maximum: maximum) }
        // The session has a deadline, and an eviction must be reported.
        mailbox.wake()
    }

    /// Stops admitting sessions, unless there is one.
    func endAdmission() -> Bool {
        let isOver = loop.withLock { $0.endAdmission() }
        // The thread removes expired tickets.
        if !isOver { mailbox.wake() }
        return isOver
    }

    /// Has the handler start or stop watching velocity references.
    private func watch(_ isWatched: Bool) {
        guard isWatched else { return handler.watchSetpoints(nil) }
        handler.watchSetpoints { [weak self] sequence, at, isOwn in
            self?.loop.withLock { $0.saw(sequence, at: at, isOwn: isOwn) }
        }
    }

    private func hand(_ order: ServerOrder) {
        let askedAt = clock.now
        switch order.content {
        case .command(let command, let issue):
            handler.perform(command, issue, from: order.session, until: order.deadline) { [weak self] result in
                guard let self else { return }
                let times = CommandTimes(
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
                // Encoded before taking the lock: a map has megabytes, and steering must not wait for it.
                let payload = QuestionAnswer(id: order.id, result: result).payload
                send(loop.withLock { $0.answer(order.session, question: order.id, payload) })
            }
        }
    }

    private func take(_ command: DecodedCommand?, of work: TransferDecoder.Work) {
        let decoded = ServerCommands.Decoded(
            session: work.session, command: command, receivedAt: work.receivedAt)
        loop.withLock { $0.take(decoded) }
        mailbox.wake()
    }

    /// Sends an answer on this thread.
    private func send(_ outcome: AnswerOutcome) {
        if let (frame, address) = outcome.datagram {
            // A datagram that the kernel does not accept is lost.
            frame.withUnsafeBytes { bytes in
                _ = address.withSockaddr {
                    sendto(sockets.datagrams.descriptor, bytes.baseAddress, bytes.count, 0, $0, $1)
                }
            }
        }
        if outcome.wakes { mailbox.wake() }
    }
}
