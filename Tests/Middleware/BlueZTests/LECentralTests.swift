import BlueZ
import DBus
import Testing
import UAVLink

@Suite("Bluetooth LE central") struct LECentralTests {
    @Test func `a board is searched, found, connected and resolved, and the scan ends first`() {
        var bench = Bench(.device("aa:bb:cc:dd:ee:01"))
        #expect(bench.take() == ["AddMatch", "AddMatch", "GetManagedObjects"])
        bench.answer("GetManagedObjects", [Bench.objects()])
        #expect(bench.take() == ["SetDiscoveryFilter", "StartDiscovery"])
        bench.answer("StartDiscovery")
        bench.appear(Bench.adapter + "/dev_2", Bench.board("02"))
        #expect(bench.take() == [] && bench.central.step == .searching)
        bench.appear()
        #expect(bench.take() == ["StopDiscovery"])
        bench.answer("StopDiscovery")
        #expect(bench.take() == ["Connect"] && bench.last["Connect"]?.path == Bench.device)
        // Connected is said before the call is answered.
        bench.change(Bench.device, BlueZNames.device, ["Connected": .bool(true)])
        #expect(bench.central.step == .connecting)
        bench.answer("Connect")
        #expect(bench.central.step == .resolving)
        bench.resolve()
        #expect(bench.central.step == .connected && bench.central.nextDeadline != nil)
        #expect(bench.central.characteristic(LEUUID.full("dfb1"))?.mostBytes == 20)
        #expect(bench.central.characteristic(LEUUID.full("2a24")) == nil)
        bench.central.end(now: bench.now)
        #expect(bench.take() == ["Disconnect"])
    }

    @Test func `a scan that does not end delays the connection by two seconds only`() {
        var bench = Bench(.device("AA:BB:CC:DD:EE:01"))
        bench.answer("GetManagedObjects", [Bench.objects()])
        bench.appear()
        bench.wait(.milliseconds(1999))
        #expect(!bench.take().contains("Connect"))
        bench.wait(.milliseconds(1))
        #expect(bench.take().contains("Connect"))
    }

    @Test func `each call and step that never ends is given up`() {
        var bench = Bench(.scan)
        bench.wait(.seconds(5))
        #expect(bench.failure?.what == "BlueZ does not answer")
        bench = Bench(.device("AA:BB:CC:DD:EE:01"))
        bench.answer("GetManagedObjects", [Bench.objects()])
        bench.answer("StartDiscovery")
        bench.wait(.seconds(10))
        #expect(bench.failure?.kind == .notFound)
        bench = Bench(.device("AA:BB:CC:DD:EE:01"))
        bench.answer("GetManagedObjects", [Bench.objects(board: Bench.board())])
        bench.wait(.seconds(12))
        #expect(bench.failure?.kind == .silent)
        // What BlueZ still tries is ended too.
        bench.central.end(now: bench.now)
        #expect(bench.take().contains("Disconnect"))
        bench = Bench(.device("AA:BB:CC:DD:EE:01"))
        bench.answer("GetManagedObjects", [Bench.objects(board: Bench.board())])
        bench.change(Bench.device, BlueZNames.device, ["Connected": .bool(true)])
        bench.answer("Connect")
        bench.wait(.seconds(10))
        #expect(bench.failure?.what.contains("its services are not read") == true)
    }

    @Test func `what is missing is said in words`() {
        var bench = Bench(.only)
        bench.refuse("GetManagedObjects", DBusError("org.freedesktop.DBus.Error.ServiceUnknown", "not provided"))
        #expect(bench.failure?.kind == .noBlueZ)
        bench = Bench(.only)
        bench.refuse("GetManagedObjects", DBusError("org.freedesktop.DBus.Error.AccessDenied", "Rejected"))
        #expect(bench.failure?.kind == .notPermitted)
        bench = Bench(.only)
        bench.answer("GetManagedObjects", [.dictionary([:])])
        #expect(bench.failure?.kind == .noAdapter)
        bench = Bench(.only)
        bench.answer("GetManagedObjects", [Bench.objects(powered: false)])
        #expect(bench.failure?.kind == .poweredOff && bench.failure?.hint.contains("rfkill") == true)
        bench = Bench(.only)
        bench.answer("GetManagedObjects", [Bench.objects()])
        bench.refuse("StartDiscovery", DBusError("org.bluez.Error.NotReady", "Resource Not Ready"))
        #expect(bench.failure?.kind == .poweredOff)
    }

    @Test(arguments: [
        ("org.bluez.Error.Failed", "le-connection-abort-by-local", "no answer over the radio"),
        ("org.bluez.Error.Failed", "le-connection-abort-by-remote", "the device has ended"),
        ("org.bluez.Error.AuthenticationFailed", "", "refuses the pairing"),
        ("org.bluez.Error.InProgress", "In Progress", "busy with it already"),
        ("org.bluez.Error.NotAvailable", "", "is not supported"), ("org.example.Odd", "odd words", "odd words"),
        ("org.freedesktop.DBus.Error.UnknownObject", "", "it is gone"),
    ])
    func `a refused connection says why, and what others do is not ended`(
        _ name: String, _ message: String, _ words: String
    ) {
        var bench = Bench(.device("AA:BB:CC:DD:EE:01"))
        bench.answer("GetManagedObjects", [Bench.objects(board: Bench.board())])
        bench.refuse("Connect", DBusError(name, message))
        #expect(bench.failure?.what.contains(words) == true, "\(bench.failure as Any)")
        bench.central.end(now: bench.now)
        #expect(!bench.take().contains("Disconnect"))
    }

    @Test func `the only board is taken, and of several none`() {
        var bench = Bench(.only)
        bench.answer("GetManagedObjects", [Bench.objects()])
        bench.answer("StartDiscovery")
        bench.appear()
        bench.appear(Bench.adapter + "/dev_3", Bench.board("03", name: "headphones"))
        // Remembered, and not heard now.
        bench.appear(Bench.adapter + "/dev_4", Bench.board("04", rssi: nil))
        var other = bench
        bench.wait(.seconds(4))
        #expect(bench.take().last == "StopDiscovery")
        other.appear(Bench.adapter + "/dev_2", Bench.board("02", rssi: -70))
        other.wait(.seconds(4))
        #expect(other.failure?.kind == .several)
        #expect(other.failure?.what.contains("AA:BB:CC:DD:EE:01 (Bluno, -52 dBm), AA:BB:CC:DD:EE:02") == true)
        var none = Bench(.only)
        none.answer("GetManagedObjects", [Bench.objects()])
        none.answer("StartDiscovery")
        none.wait(.seconds(4))
        #expect(none.failure?.what == "no Bluno is in range")
    }

    @Test func `a scan lists the strongest first, and ends by itself`() {
        var bench = Bench(.scan)
        bench.answer("GetManagedObjects", [Bench.objects()])
        bench.answer("StartDiscovery")
        bench.appear(Bench.device, Bench.board(rssi: -80))
        bench.appear(Bench.adapter + "/dev_2", Bench.board("02", rssi: -60))
        #expect(bench.central.devices.map(\.rssi) == [-60, -80])
        bench.change(Bench.device, BlueZNames.device, ["RSSI": .integer(-40)])
        #expect(bench.central.devices.map(\.rssi) == [-40, -60])
        _ = bench.take()
        bench.wait(.seconds(60))
        #expect(bench.central.step == .ended && bench.take() == ["StopDiscovery"])
    }
}
