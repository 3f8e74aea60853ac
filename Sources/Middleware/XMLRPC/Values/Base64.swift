internal import ReportKit

/// Base64 with padding, the encoding of binary values in XML-RPC.
extension Base64 {
    /// Decodes a text; `nil` when it is not Base64. Spaces, tabs and line ends are skipped.
    static func decode(_ text: String) -> [UInt8]? {
        var out: [UInt8] = []
        var bits: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text.utf8 {
            let six: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): six = UInt32(byte - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): six = UInt32(byte - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): six = UInt32(byte - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "+"): six = 62
            case UInt8(ascii: "/"): six = 63
            case UInt8(ascii: "="):
                padding += 1
                continue
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default: return nil
            }
            guard padding == 0 else { return nil }
            bits = bits << 6 | six
            digits += 1
            if digits % 4 == 0 {
                out += [
                    UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
                    UInt8(truncatingIfNeeded: bits),
                ]
                bits = 0
            }
        }
        guard (digits + padding) % 4 == 0, padding <= 2 else { return nil }
        switch digits % 4 {
        case 2: out.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3: out += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: break
        }
        return out
    }
}
