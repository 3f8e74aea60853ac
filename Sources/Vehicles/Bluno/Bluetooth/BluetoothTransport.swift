internal import BlueZ
package import DBus
package import UAVLink

/// A board over Bluetooth LE, through BlueZ.
package struct BluetoothTransport: BlunoTransport {
    /// Opens a bus.
    package typealias OpenBus = @Sendable () throws(BusFailure) -> any MessageBus

    /// The address of the board; `nil` for the only one in range.
    package let address: String?
    private let openBus: OpenBus
    private let clock: any MonotonicClock

    /// A board that is not connected.
    package init(
        address: String?, clock: any MonotonicClock = SystemMonotonicClock(),
        openBus: @escaping OpenBus = Self.systemBus
    ) {
        self.address = address
        self.clock = clock
        self.openBus = openBus
    }

    /// The system's bus.
    package static let systemBus: OpenBus = { () throws(BusFailure) in try SystemBus() }

    /// The address, or the kind.
    package var name: String { address ?? "the only Bluno in range" }

    /// Looks for the boards in range.
    package func makeScanner() -> BluetoothScanner? { BluetoothScanner(clock: clock, openBus: openBus) }

    /// The same radio to another board.
    package func reaching(_ address: String) -> (any BlunoTransport)? {
        LEAddress.isValid(address)
            ? BluetoothTransport(address: address.uppercased(), clock: clock, openBus: openBus) : nil
    }

    /// Begins to connect.
    ///
    /// - Throws: ``UAVLink/LinkError`` if there is no system bus.
    package func open() throws(LinkError) -> any BlunoStream {
        do throws(BusFailure) {
            return BluetoothStream(address.map { .device($0) } ?? .only, bus: try openBus(), clock: clock)
        } catch { throw LinkError(.unreachable, error.what, hint: error.hint) }
    }
}

extension LinkError {
    /// A failure of Bluetooth as that of a link.
    init(_ failure: LEFailure) {
        self.init(failure.kind == .silent ? .timedOut : .unreachable, failure.what, hint: failure.hint)
    }
}
