/// The number of a frame: 28 bits, in a circle. Each end counts its reliable and its best-effort frames apart.
package struct SequenceNumber: Hashable, Sendable {
    /// The number that is sent or expected next.
    package private(set) var next: UInt32

    /// The bits of a number when both ends agree on 32 bits: seven of each of four bytes, as measured with a router.
    package static let mask: UInt32 = 0x0FFF_FFFF

    /// Creates a counter.
    package init(next: UInt32) { self.next = next & Self.mask }

    /// The number for the next frame.
    package mutating func take() -> UInt32 {
        defer { next = (next &+ 1) & Self.mask }
        return next
    }

    /// Notes a received number; `false` if it is not newer than the last one.
    package mutating func accept(_ number: UInt32) -> Bool {
        guard number <= Self.mask, (number &- next) & Self.mask <= Self.mask >> 1 else { return false }
        next = (number &+ 1) & Self.mask
        return true
    }
}
