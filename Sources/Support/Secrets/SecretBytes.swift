/// Bytes that nobody else may read, such as a ticket's line with its key: in memory of their own, which is wiped when the last
/// reference is released, and never printed.
///
/// Whoever makes them of a `String` or an array leaves that as it is: neither can be wiped reliably.
public final class SecretBytes: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Written in `init` before the object is shared, wiped in `deinit`. Unchecked because a pointer is not Sendable.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    /// Copies these bytes.
    public init(_ bytes: some Collection<UInt8>) {
        memory = .allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
    }

    /// Copies this text as UTF-8.
    public convenience init(_ text: String) { self.init(text.utf8) }

    deinit {
        memory.wipe()
        memory.deallocate()
    }

    /// How many bytes there are.
    public var count: Int { memory.count }

    /// Passes the bytes to `body`, which must not keep them.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// A copy as text, which stays in memory: for what is no secret, such as a status. Bytes that are not UTF-8 become U+FFFD.
    public var unwipedText: String { String(decoding: UnsafeRawBufferPointer(memory), as: UTF8.self) }

    /// Compares the bytes, in a time that depends on them.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        UnsafeRawBufferPointer(one.memory).elementsEqual(UnsafeRawBufferPointer(other.memory))
    }

    /// A fixed placeholder.
    public var description: String { "(secret)" }
    /// A fixed placeholder.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
