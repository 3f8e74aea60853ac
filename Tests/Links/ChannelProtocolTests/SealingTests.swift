import Testing
import UAVLink
import Statistics
import UAVTestKit

@testable import ChannelProtocol

@Suite("Sealing") struct SealingTests {
    private func ciphers(firstSequence: UInt64 = 1) throws -> (up: FrameCipher, down: FrameCipher) {
        let key = try SecretKey.random()
        let random = SecureRandom.bytes(24)
        return (
            try FrameCipher(session: 7, key: key, helloRandom: random, sending: .up, firstSequence: firstSequence),
            try FrameCipher(session: 7, key: key, helloRandom: random, sending: .down)
        )
    }

    private func seal(_ cipher: FrameCipher, _ value: UInt64 = 5) -> [UInt8] {
        let buffer = FrameBuffer()
        let length = cipher.seal(into: buffer.bytes) { $0.put(value) }
        return Array(buffer.bytes[..<length])
    }

    private func open(_ frame: [UInt8], _ cipher: FrameCipher) -> Result<[UInt8], FrameRefusal> {
        var frame = frame
        return frame.withUnsafeMutableBytes { raw in
            do throws(FrameRefusal) { return .success(Array(try cipher.open(raw).text)) } catch {
                return .failure(error)
            }
        }
    }

    @Test func `a frame opens at the other end, once`() throws {
        let (up, down) = try ciphers()
        let frame = seal(up)
        #expect(open(frame, down) == .success([5, 0, 0, 0, 0, 0, 0, 0]))
        #expect(open(frame, down) == .failure(.replayed))
        #expect(down.received == 1)
    }

    @Test func `a frame sent back to its sender does not open`() throws {
        let (up, _) = try ciphers()
        #expect(open(seal(up), up) == .failure(.forged))
    }

    @Test func `no frame opens with any one bit flipped, and the right one still does`() throws {
        let (up, down) = try ciphers()
        let frame = seal(up)
        for bit in 0..<frame.count * 8 {
            var changed = frame
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            guard case .failure = open(changed, down) else { throw LinkError(.internalFault, "bit \(bit) opened") }
        }
        #expect(down.received == 0)
        guard case .success = open(frame, down) else { throw LinkError(.internalFault, "the frame did not open") }
    }

    @Test func `no frame opens cut anywhere, or one byte longer`() throws {
        let (up, down) = try ciphers()
        let frame = seal(up)
        for length in 0..<frame.count {
            guard case .failure = open(Array(frame[..<length]), down) else {
                throw LinkError(.internalFault, "\(length) bytes opened")
            }
        }
        #expect(open(frame + [0], down) == .failure(.forged))
        #expect(open([UInt8](repeating: 0, count: ChannelLimits.frame + 1), down) == .failure(.malformed))
    }

    @Test func `another session's key opens nothing`() throws {
        let (up, _) = try ciphers()
        let (_, other) = try ciphers()
        #expect(open(seal(up), other) == .failure(.forged))
    }

    @Test func `a payload of the full size fits a frame and one byte more is not sent`() throws {
        let (up, down) = try ciphers()
        let buffer = FrameBuffer()
        let bytes = [UInt8](repeating: 9, count: ChannelLimits.payload + 1)
        let full = up.seal(into: buffer.bytes) { writer in
            bytes.withUnsafeBytes { writer.put(raw: UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
        }
        #expect(full == ChannelLimits.frame)
        #expect(open(Array(buffer.bytes), down) == .success(Array(bytes.dropLast())))
        let over = up.seal(into: buffer.bytes) { writer in bytes.withUnsafeBytes { writer.put(raw: $0) } }
        #expect(over == 0)
        #expect(up.nextSequence == 2)
    }

    @Test func `the last sequence number is never used`() throws {
        let (up, down) = try ciphers(firstSequence: .max - 1)
        let last = seal(up)
        #expect(!last.isEmpty)
        #expect(seal(up).isEmpty)
        #expect(seal(up).isEmpty)
        guard case .success = open(last, down) else { throw LinkError(.internalFault, "the last frame did not open") }
    }

    @Test func `the replay window holds at its edge and one past`() {
        var window = ReplayWindow()
        let size = ChannelLimits.replayWindow
        window.remember(1)
        window.remember(size)
        #expect(window.judge(1) == .duplicate)
        #expect(window.judge(2) == .fresh)
        window.remember(size + 1)
        #expect(window.judge(1) == .tooOld)
        #expect(window.judge(2) == .fresh)
        window.remember(2)
        #expect(window.judge(2) == .duplicate)
        window.remember(size * 3)
        #expect(window.judge(size * 2 + 1) == .fresh)
        #expect(window.judge(size * 2) == .tooOld)
        #expect(window.judge(size + 1) == .tooOld)
        window.remember(.max)
        #expect(window.judge(.max) == .duplicate)
        #expect(window.judge(.max - size + 1) == .fresh)
        #expect(window.judge(.max - size) == .tooOld)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the replay window agrees with a set of all numbers`(seed: UInt64) {
        var window = ReplayWindow()
        var seen: Set<UInt64> = []
        var random = SeededRandom(seed: seed)
        var top: UInt64 = 1
        for _ in 0..<20_000 {
            top += UInt64.random(in: 0...3, using: &random)
            let back = UInt64.random(in: 0...5000, using: &random)
            let number = top > back ? top - back : 1
            let isOld = window.newest >= number && window.newest - number >= ChannelLimits.replayWindow
            let expected: ReplayWindow.Verdict =
                number > window.newest ? .fresh : isOld ? .tooOld : seen.contains(number) ? .duplicate : .fresh
            #expect(window.judge(number) == expected)
            if expected == .fresh {
                window.remember(number)
                seen.insert(number)
            }
        }
    }

    @Test func `a hello opens with its own key only and changes with every bit`() throws {
        let keys = try Handshake.Keys(.random())
        let buffer = FrameBuffer()
        let random = SecureRandom.bytes(24)
        let length = Handshake.seal(
            .init(version: 1, sent: 9), session: 3, random: random, keys: keys, into: buffer.bytes)
        let frame = Array(buffer.bytes[..<length])
        func tries(_ bytes: [UInt8], _ keys: Handshake.Keys) -> Bool {
            var bytes = bytes
            return bytes.withUnsafeMutableBytes { raw in (try? Handshake.openHello(raw, keys: keys)) != nil }
        }
        #expect(tries(frame, keys))
        #expect(!tries(frame, try Handshake.Keys(.random())))
        for bit in 0..<frame.count * 8 {
            var changed = frame
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!tries(changed, keys))
        }
        var back = frame
        let asWelcome = back.withUnsafeMutableBytes { try? Handshake.openWelcome($0, helloRandom: random, keys: keys) }
        #expect(asWelcome == nil)
    }
}
