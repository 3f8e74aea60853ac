import BlueZ
import DBus
import UAVLink

/// A central, and what BlueZ says to it, step by step.
struct Bench {
    static let adapter = "/org/bluez/hci0"
    static let device = "/org/bluez/hci0/dev_AA_BB_CC_DD_EE_01"
    static let owner = ":1.7"
    static let kind = LECentral.Kind(name: "Bluno", service: LEUUID.full("dfb0"), names: ["bluno"])

    var central: LECentral
    var now = MonotonicTime(nanoseconds: 0)
    /// The members of the calls since the last look, and the number of each one's newest.
    var called: [String] = []
    var numbers: [String: UInt64] = [:]
    var last: [String: DBusCall] = [:]

    init(_ aim: LECentral.Aim) {
        central = LECentral(aim, kind: Self.kind)
        central.begin(now: now)
        collect()
    }

    mutating func collect() {
        while let next = central.takeCall() {
            called.append(next.call.member)
            numbers[next.call.member] = next.number
            last[next.call.member] = next.call
            if next.call.member == "AddMatch" {
                central.receive(reply: next.number, sender: BlueZNames.bus, .success([]), now: now)
            }
        }
    }

    mutating func take() -> [String] {
        collect()
        defer { called = [] }
        return called
    }

    mutating func answer(_ member: String, _ values: [DBusValue] = []) {
        collect()
        guard let number = numbers[member] else { return }
        central.receive(reply: number, sender: Self.owner, .success(values), now: now)
    }

    mutating func refuse(_ member: String, _ error: DBusError) {
        collect()
        guard let number = numbers[member] else { return }
        central.receive(reply: number, sender: Self.owner, .failure(error), now: now)
    }

    mutating func wait(_ time: Duration) {
        now = now + time
        central.advance(now: now)
    }

    mutating func signal(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue], sender: String = owner
    ) {
        central.receive(
            DBusSignal(sender: sender, path: path, interface: interface, member: member, arguments), now: now)
    }

    mutating func change(_ path: String, _ interface: String, _ properties: [String: DBusValue], sender: String = owner)
    {
        signal(
            path, BlueZNames.properties, "PropertiesChanged",
            [.string(interface), .dictionary(properties), .list([])], sender: sender)
    }

    mutating func appear(_ path: String = device, _ properties: [String: DBusValue] = board()) {
        signal(
            "/", BlueZNames.objectManager, "InterfacesAdded",
            [.string(path), .dictionary([BlueZNames.device: .dictionary(properties)])])
    }

    static func board(_ last: String = "01", rssi: Int64? = -52, name: String = "Bluno") -> [String: DBusValue] {
        var properties: [String: DBusValue] = [
            "Address": .string("AA:BB:CC:DD:EE:\(last)"), "Name": .string(name), "UUIDs": .list([]),
        ]
        properties["RSSI"] = rssi.map { .integer($0) }
        return properties
    }

    static func objects(powered: Bool = true, board: [String: DBusValue]? = nil) -> DBusValue {
        var objects: [String: DBusValue] = [
            adapter: .dictionary([BlueZNames.adapter: .dictionary(["Powered": .bool(powered)])])
        ]
        if let board { objects[device] = .dictionary([BlueZNames.device: .dictionary(board)]) }
        return .dictionary(objects)
    }

    mutating func resolve() {
        for (short, path) in [("dfb1", "char1"), ("dfb2", "char2")] {
            signal(
                "/", BlueZNames.objectManager, "InterfacesAdded",
                [
                    .string("\(Self.device)/service1/\(path)"),
                    .dictionary([
                        BlueZNames.characteristic: .dictionary([
                            "UUID": .string(LEUUID.full(short).uppercased()), "MTU": .integer(23),
                            "Flags": .list([.string("write")]),
                        ])
                    ]),
                ])
        }
        change(Self.device, BlueZNames.device, ["Connected": .bool(true), "ServicesResolved": .bool(true)])
    }

    /// Connected to a board that was remembered.
    static func connected() -> Bench {
        var bench = Bench(.device("aa:bb:cc:dd:ee:01"))
        bench.answer("GetManagedObjects", [objects(board: board())])
        bench.answer("Connect")
        bench.change(device, BlueZNames.device, ["Connected": .bool(true)])
        bench.resolve()
        _ = bench.take()
        return bench
    }

    var failure: LEFailure? { if case .failed(let failure) = central.step { failure } else { nil } }
}
