import BlueZ
import DBus
import FuzzKit
import UAVLink

/// What BlueZ, or whoever passes for it, says to this side of Bluetooth LE: answers and signals of any values, of the wrong types,
/// about objects that are not there, in any order and at any time. sd-bus reads the messages; this is what stands above it.
@main enum FuzzBlueZ: FuzzTarget {
    private static let kind = LECentral.Kind(name: "Bluno", service: LEUUID.full("dfb0"), names: ["bluno"])
    private static let owner = ":1.7"

    static func test(_ bytes: [UInt8]) {
        var source = ValueSource(bytes)
        var run = Run(source.next())
        while !source.isAtEnd { run.step(&source) }
        // Whatever was said, it comes to its end when told to.
        run.central.end(now: run.now)
        run.check()
    }

    private struct Run {
        var central: LECentral
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        /// The numbers of calls that were not answered yet, the oldest first.
        private var open: [UInt64] = []
        private var failure: LEFailure?

        init(_ first: UInt8) {
            let aims: [LECentral.Aim] = [.scan, .only, .device("AA:BB:CC:DD:EE:01")]
            central = LECentral(aims[Int(first) % aims.count], kind: FuzzBlueZ.kind)
            central.begin(now: now)
        }

        mutating func step(_ source: inout ValueSource) {
            while let next = central.takeCall() {
                open.append(next.number)
                // What is asked for can be written: a path, and values that have a form on the bus.
                precondition(next.call.path.hasPrefix("/") && next.call.arguments.count <= 2)
            }
            let choice = source.next()
            switch choice % 12 {
            case 0: answer(.success(source.values()))
            case 1: answer(.failure(DBusError(source.text(), source.text())))
            case 2: answer(.success([source.objects()]))
            case 3: answer(.success([]))
            case 4:
                signal(BlueZNames.objectManager, "InterfacesAdded", [.string(source.path()), source.interfaces()])
            case 5:
                signal(
                    BlueZNames.properties, "PropertiesChanged",
                    [.string(source.interface()), source.properties(), source.value()], at: source.path())
            case 6: signal(BlueZNames.objectManager, "InterfacesRemoved", [.string(source.path()), source.value()])
            case 7:
                signal(
                    BlueZNames.bus, "NameOwnerChanged", [.string(BlueZNames.service), .string(""), source.value()],
                    sender: choice & 0x80 == 0 ? FuzzBlueZ.owner : BlueZNames.bus)
            case 8: signal(source.interface(), source.text(), source.values(), at: source.path())
            case 9: now = now + .milliseconds(Int(source.next()) * 40)
            case 10: use(source.next())
            default: central.receive(reply: UInt64(source.next()), sender: FuzzBlueZ.owner, .success([]), now: now)
            }
            central.advance(now: now)
            check()
        }

        /// Answers the oldest call.
        private mutating func answer(_ result: Result<[DBusValue], DBusError>) {
            guard !open.isEmpty else { return }
            central.receive(reply: open.removeFirst(), sender: FuzzBlueZ.owner, result, now: now)
        }

        private mutating func signal(
            _ interface: String, _ member: String, _ arguments: [DBusValue], at path: String = "/",
            sender: String = FuzzBlueZ.owner
        ) {
            central.receive(
                DBusSignal(sender: sender, path: path, interface: interface, member: member, arguments), now: now)
        }

        private mutating func use(_ choice: UInt8) {
            guard let serial = central.characteristic(LEUUID.full(choice & 1 == 0 ? "dfb1" : "dfb2")) else { return }
            precondition((1...512).contains(serial.mostBytes))
            let bytes = [UInt8](repeating: choice, count: serial.mostBytes)
            switch choice % 3 {
            case 0: _ = central.read(serial, now: now)
            case 1: _ = central.write(bytes, to: serial, awaitsAnswer: choice & 8 == 0, now: now)
            default: _ = central.notify(serial, now: now)
            }
        }

        mutating func check() {
            precondition(central.kept.objects <= BlueZObjects.most && central.kept.bytes < 1 << 20)
            for device in central.devices {
                precondition((device.name?.utf8.count ?? 0) <= 256 && LEAddress.isValid(device.address))
            }
            precondition(central.writing.count >= 0 && central.writing.bytes >= 0)
            precondition(central.takeResults().allSatisfy { (try? $0.outcome.get().count) ?? 0 <= 512 })
            precondition(central.takeNotified().allSatisfy { $0.bytes.count <= 512 })
            precondition(!central.words.isEmpty && central.words.utf8.count < 1 << 13)
            // A failure is the end: a new one is made for a new try.
            if case .failed(let why) = central.step {
                precondition(!why.what.isEmpty && why.what.utf8.count < 1 << 13)
                precondition(failure == nil || failure == why)
                failure = why
            } else if central.step != .ended {
                precondition(failure == nil)
            }
        }
    }
}
