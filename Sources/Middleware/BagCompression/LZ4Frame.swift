internal import CLZ4
package import ROSMessages

/// The LZ4 frame format (magic 0x184D2204) with liblz4: a compression of bags and of MCAP files.
///
/// Checksums are verified where the frame has them; roslz4 writes one of the whole chunk.
package enum LZ4Frame {
    private static let magic: [UInt8] = [0x04, 0x22, 0x4D, 0x18]
    /// What is decoded at a time: memory grows with the output, not with the size that a chunk announces.
    private static let pieceBytes = 64 << 10

    /// - Parameter size: the exact size of the output in bytes; no more than one piece beyond it is ever decoded.
    /// - Throws: ``ROSError`` with ``ROSError/Code/badBag``.
    package static func decode(_ bytes: ArraySlice<UInt8>, size: Int) throws(ROSError) -> [UInt8] {
        guard bytes.starts(with: magic) else { throw wrong("not an LZ4 frame") }
        // liblz4 skips the number of a dictionary and decodes without it.
        if let flags = bytes.dropFirst(magic.count).first, flags >> 6 == 1, flags & 0x01 != 0 {
            throw wrong("it needs an external dictionary")
        }
        let decoder = try Decoder()
        var input = bytes
        var out: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        while true {
            guard !input.isEmpty else { throw wrong("cut off") }
            let step = try decoder.decode(input, into: &piece)
            guard step.written <= size - out.count else { throw wrong("more bytes than announced") }
            out += piece[..<step.written]
            if step.isFinished { break }
            guard step.read > 0 || step.written > 0 else { throw wrong("liblz4 makes no progress") }
            input = input.dropFirst(step.read)
        }
        guard out.count == size else { throw wrong("\(out.count) bytes instead of \(size)") }
        return out
    }

    /// Encodes bytes as one frame, with liblz4's defaults.
    ///
    /// - Returns: the frame; `nil` if liblz4 fails, which it does for want of memory only.
    package static func encode(_ bytes: [UInt8]) -> [UInt8]? {
        let most = LZ4F_compressFrameBound(bytes.count, nil)
        guard LZ4F_isError(most) == 0 else { return nil }
        let out = [UInt8](unsafeUninitializedCapacity: most) { target, count in
            let status = bytes.withUnsafeBytes { source in
                LZ4F_compressFrame(target.baseAddress, target.count, source.baseAddress, source.count, nil)
            }
            count = LZ4F_isError(status) == 0 ? min(status, target.count) : 0
        }
        return out.isEmpty ? nil : out
    }

    private static func wrong(_ what: String) -> ROSError { ROSError(.badBag, "invalid compressed chunk: \(what)") }

    /// Owns the context of liblz4.
    private final class Decoder {
        private let context: OpaquePointer

        init() throws(ROSError) {
            var created: OpaquePointer?
            let status = LZ4F_createDecompressionContext(&created, UInt32(LZ4F_VERSION))
            guard LZ4F_isError(status) == 0, let created else { throw ROSError(.badBag, "out of memory for LZ4") }
            context = created
        }

        deinit { LZ4F_freeDecompressionContext(context) }

        /// Reads from the start of `input`; returns how much was read and written, bytes, and whether the frame has ended.
        func decode(
            _ input: ArraySlice<UInt8>, into piece: inout [UInt8]
        ) throws(ROSError) -> (read: Int, written: Int, isFinished: Bool) {
            var (written, read) = (piece.count, input.count)
            let status = input.withUnsafeBytes { source in
                piece.withUnsafeMutableBytes { target in
                    LZ4F_decompress(context, target.baseAddress, &written, source.baseAddress, &read, nil)
                }
            }
            guard LZ4F_isError(status) == 0 else {
                throw wrong("liblz4 reports \(LZ4F_getErrorName(status).map { String(cString: $0) } ?? "an error")")
            }
            return (read, written, status == 0)
        }
    }
}
