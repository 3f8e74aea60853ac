internal import DBus
package import UAVLink

/// Something that is done with a characteristic.
package enum LEOperation: Hashable, Sendable {
    case read(String)
    /// So many bytes to a path.
    case write(String, Int)
    case notify(String)

    var doing: String {
        switch self {
        case .read: "reading from the device"
        case .write: "writing to the device"
        case .notify: "asking for what the device sends"
        }
    }
}

/// What became of an operation.
package struct LEResult: Hashable, Sendable {
    /// The number that it was begun with.
    package var number: UInt64
    package var operation: LEOperation
    /// What was read; nothing for the others.
    package var outcome: Result<[UInt8], LEFailure>
}

extension LECentral {
    /// The characteristic with that full UUID of the connected device.
    package func characteristic(_ uuid: String) -> LECharacteristic? {
        guard step == .connected, let devicePath else { return nil }
        return objects.characteristics(of: devicePath).first { $0.uuid == uuid }
    }

    /// Begins to read.
    package mutating func read(_ characteristic: LECharacteristic, now: MonotonicTime) -> UInt64 {
        call(
            .operation(.read(characteristic.path)),
            bluez(characteristic.path, BlueZNames.characteristic, "ReadValue", [.dictionary([:])]),
            within: LETimes.answer, now)
    }

    /// Begins to write, at most ``LECharacteristic/mostBytes``.
    ///
    /// - Parameter awaitsAnswer: whether the device answers; else BlueZ does when it has taken it.
    package mutating func write(
        _ bytes: [UInt8], to characteristic: LECharacteristic, awaitsAnswer: Bool, now: MonotonicTime
    ) -> UInt64 {
        let type: DBusValue = .dictionary(["type": .string(awaitsAnswer ? "request" : "command")])
        return call(
            .operation(.write(characteristic.path, bytes.count)),
            bluez(characteristic.path, BlueZNames.characteristic, "WriteValue", [.bytes(bytes), type]),
            within: LETimes.answer, now)
    }

    /// Asks for what the device sends; it comes from ``takeNotified()``.
    package mutating func notify(_ characteristic: LECharacteristic, now: MonotonicTime) -> UInt64 {
        // What comes right after the answer must not be missed.
        notifying.insert(characteristic.path)
        return call(
            .operation(.notify(characteristic.path)),
            bluez(characteristic.path, BlueZNames.characteristic, "StartNotify"), within: LETimes.answer, now)
    }

    mutating func finish(_ operation: LEOperation, _ number: UInt64, _ result: Result<[DBusValue], DBusError>) {
        let outcome: Result<[UInt8], LEFailure> = result.map {
            Array(($0.first?.bytes ?? []).prefix(Self.longestValue))
        }
        .mapError { LEFailure($0, doing: operation.doing) }
        results.append(LEResult(number: number, operation: operation, outcome: outcome))
    }

    /// The operations that have ended since the last call.
    package mutating func takeResults() -> [LEResult] {
        defer { results = [] }
        return results
    }

    /// What the device has sent since the last call: the paths of characteristics, and values.
    package mutating func takeNotified() -> [(path: String, bytes: [UInt8])] {
        defer { notified = [] }
        return notified
    }

    /// The writings that have not been answered: how many, and their bytes.
    package var writing: (count: Int, bytes: Int) {
        pending.values.reduce(into: (0, 0)) { sum, call in
            guard case .operation(.write(_, let count)) = call.purpose else { return }
            (sum.0, sum.1) = (sum.0 + 1, sum.1 + count)
        }
    }
}
