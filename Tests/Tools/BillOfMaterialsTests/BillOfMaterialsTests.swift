import Testing

@testable import BillOfMaterials

@Suite struct BillOfMaterialsTests {
    private func bill(_ lines: String...) throws -> String {
        var bill = BillOfMaterials(
            .init(
                name: "uavlink-1", version: "1", swiftVersion: "6.3.1", distribution: "debian",
                created: "2026-11-26T00:00:00Z", namespace: "https://uavlink.example/spdx/1"))
        for (index, line) in lines.enumerated() { try bill.add(line: line, number: index + 1) }
        return bill.text
    }

    @Test func `a program holds the runtime and what was linked into it`() throws {
        let text = try bill("program\tuavlink\tabc", "static\tuavlink\tlibc6-dev\t2.36-9+deb12u1")
        #expect(text.contains(#""checksums": [{"algorithm": "SHA256", "checksumValue": "abc"}]"#))
        #expect(text.contains(#""referenceLocator": "pkg:deb/debian/libc6-dev@2.36-9%2Bdeb12u1""#))
        for library in ["swift-runtime", "libc6-dev"] {
            let relationship =
                #"{"spdxElementId": "SPDXRef-Program-uavlink", "relationshipType": "STATIC_LINK", "#
                + #""relatedSpdxElement": "SPDXRef-Library-\#(library)"}"#
            #expect(text.contains(relationship))
        }
    }

    @Test func `a library that is loaded depends on nothing`() throws {
        let text = try bill("program\tuavlink\tabc", "loaded\tuavlink\tlibssh2-1\t")
        #expect(text.contains(#""SPDXRef-Library-libssh2-1", "relationshipType": "OPTIONAL_DEPENDENCY_OF""#))
        #expect(text.contains(#""name": "libssh2-1", "versionInfo": "NOASSERTION""#))
        #expect(!text.contains("pkg:deb"))
    }

    @Test func `a library of two programs is there once`() throws {
        let text = try bill("dynamic\ta\tlibc6\t1", "dynamic\tb\tlibc6\t1")
        #expect(text.split(separator: #""name": "libc6""#).count == 2)
        #expect(text.split(separator: "DYNAMIC_LINK").count == 3)
    }

    @Test func `the order of the libraries does not matter`() throws {
        let one = try bill("static\ta\tlibx\t1", "static\ta\tliby\t1")
        let other = try bill("static\ta\tliby\t1", "static\ta\tlibx\t1")
        func packages(_ text: String) -> Substring { text.prefix { $0 != "]" } }
        #expect(packages(one) == packages(other))
    }

    @Test(arguments: ["program\tuavlink", "static\ta\tb", "linked\ta\tb\tc", ""])
    func `a line that is none is refused with its number`(_ line: String) {
        let error = #expect(throws: BillOfMaterials.LineError.self) { try bill("program\ta\tb", line) }
        #expect(error?.description == "line 2: not understood: \(line)")
    }

    @Test func `identifiers have letters, digits, full stops and hyphens`() {
        #expect(BillOfMaterials.identifier("Library", "libstdc++6.ü") == "SPDXRef-Library-libstdc--6.-")
        #expect(BillOfMaterials.percentEncoded("1:2.0~rc/é") == "1%3A2.0~rc%2F%C3%A9")
    }
}
