/// Payloads outside a frame: those larger than one, and those kept for resending.
package enum EncodedPayload {
    /// The bytes that `write` writes into a buffer of that size; empty if they do not fit.
    package static func bytes(capacity: Int, _ write: (inout WireWriter) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
            write(&writer)
            count = writer.overflowed ? 0 : writer.count
        }
    }

    package static func read<Value>(
        _ bytes: [UInt8], _ body: (inout WireReader) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        let result: Result<Value, WireError> = bytes.withUnsafeBytes { raw in
            var reader = WireReader(raw)
            do throws(WireError) { return .success(try body(&reader)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
