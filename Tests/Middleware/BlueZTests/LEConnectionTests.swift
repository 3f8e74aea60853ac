import BlueZ
import DBus
import Testing
import UAVLink

@Suite("Bluetooth LE connection") struct LEConnectionTests {
    @Test func `values are written, read and notified`() throws {
        var bench = Bench.connected()
        #expect(bench.central.step == .connected)
        let serial = try #require(bench.central.characteristic(LEUUID.full("dfb1")))
        let number = bench.central.write([0x66], to: serial, awaitsAnswer: false, now: bench.now)
        #expect(bench.take() == ["WriteValue"])
        #expect(bench.last["WriteValue"]?.arguments == [.bytes([0x66]), .dictionary(["type": .string("command")])])
        #expect(bench.central.writing == (1, 1))
        bench.answer("WriteValue")
        #expect(bench.central.writing == (0, 0))
        let results = bench.central.takeResults()
        #expect(results.map(\.number) == [number] && results.first?.outcome == .success([]))
        // Nothing is heard before it is asked for, and nothing that another sender makes up.
        bench.change(serial.path, BlueZNames.characteristic, ["Value": .bytes([1])])
        _ = bench.central.notify(serial, now: bench.now)
        bench.change(serial.path, BlueZNames.characteristic, ["Value": .bytes([2])])
        bench.change(serial.path, BlueZNames.characteristic, ["Value": .bytes([3])], sender: ":1.66")
        #expect(bench.central.takeNotified().map(\.bytes) == [[2]])
        _ = bench.central.read(serial, now: bench.now)
        bench.answer("ReadValue", [.bytes([7])])
        #expect(bench.central.takeResults().last?.outcome == .success([7]))
    }

    @Test func `a writing that is never answered fails`() throws {
        var bench = Bench.connected()
        let serial = try #require(bench.central.characteristic(LEUUID.full("dfb1")))
        _ = bench.central.write([0x66], to: serial, awaitsAnswer: true, now: bench.now)
        bench.wait(.seconds(5))
        guard case .failure(let failure)? = bench.central.takeResults().first?.outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.what == "BlueZ does not answer")
    }

    @Test func `the device, the adapter and BlueZ can go`() {
        var bench = Bench.connected()
        bench.change(Bench.device, BlueZNames.device, ["Connected": .bool(false)])
        #expect(bench.failure?.what == "the connection to AA:BB:CC:DD:EE:01 is lost")
        bench = .connected()
        bench.signal(
            "/", BlueZNames.objectManager, "InterfacesRemoved",
            [.string(Bench.device), .list([.string(BlueZNames.device)])])
        #expect(bench.failure?.kind == .lost)
        bench = .connected()
        bench.change(Bench.adapter, BlueZNames.adapter, ["Powered": .bool(false)])
        #expect(bench.failure?.kind == .poweredOff)
        bench = .connected()
        bench.signal(
            BlueZNames.busPath, BlueZNames.bus, "NameOwnerChanged",
            [.string(BlueZNames.service), .string(Bench.owner), .string("")], sender: BlueZNames.bus)
        #expect(bench.failure?.what == "BlueZ has stopped")
    }

    @Test func `signals of odd form change nothing`() {
        var bench = Bench.connected()
        for arguments: [DBusValue] in [
            [], [.other, .other, .other], [.string(BlueZNames.device), .other, .other],
            [.string("x"), .dictionary(["Connected": .bool(false)]), .list([.other])],
        ] {
            bench.signal(Bench.device, BlueZNames.properties, "PropertiesChanged", arguments)
            bench.signal("/", BlueZNames.objectManager, "InterfacesAdded", arguments)
            bench.signal("/", BlueZNames.objectManager, "InterfacesRemoved", arguments)
        }
        #expect(bench.central.step == .connected)
        // A device without a valid address is none.
        var other = Bench(.scan)
        other.answer("GetManagedObjects", [Bench.objects()])
        other.appear(Bench.device, ["Address": .string("\u{1B}[2J"), "RSSI": .integer(-1)])
        #expect(other.central.devices.isEmpty)
    }

    @Test func `objects are kept up to a limit`() {
        var bench = Bench(.scan)
        bench.answer("GetManagedObjects", [Bench.objects()])
        for number in 0..<BlueZObjects.most + 10 {
            bench.appear(Bench.adapter + "/dev_\(number)", Bench.board())
        }
        #expect(bench.central.devices.count == BlueZObjects.most - 1)
    }
}
