internal import BlueZ
internal import DBus
internal import UAVLink

/// Carries a central's calls to a bus, and what comes back to the central.
struct BusPump: Sendable {
    var central: LECentral
    let bus: any MessageBus
    /// The central's numbers by those of the bus.
    private var numbers: [UInt64: UInt64] = [:]
    /// What is taken at once, so that a bus that never stops talking does not keep a stop from being sent.
    private static let mostAtOnce = 64
    /// Answers that are waited for: the central forgets those that are late.
    private static let mostNumbers = 1024

    init(_ central: LECentral, bus: any MessageBus) {
        self.central = central
        self.bus = bus
    }

    /// Sends what the central has.
    mutating func send() throws(BusFailure) {
        while let next = central.takeCall() {
            let number = try bus.send(next.call)
            if numbers.count >= Self.mostNumbers, let oldest = numbers.keys.min() { numbers[oldest] = nil }
            numbers[number] = next.number
        }
    }

    /// Takes what has come.
    ///
    /// - Returns: whether there may be more.
    mutating func take(now: MonotonicTime) throws(BusFailure) -> Bool {
        for _ in 0..<Self.mostAtOnce {
            guard let event = try bus.next() else { return false }
            switch event {
            case .reply(let number, let sender, let result):
                if let mine = numbers.removeValue(forKey: number) {
                    central.receive(reply: mine, sender: sender, result, now: now)
                }
            case .signal(let signal): central.receive(signal, now: now)
            }
            try send()
        }
        return true
    }

    /// Disconnects, and sends that as far as the bus takes it.
    mutating func end(now: MonotonicTime) {
        central.end(now: now)
        do throws(BusFailure) { try send() } catch {}
        bus.close()
    }
}
