package import DBus
package import UAVLink

extension LECentral {
    /// The longest value that a characteristic has, bytes.
    static let longestValue = 512

    // MARK: What comes

    /// An answer to a call of ``takeCall()``.
    package mutating func receive(
        reply number: UInt64, sender: String, _ result: Result<[DBusValue], DBusError>, now: MonotonicTime
    ) {
        guard let (purpose, _) = pending.removeValue(forKey: number) else { return }
        switch (purpose, result) {
        case (.farewell, _), (.match, .success): break
        case (.match, .failure(let error)): fail(LEFailure(error, doing: "listening to BlueZ"))
        case (.list, .failure(let error)): fail(LEFailure(error, doing: "asking BlueZ"))
        case (.list, .success(let values)):
            owner = sender
            objects.replace(values.first)
            chooseAdapter(now)
        // Without the filter it still scans.
        case (.filter, _), (.scanStart, .success): break
        case (.scanStart, .failure(let error)):
            isScanning = false
            fail(LEFailure(error, doing: "scanning"))
        case (.scanStop, _):
            isScanning = false
            if step == .stoppingScan { connect(now) }
        case (.connect, .success):
            if step == .connecting { resolve(now) }
        case (.connect, .failure(let error)):
            if error.name.hasSuffix(".AlreadyConnected") {
                if step == .connecting { resolve(now) }
            } else if step == .connecting || step == .resolving {
                mustDisconnect = false
                fail(LEFailure(error, doing: "connecting to \(address)"))
            }
        case (.operation(let operation), let result): finish(operation, number, result)
        }
    }

    /// A signal.
    package mutating func receive(_ signal: DBusSignal, now: MonotonicTime) {
        if signal.sender == BlueZNames.bus {
            // BlueZ has ended, or another one has taken its place.
            guard signal.member == "NameOwnerChanged", signal.arguments.first?.string == BlueZNames.service,
                let owner, signal.arguments.last?.string != owner
            else { return }
            return fail(LEFailure(.lost, "BlueZ has stopped", hint: LEFailure.noBlueZ.hint))
        }
        guard signal.sender == owner else { return }
        let arguments = signal.arguments
        switch (signal.interface, signal.member) {
        case (BlueZNames.objectManager, "InterfacesAdded") where arguments.count == 2:
            if let path = arguments[0].string { objects.add(path, arguments[1]) }
        case (BlueZNames.objectManager, "InterfacesRemoved") where arguments.count == 2:
            if let path = arguments[0].string { objects.remove(path, arguments[1].strings ?? []) }
        case (BlueZNames.properties, "PropertiesChanged") where arguments.count == 3:
            guard let interface = arguments[0].string else { return }
            if notifying.contains(signal.path), interface == BlueZNames.characteristic,
                let bytes = arguments[1].dictionary?["Value"]?.bytes
            {
                notified.append((signal.path, Array(bytes.prefix(Self.longestValue))))
                return
            }
            objects.change(signal.path, interface, arguments[1], invalid: arguments[2].strings ?? [])
        default: return
        }
        look(now)
    }
}
