internal import BlueZ
internal import DBus
internal import Synchronization
internal import UAVLink

/// A connection to a board over Bluetooth LE: found, connected, greeted and subscribed to step by step, while nothing waits.
final class BluetoothStream: BlunoStream {
    private struct State {
        var pump: BusPump
        var greeting: BlunoGreeting?
        /// The operation of the greeting that is under way.
        var operation: UInt64?
        var serial: LECharacteristic?
        var received: [UInt8] = []
        /// When packets that the board does not answer will have left, as far as that is known.
        var leaving: [MonotonicTime] = []
        var hasMore = false
        var failure: LinkError?
    }

    /// Bytes that wait to be read here: a second of the fastest board. More are dropped, the oldest first.
    private static let mostReceived = 8192

    private let state: Mutex<State>
    private let bus: any MessageBus
    private let clock: any MonotonicClock

    init(_ aim: LECentral.Aim, bus: any MessageBus, clock: any MonotonicClock) {
        self.bus = bus
        self.clock = clock
        state = Mutex(State(pump: BusPump(LECentral(aim, kind: BlunoBoard.kind), bus: bus)))
    }

    /// BlueZ keeps a connection when its program is gone: it is ended here.
    deinit { state.withLock { $0.pump.end(now: clock.now) } }

    // MARK: For the link's thread

    var descriptor: Int32 { bus.descriptor }
    func wantsWriting(whileBytesWait: Bool) -> Bool { bus.wantsWriting }
    /// A board is not reset by its radio.
    var mayStart: Bool { false }
    /// What BlueZ has taken stays taken.
    var canDiscard: Bool { false }
    func discard() {}

    var progress: BlunoProgress {
        state.withLock { state in
            state.greeting?.step == .done ? .open(name(state)) : .opening(state.pump.central.words)
        }
    }

    private func name(_ state: State) -> String {
        let model = state.greeting?.model.map { ", \($0)" } ?? ""
        return "\(state.pump.central.address)\(model)"
    }

    var nextDeadline: MonotonicTime? {
        state.withLock { $0.hasMore || !$0.received.isEmpty ? clock.now : $0.pump.central.nextDeadline }
    }

    var hasBytes: Bool { state.withLock { !$0.received.isEmpty } }

    /// Does what is due, and takes what has come over the bus.
    func advance(now: MonotonicTime) -> LinkError? {
        state.withLock { state in
            work(&state, now)
            return state.failure
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BlunoMove {
        state.withLock { state in
            if state.received.isEmpty, state.failure == nil { work(&state, clock.now) }
            guard state.received.isEmpty else {
                let count = min(state.received.count, buffer.count)
                buffer.copyBytes(from: state.received.prefix(count))
                state.received.removeFirst(count)
                return .moved(count)
            }
            return state.failure.map { .ended($0.what) } ?? .nothing
        }
    }

    // MARK: Writing

    /// Bytes that BlueZ has not confirmed; as many as there may be, if as many packets as may be are under way. What BlueZ has
    /// confirmed at once counts until it can have left.
    var underWay: Int {
        state.withLock { state in
            let now = clock.now
            let (count, bytes) = state.pump.central.writing
            let waiting = state.leaving.count { $0 > now }
            guard max(count, waiting) < BlunoBoard.mostPackets else { return max(bytes, BlunoOutbox.mostUnderWay) }
            return waiting > 0 ? max(bytes, 1) : bytes
        }
    }

    func write(_ bytes: [UInt8]) -> BlunoMove {
        state.withLock { state in
            if let failure = state.failure { return .ended(failure.what) }
            guard let serial = state.serial, state.greeting?.step == .done, !bytes.isEmpty else { return .nothing }
            // Without an answer of the board a stop waits behind no other packet's; the radio itself repeats what is lost.
            let awaitsAnswer = !serial.flags.contains("write-without-response")
            let most = awaitsAnswer ? 1 : BlunoBoard.mostPacketsWithStop
            guard state.pump.central.writing.count < most else { return .nothing }
            let piece = Array(bytes.prefix(min(serial.mostBytes, BlunoBoard.mostBytes)))
            let now = clock.now
            _ = state.pump.central.write(piece, to: serial, awaitsAnswer: awaitsAnswer, now: now)
            state.leaving.removeAll { $0 <= now }
            if !awaitsAnswer, state.leaving.count < BlunoBoard.mostPacketsWithStop {
                state.leaving.append(max(state.leaving.last ?? now, now) + BlunoBoard.packetTime)
            }
            do throws(BusFailure) { try state.pump.send() } catch {
                state.failure = LinkError(.unreachable, error.what, hint: error.hint)
                return .ended(error.what)
            }
            return .moved(piece.count)
        }
    }

    // MARK: The connection

    private func work(_ state: inout State, _ now: MonotonicTime) {
        guard state.failure == nil else { return }
        do throws(BusFailure) {
            state.pump.central.begin(now: now)
            try state.pump.send()
            state.hasMore = try state.pump.take(now: now)
            state.pump.central.advance(now: now)
            takeResults(&state)
            for (path, bytes) in state.pump.central.takeNotified() where path == state.serial?.path {
                state.received += bytes
            }
            if state.received.count > Self.mostReceived {
                state.received.removeFirst(state.received.count - Self.mostReceived)
            }
            greet(&state, now)
            try state.pump.send()
        } catch { state.failure = LinkError(.unreachable, error.what, hint: error.hint) }
        if state.failure == nil, case .failed(let failure) = state.pump.central.step {
            state.failure = LinkError(failure)
        }
    }

    private func takeResults(_ state: inout State) {
        for result in state.pump.central.takeResults() {
            switch (result.operation, result.outcome) {
            case (.read, let outcome) where result.number == state.operation:
                state.greeting?.take(model: try? outcome.get())
            case (.write, let outcome) where result.number == state.operation:
                if case .success = outcome {
                    state.greeting?.wrote(successfully: true)
                } else {
                    state.greeting?.wrote(successfully: false)
                }
            case (.notify, .success) where result.number == state.operation: state.greeting?.subscribed()
            case (.notify, .failure(let failure)), (.write, .failure(let failure)): state.failure = LinkError(failure)
            case (.read, _), (.write, .success), (.notify, .success): continue
            }
            if result.number == state.operation { state.operation = nil }
        }
    }

    /// The next step of the greeting, if none is under way.
    private func greet(_ state: inout State, _ now: MonotonicTime) {
        guard state.failure == nil, state.operation == nil, state.pump.central.step == .connected else { return }
        let commands = state.pump.central.characteristic(BlunoBoard.commands)
        let model = state.pump.central.characteristic(BlunoBoard.model)
        guard let serial = state.pump.central.characteristic(BlunoBoard.serial) else {
            state.failure = LinkError(
                .unreachable, "\(state.pump.central.address) has no serial port over Bluetooth: it is no Bluno",
                hint: "if it is one, 'bluetoothctl remove \(state.pump.central.address)', and scan again")
            return
        }
        state.serial = serial
        let greeting =
            state.greeting ?? BlunoGreeting(hasModel: model != nil, hasCommands: commands != nil)
        state.greeting = greeting
        switch greeting.step {
        case .model:
            if let model { state.operation = state.pump.central.read(model, now: now) }
        case .command(let index):
            guard let commands, BlunoGreeting.lines.indices.contains(index) else { return }
            state.operation = state.pump.central.write(
                Array(BlunoGreeting.lines[index].utf8), to: commands, awaitsAnswer: commands.flags.contains("write"),
                now: now)
        case .subscription: state.operation = state.pump.central.notify(serial, now: now)
        case .done: break
        }
    }
}
