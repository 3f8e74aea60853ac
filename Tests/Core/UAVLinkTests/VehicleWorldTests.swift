import Testing
import UAVLink

@Suite("A vehicle's own world") struct VehicleWorldTests {
    private let bytes = Array("safety_area: {}\n".utf8)

    @Test func `a world that is known is not told again, and any change of it is`() {
        let world = VehicleWorld(path: "/w.yaml", .document(.file, bytes))
        let known = VehicleWorld.fingerprint(of: .file, bytes)
        #expect(known != 0)
        #expect(world.without(known: 0) == world)
        #expect(world.without(known: known) == VehicleWorld(path: "/w.yaml", .unchanged))
        var other = bytes
        other[3] ^= 1
        #expect(VehicleWorld(.document(.file, other)).without(known: known) == VehicleWorld(.document(.file, other)))
        // The same bytes are another world where they have no obstacles.
        let shown = VehicleWorld(.document(.markers, bytes), obstruction: .elsewhere)
        #expect(shown.without(known: known) == shown)
        #expect(VehicleWorld(.missing).without(known: known) == VehicleWorld(.missing))
    }

    @Test func `the fingerprint is that of the document`() {
        // FNV-1a with 64 bits over a zero byte and "a", by hand.
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in [0, UInt64(UInt8(ascii: "a"))] { sum = (sum ^ byte) &* 0x100_0000_01B3 }
        #expect(VehicleWorld.fingerprint(of: .file, [UInt8(ascii: "a")]) == sum)
    }

    @Test func `every reason is one line that names the file, safe to show`() {
        for reason in VehicleWorld.Obstruction.allCases {
            let world = VehicleWorld(path: "/home/mrs/w\u{1B}[2J.yaml", reason, details: "a\nb")
            let line = world.reason ?? ""
            #expect(!line.isEmpty && !line.contains("\n") && !line.contains("\u{1B}"), "\(line)")
            if reason != .noParameter { #expect(line.contains("/home/mrs/w"), "\(line)") }
        }
        #expect(VehicleWorld(.document(.simulation, bytes)).reason == nil)
    }

    @Test func `what names neither an origin nor a safety area is no world file`() {
        for text in ["world_origin: {}", "a\nutm_origin_units: 1", "x: safety_area"] {
            #expect(VehicleWorld.isWorld(Array(text.utf8)))
        }
        for text in ["", "safety_are", "-----BEGIN OPENSSH PRIVATE KEY-----", "root:x:0:0"] {
            #expect(!VehicleWorld.isWorld(Array(text.utf8)))
        }
        #expect(!VehicleWorld.isWorld([UInt8](repeating: UInt8(ascii: "s"), count: 100_000)))
    }
}
