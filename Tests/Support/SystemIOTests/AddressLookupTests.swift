import SystemIO
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct AddressLookupTests {
    @Test(arguments: [("127.0.0.1", AF_INET), ("192.168.1.5", AF_INET), ("::1", AF_INET6), ("fe80::1:2", AF_INET6)])
    func `an address in numbers is itself`(_ text: String, _ family: Int32) throws {
        let found = try AddressLookup.addresses(of: text, port: 7777, numericOnly: true)
        #expect(found.map(\.text) == [text])
        #expect(found.map(\.family) == [family])
        // The port is in network order, at the same place in both families.
        #expect(found.map { Array($0.bytes[2..<4]) } == [[0x1E, 0x61]])
    }

    @Test(arguments: ["vehicle", "", "1.2.3.4.5", "::g", "a\u{0}b"])
    func `what is no address in numbers is refused with the system's reason`(_ text: String) {
        let failure = #expect(throws: AddressLookup.Failure.self) {
            try AddressLookup.addresses(of: text, numericOnly: true)
        }
        #expect(failure?.description.isEmpty == false)
    }

    @Test func `an address of another family is refused`() {
        #expect(throws: AddressLookup.Failure.self) {
            try AddressLookup.addresses(of: "::1", family: AF_INET, numericOnly: true)
        }
    }

    @Test func `the interfaces of this machine have addresses that are addresses in numbers`() throws {
        let own = AddressLookup.interfaces()
        #expect(own.contains { $0.text == "127.0.0.1" })
        for address in own where address.family == AF_INET {
            #expect(try AddressLookup.addresses(of: address.text, numericOnly: true).first?.text == address.text)
        }
    }
}
