import FuzzKit
import Impairment

/// Any text as a condition of the network: what is read is written as text that reads as the same again.
@main enum FuzzImpairment: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        if let trace = try? PacketTrace(name: "t", bytes) {
            precondition(trace.bitsPerSecond > 0 && trace.bitsPerSecond.isFinite)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let condition = try? Impairment(text) else { return }
        guard let again = try? Impairment(condition.text) else {
            preconditionFailure("'\(condition.text)', made of '\(text)', cannot be read")
        }
        precondition(again == condition, "'\(text)' becomes '\(condition.text)', which is another")
    }
}
