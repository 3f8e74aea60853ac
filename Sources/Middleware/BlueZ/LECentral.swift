package import DBus
package import UAVLink

/// This computer's side of Bluetooth LE through BlueZ, as a value: what has come over the bus goes in, calls come out, and time comes
/// from outside. It scans, or connects to one device, once: after a failure a new one is made.
///
/// ```
///   starting ─▶ listing ─▶ searching ─▶ connecting ─▶ resolving ─▶ connected
///                  │           │  (scan stopped before Connect)        │
///                  │           ╰─▶ scanning, which ends when asked to  │
///                  ╰─────────── known: no search ────────▲             ▼
///        any ─▶ failed(why)            the device, the adapter, BlueZ gone
/// ```
package struct LECentral: Sendable {
    /// What it is for.
    package enum Aim: Hashable, Sendable {
        /// Only to listen what is in range.
        case scan
        /// The device with that address.
        case device(String)
        /// The only device in range that is of the kind; several are a failure that names them.
        case only
    }

    /// How far it is.
    package enum Step: Hashable, Sendable {
        case starting, listing, searching, stoppingScan, connecting, resolving, connected, scanning, ended
        case failed(LEFailure)
    }

    enum Purpose: Hashable, Sendable {
        case match, list, filter, scanStart, scanStop, connect, operation(LEOperation)
        /// Nobody waits for it.
        case farewell
    }

    /// What it is for.
    package let aim: Aim
    let kind: Kind
    package internal(set) var step = Step.starting
    var objects = BlueZObjects()
    /// The unique name of BlueZ: only its signals count.
    var owner: String?
    var adapter: String?
    var devicePath: String?
    var isScanning = false
    /// Whether the connection is ours to end: not one that another program was making.
    var mustDisconnect = false
    private var wasConnected = false
    private var stepEndsAt: MonotonicTime?
    private var lastNumber: UInt64 = 0
    var pending: [UInt64: (purpose: Purpose, until: MonotonicTime)] = [:]
    private var calls: [NumberedCall] = []
    var results: [LEResult] = []
    /// The paths whose notifications are wanted, with what has come: paths and values in order.
    var notifying: Set<String> = []
    var notified: [(path: String, bytes: [UInt8])] = []

    /// A call to send; its answer comes back with the number.
    package struct NumberedCall: Hashable, Sendable {
        package var number: UInt64
        package var call: DBusCall
    }

    /// One that has not begun.
    package init(_ aim: Aim, kind: Kind) {
        self.aim = aim
        self.kind = kind
    }

    // MARK: Calls

    /// The next call to send.
    package mutating func takeCall() -> NumberedCall? { calls.isEmpty ? nil : calls.removeFirst() }

    @discardableResult
    mutating func call(_ purpose: Purpose, _ call: DBusCall, within timeout: Duration, _ now: MonotonicTime) -> UInt64 {
        lastNumber &+= 1
        pending[lastNumber] = (purpose, now + timeout)
        calls.append(NumberedCall(number: lastNumber, call: call))
        return lastNumber
    }

    func bluez(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []) -> DBusCall {
        DBusCall(BlueZNames.service, path, interface, member, arguments)
    }

    /// Begins.
    package mutating func begin(now: MonotonicTime) {
        guard step == .starting else { return }
        step = .listing
        for match in BlueZNames.matches {
            let add = DBusCall(BlueZNames.bus, BlueZNames.busPath, BlueZNames.bus, "AddMatch", [.string(match)])
            call(.match, add, within: LETimes.answer, now)
        }
        call(.list, bluez("/", BlueZNames.objectManager, "GetManagedObjects"), within: LETimes.answer, now)
    }

    /// Ends: the scan stops, the device is disconnected. What is left to send says so; no answer is waited for.
    package mutating func end(now: MonotonicTime) {
        pending = [:]
        if isScanning, let adapter {
            call(.farewell, bluez(adapter, BlueZNames.adapter, "StopDiscovery"), within: LETimes.scanEnd, now)
        }
        if mustDisconnect, let devicePath {
            call(.farewell, bluez(devicePath, BlueZNames.device, "Disconnect"), within: LETimes.scanEnd, now)
        }
        (isScanning, mustDisconnect, step, stepEndsAt) = (false, false, .ended, nil)
    }

    // MARK: Steps

    mutating func fail(_ failure: LEFailure) {
        switch step {
        case .failed, .ended: return
        default: break
        }
        (step, stepEndsAt) = (.failed(failure), nil)
    }

    mutating func chooseAdapter(_ now: MonotonicTime) {
        guard step == .listing else { return }
        let adapters = objects.adapters
        guard let first = adapters.first else { return fail(.noAdapter) }
        guard let powered = adapters.first(where: \.isPowered) else { return fail(.poweredOff(first.name)) }
        adapter = powered.path
        if case .device(let address) = aim,
            let known = objects.devices(of: powered.path).first(where: { $0.address == address.uppercased() })
        {
            devicePath = known.path
            return connect(now)
        }
        scan(powered.path, now)
    }

    private mutating func scan(_ adapter: String, _ now: MonotonicTime) {
        let filter: DBusValue = .dictionary(["Transport": .string("le"), "DuplicateData": .bool(false)])
        call(.filter, bluez(adapter, BlueZNames.adapter, "SetDiscoveryFilter", [filter]), within: LETimes.answer, now)
        call(.scanStart, bluez(adapter, BlueZNames.adapter, "StartDiscovery"), within: LETimes.answer, now)
        isScanning = true
        switch aim {
        case .scan: (step, stepEndsAt) = (.scanning, now + LETimes.scan)
        case .device: (step, stepEndsAt) = (.searching, now + LETimes.search)
        case .only: (step, stepEndsAt) = (.searching, now + LETimes.survey)
        }
    }

    /// A search has found its device. Connecting while scanning often fails, so the scan ends first.
    private mutating func found(_ device: LEDevice, _ now: MonotonicTime) {
        devicePath = device.path
        guard isScanning, let adapter else { return connect(now) }
        (step, stepEndsAt) = (.stoppingScan, now + LETimes.scanEnd)
        call(.scanStop, bluez(adapter, BlueZNames.adapter, "StopDiscovery"), within: LETimes.scanEnd, now)
    }

    mutating func connect(_ now: MonotonicTime) {
        guard let devicePath else { return }
        mustDisconnect = true
        if objects.device(devicePath)?.isConnected == true { return resolve(now) }
        (step, stepEndsAt) = (.connecting, now + LETimes.connection)
        call(.connect, bluez(devicePath, BlueZNames.device, "Connect"), within: LETimes.connection, now)
    }

    mutating func resolve(_ now: MonotonicTime) {
        (step, stepEndsAt) = (.resolving, now + LETimes.services)
        look(now)
    }

    /// Looks what follows from a change of the objects.
    mutating func look(_ now: MonotonicTime) {
        if let adapter, step != .ended {
            guard let present = objects.adapter(adapter) else {
                return fail(LEFailure(.lost, "the Bluetooth adapter is gone", hint: "plug it in again"))
            }
            guard present.isPowered else { return fail(.poweredOff(present.name)) }
        }
        switch step {
        case .searching:
            if case .device(let wanted) = aim, let adapter,
                let device = objects.devices(of: adapter).first(where: { $0.address == wanted.uppercased() })
            {
                found(device, now)
            }
        case .resolving, .connected:
            guard let device = devicePath.flatMap({ objects.device($0) }) else {
                return fail(LEFailure(.lost, "\(address) is gone", hint: LEFailure.rangeHint))
            }
            if device.isConnected, device.isResolved { (step, stepEndsAt) = (.connected, nil) }
            // BlueZ may answer Connect before it says that the device is connected.
            if !device.isConnected, wasConnected {
                fail(LEFailure(.lost, "the connection to \(address) is lost", hint: LEFailure.rangeHint))
            }
            wasConnected = device.isConnected
        default: break
        }
    }

    // MARK: What is due

    /// Does what is due.
    package mutating func advance(now: MonotonicTime) {
        for (number, call) in pending.sorted(by: { $0.key < $1.key }) where now >= call.until {
            pending[number] = nil
            switch call.purpose {
            case .operation(let operation): finish(operation, number, .failure(DBusError(Self.noReply)))
            case .scanStop: if step == .stoppingScan { connect(now) }
            case .farewell, .filter: break
            case .connect: fail(.outOfRange(address))
            case .match, .list, .scanStart: fail(.isSilent)
            }
        }
        guard let at = stepEndsAt, now >= at else { return }
        stepEndsAt = nil
        switch step {
        case .searching: endSearch(now)
        case .stoppingScan: connect(now)
        case .connecting: fail(.outOfRange(address))
        case .resolving:
            fail(
                LEFailure(
                    .silent, "\(address) is connected, but its services are not read",
                    hint: "'bluetoothctl remove \(address)', then try again"))
        case .scanning: end(now: now)
        default: break
        }
    }

    private static let noReply = "org.freedesktop.DBus.Error.NoReply"

    private mutating func endSearch(_ now: MonotonicTime) {
        guard case .only = aim else {
            return fail(LEFailure(.notFound, "\(address) is not in range", hint: LEFailure.rangeHint))
        }
        let boards = devices.filter { kind.includes($0) }
        guard let only = boards.first else {
            return fail(LEFailure(.notFound, "no \(kind.name) is in range", hint: LEFailure.rangeHint))
        }
        guard boards.count == 1 else {
            let names = boards.prefix(8).map { device in
                "\(device.address) (\(device.name ?? "no name")\(device.rssi.map { ", \($0) dBm" } ?? ""))"
            }
            return fail(
                LEFailure(
                    .several, "\(boards.count) boards are in range: \(names.joined(separator: ", "))",
                    hint: "name one of these addresses"))
        }
        found(only, now)
    }

    /// When something is due next; `nil` if nothing is.
    package var nextDeadline: MonotonicTime? {
        [stepEndsAt, pending.values.map(\.until).min()].compactMap(\.self).min()
    }
}
