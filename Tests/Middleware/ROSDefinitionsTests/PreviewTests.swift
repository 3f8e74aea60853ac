import ROSDefinitions
import ROSMessages
import Testing

/// Messages of which only the beginning is taken apart.
@Suite struct PreviewTests {
    private static let rule = String(repeating: "=", count: 80)
    private let limits = MessagePreview.Limits(fields: 12, elements: 2, textBytes: 5)

    private func decoder(_ parts: String...) throws -> DynamicDecoder {
        try DynamicDecoder(typeName: "p/A", definition: parts.joined(separator: "\n\(Self.rule)\n"))
    }

    private func preview(_ decoder: DynamicDecoder, _ bytes: [UInt8]) throws -> MessagePreview {
        try decoder.preview(of: bytes, range: bytes.indices, limits: limits)
    }

    @Test func `fields have their paths, arrays their first elements, texts their beginnings`() throws {
        let decoder = try decoder(
            "uint8 n\np/B[] bs\nstring[] names\nuint8[4] raw\nfloat64 last", "MSG: p/B\nstring s\nint16 i")
        var writer = ROSWriter()
        writer.write(7 as UInt8)
        writer.writeCount(3)
        for number in 0..<3 {
            writer.write("number \(number)")
            writer.write(Int16(number))
        }
        writer.writeCount(3)
        for name in ["a", "b", "c"] { writer.write(name) }
        writer.writeRaw([1, 2, 3, 4])
        writer.write(1.5)
        let preview = try preview(decoder, writer.bytes)
        #expect(preview.isShortened)
        #expect(
            preview.fields.map(\.path) == [
                "n", "bs", "bs[0].s", "bs[0].i", "bs[1].s", "bs[1].i", "names", "names[0]", "names[1]", "raw", "raw[0]",
                "raw[1]",
            ])
        var more = limits
        more.fields = 100
        let whole = try decoder.preview(of: [9, 9] + writer.bytes, range: 2..<writer.bytes.count + 2, limits: more)
        #expect(whole.fields.last?.path == "last" && whole.fields.last?.content == .value(.real(1.5)))
        #expect(whole.fields[1].content == .array(count: 3))
        #expect(whole.fields[2].content == .value(.text("numbe…")))
    }

    @Test func `behind the last field that is shown nothing is looked at`() throws {
        let decoder = try decoder((0..<20).map { "uint8 f\($0)" }.joined(separator: "\n"))
        let preview = try preview(decoder, Array(repeating: 1, count: 13))
        #expect(preview.isShortened && preview.fields.count == 12)
    }

    @Test func `bytes that end early are an error, at every place`() throws {
        let decoder = try decoder("p/B[] bs\nfloat64 last", "MSG: p/B\nstring s\nuint8[3] r")
        var writer = ROSWriter()
        writer.writeCount(4)
        for _ in 0..<4 {
            writer.write("abc")
            writer.writeRaw([1, 2, 3])
        }
        writer.write(1.5)
        #expect(throws: Never.self) { try preview(decoder, writer.bytes) }
        for count in 0..<writer.bytes.count {
            #expect(throws: ROSDecodingError.self) { try preview(decoder, Array(writer.bytes[..<count])) }
        }
    }

    @Test func `a large array is passed over without being looked at`() throws {
        let decoder = try decoder("p/P[] points\nuint8 last", "MSG: p/P\nfloat32 x\nfloat32 y")
        let count = 1_000_000
        var writer = ROSWriter()
        writer.writeCount(count)
        writer.writeRaw(Array(repeating: 0, count: 8 * count))
        writer.write(9 as UInt8)
        let preview = try preview(decoder, writer.bytes)
        #expect(preview.fields.first?.content == .array(count: count))
        #expect(preview.fields.last?.path == "last" && preview.fields.count == 6)
    }

    /// Each of these would take minutes if every element were passed over one by one.
    @Test func `arrays of nothing and of tiny messages end soon`() throws {
        let nothing = try decoder("p/B[1048576] a\np/B[1048576] b", "MSG: p/B\np/C[1048576] c", "MSG: p/C")
        #expect(throws: Never.self) { try preview(nothing, []) }
        let fields = (0..<64).map { "p/C f\($0)" }.joined(separator: "\n")
        let tiny = try decoder("p/B[] a", "MSG: p/B\nstring s\n" + fields, "MSG: p/C")
        var writer = ROSWriter()
        writer.writeCount(500_000)
        writer.writeRaw(Array(repeating: 0, count: 2_000_000))
        let error = #expect(throws: ROSDecodingError.self) { try preview(tiny, writer.bytes) }
        #expect(error?.description.contains("\(DynamicDecoder.maximumValues) values") == true)
    }
}
