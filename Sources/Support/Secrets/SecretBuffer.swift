/// Collects bytes that may hold a secret, up to a limit: in one place in memory from the first to the last, which is wiped when the
/// buffer is released. An array that grows would leave copies behind.
package final class SecretBuffer {
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes were appended.
    package private(set) var count = 0

    /// An empty buffer.
    package init(capacity: Int) { memory = .allocate(byteCount: max(0, capacity), alignment: 1) }

    deinit {
        memory.wipe()
        memory.deallocate()
    }

    /// Appends all of these bytes, or none.
    ///
    /// - Returns: whether there was room for them.
    @discardableResult
    package func append(_ bytes: some Collection<UInt8>) -> Bool {
        let added = bytes.count
        guard added <= memory.count - count else { return false }
        UnsafeMutableRawBufferPointer(rebasing: memory[count..<(count + added)]).copyBytes(from: bytes)
        count += added
        return true
    }

    /// Appends all of a secret, or nothing.
    ///
    /// - Returns: whether there was room for it.
    @discardableResult
    package func append(_ secret: SecretBytes) -> Bool { secret.withBytes { append($0) } }

    /// A copy of what was appended so far.
    package var contents: SecretBytes { SecretBytes(UnsafeRawBufferPointer(rebasing: memory[..<count])) }
}
