import FuzzKit
import ROS1
import ROSMessages

/// Any bytes as a stream of blocks and of a service's answers: the split makes no difference, and nothing is kept that
/// did not come.
@main enum FuzzTCPROSFraming: FuzzTarget {
    private static let maximum = 1 << 16

    static func test(_ bytes: [UInt8]) {
        let step = Int(bytes.first ?? 0) % 17 + 1
        precondition(blocks(bytes, step: step) == blocks(bytes, step: .max))
        precondition(answers(bytes, step: step) == answers(bytes, step: .max))
    }

    private static func blocks(_ bytes: [UInt8], step: Int) -> [[UInt8]] {
        feed(bytes, step: step) { assembler throws(ROSError) in
            guard let block = try assembler.next(within: maximum) else { return nil }
            return Array(assembler.storage[block])
        }
    }

    private static func answers(_ bytes: [UInt8], step: Int) -> [[UInt8]] {
        feed(bytes, step: step) { assembler throws(ROSError) in
            guard let (ok, block) = try assembler.nextAnswer(within: maximum) else { return nil }
            return [ok] + assembler.storage[block]
        }
    }

    private static func feed(
        _ bytes: [UInt8], step: Int, _ take: (inout FrameAssembler) throws(ROSError) -> [UInt8]?
    ) -> [[UInt8]] {
        var assembler = FrameAssembler()
        var found: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start...].prefix(step)
            start += part.count
            part.withUnsafeBytes { assembler.append($0) }
            do { while let block = try take(&assembler) { found.append(block) } } catch { return found }
            precondition(assembler.storage.count <= bytes.count)
        }
        return found
    }
}
