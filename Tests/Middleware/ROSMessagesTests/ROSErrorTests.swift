import ROSMessages
import Testing

@Suite struct ROSErrorTests {
    @Test func `errors carry peers' texts, sanitized and shortened`() {
        let error = ROSError(.refused, "\u{1B}[31mred\n\u{202E}" + String(repeating: "x", count: 5000))
        #expect(error.what.hasPrefix("\u{241B}[31mred \\u{202e}"))
        #expect(error.what.unicodeScalars.count < 1100)
    }
}
