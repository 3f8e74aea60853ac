import FuzzKit
import ROSBridge

/// Any bytes as what a rosbridge server sends, before the handshake and after it: the split makes no difference.
@main enum FuzzROSBridge: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let step = Int(bytes.first ?? 0) % 17 + 1
        precondition(events(bytes, step: step) == events(bytes, step: .max), "the split matters")
        var handshake = WebSocketHandshake(to: "uav1:9090", nonce: [UInt8](repeating: 7, count: 16))
        for byte in bytes {
            do { if try handshake.take([byte]) != nil { break } } catch { break }
        }
        _ = try? BridgeMessage(bytes)
    }

    private static func events(_ bytes: [UInt8], step: Int) -> [String] {
        var reader = WebSocketReader(maximumMessageBytes: 1 << 12)
        var found: [String] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start...].prefix(step)
            start += part.count
            reader.feed(part)
            do {
                while let event = try reader.next() {
                    found.append("\(event)")
                    if case .text(let text) = event { _ = try? BridgeMessage(text) }
                }
            } catch {
                found.append("\(error)")
                return found
            }
        }
        return found
    }
}
