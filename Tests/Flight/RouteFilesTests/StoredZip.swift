/// Archives of several files, without compression (PKWARE, APPNOTE 6.3).
enum StoredZip {
    static func archive(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var (out, directory): ([UInt8], [UInt8]) = ([], [])
        for file in files {
            let (name, size) = (Array(file.name.utf8), UInt32(file.bytes.count))
            // Version 2.0, no flags, stored, 1 January 1980; sum, sizes and lengths.
            var header = [UInt16(20), 0, 0, 0, 33].flatMap { number($0) }
            header += [sum(file.bytes), size, size].flatMap { number($0) }
            header += [UInt16(name.count), 0].flatMap { number($0) }
            directory += [0x50, 0x4B, 1, 2, 20, 0]
            directory += header
            directory += [UInt8](repeating: 0, count: 10)
            directory += number(UInt32(out.count))
            directory += name
            out += [0x50, 0x4B, 3, 4]
            out += header
            out += name
            out += file.bytes
        }
        let start = UInt32(out.count)
        out += directory
        out += [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        out += [UInt16(files.count), UInt16(files.count)].flatMap { number($0) }
        out += [UInt32(directory.count), start].flatMap { number($0) }
        out += [0, 0]
        return out
    }

    private static func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// CRC-32, bit by bit.
    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
