import BlueZ
import DBus
import Testing
import UAVLink

/// What comes over the bus is bounded, whatever it is: the devices in range write their names themselves.
@Suite("Bluetooth LE: hostile values") struct HostileBlueZTests {
    private static let long = String(repeating: "ä", count: 1 << 20)

    private func scanning() -> Bench {
        var bench = Bench(.scan)
        bench.answer("GetManagedObjects", [Bench.objects()])
        return bench
    }

    @Test func `a name of megabytes and ten thousand services are cut`() throws {
        var bench = scanning()
        var properties = Bench.board(name: Self.long)
        properties["UUIDs"] = .list((0..<10_000).map { .string("\($0)") } + [.string(Self.long)])
        bench.appear(Bench.device, properties)
        let device = try #require(bench.central.devices.first)
        #expect(device.name?.utf8.count == 248 && device.services.count == 256)
        bench.change(Bench.device, BlueZNames.device, ["Name": .string("x" + Self.long)])
        // A character that was cut through is a replacement character.
        #expect(bench.central.devices.first?.name?.unicodeScalars.last == "\u{FFFD}")
        #expect(bench.central.kept.bytes < 10_000)
    }

    @Test func `properties that nobody looks at are not kept, however often they come`() {
        var bench = scanning()
        bench.appear()
        let before = bench.central.kept.bytes
        for number in 0..<1000 {
            bench.change(Bench.device, BlueZNames.device, ["Odd\(number)": .string("something")])
        }
        #expect(bench.central.kept == (2, before))
    }

    @Test func `an object with a path of megabytes, or none, is ignored`() {
        var bench = scanning()
        bench.appear(Bench.adapter + "/" + Self.long)
        bench.appear("..")
        bench.appear("")
        #expect(bench.central.kept.objects == 1 && bench.central.devices.isEmpty)
    }

    @Test func `properties of the wrong type are none`() {
        var bench = scanning()
        for value: DBusValue in [.other, .double(.nan), .large(.max), .bytes([1]), .list([.other]), .dictionary([:])] {
            bench.appear(
                Bench.device,
                [
                    "Address": .string("AA:BB:CC:DD:EE:01"), "Name": value, "RSSI": value, "UUIDs": value,
                    "Connected": value, "ServicesResolved": value,
                ])
            let device = bench.central.devices.first
            #expect(device == nil, "neither heard nor connected: \(device as Any)")
        }
        bench.appear(Bench.device, ["Address": .integer(1), "RSSI": .integer(-1)])
        #expect(bench.central.devices.isEmpty && bench.central.step == .scanning)
    }

    @Test func `a value of megabytes from the board is cut to what a characteristic has`() throws {
        var bench = Bench.connected()
        let serial = try #require(bench.central.characteristic(LEUUID.full("dfb1")))
        _ = bench.central.notify(serial, now: bench.now)
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        bench.change(serial.path, BlueZNames.characteristic, ["Value": .bytes(bytes)])
        #expect(bench.central.takeNotified().map(\.bytes.count) == [512])
        _ = bench.central.read(serial, now: bench.now)
        bench.answer("ReadValue", [.bytes(bytes)])
        guard case .success(let read)? = bench.central.takeResults().last?.outcome else {
            Issue.record("no value")
            return
        }
        #expect(read.count == 512)
    }

    @Test func `an error of megabytes is repeated in part`() {
        var bench = Bench(.device("AA:BB:CC:DD:EE:01"))
        bench.answer("GetManagedObjects", [Bench.objects(board: Bench.board())])
        bench.refuse("Connect", DBusError("org.example.Odd", Self.long))
        let what = bench.failure?.what ?? ""
        #expect(what.contains("ää") && what.utf8.count < 400)
    }
}
