internal import CSystemIO

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Wakes a thread that waits for descriptors: it waits for ``descriptor`` too, clears it, and only then looks for what is new.
///
/// An event descriptor on Linux, a pipe elsewhere. Nothing here blocks or allocates.
package final class Waker: Sendable {
    private let reading: OwnedDescriptor
    /// The same as ``reading`` on Linux.
    private let writing: OwnedDescriptor

    /// - Throws: ``SocketError`` with ``SocketError/Code/systemFailure`` if the system has no descriptor left.
    package init() throws(SocketError) {
        #if os(Linux)
            let number = system_io_event_descriptor()
            guard number >= 0 else { throw .noDescriptor("an event descriptor", errno) }
            reading = OwnedDescriptor(number)
            writing = reading
        #else
            (reading, writing) = try OwnedDescriptor.pipe()
            reading.makeNonBlocking()
            writing.makeNonBlocking()
        #endif
    }

    /// The descriptor, readable from ``wake()`` to ``clear()``.
    package var descriptor: Int32 { reading.number }

    /// Safe on any thread; repeated calls before ``clear()`` have no further effect.
    package func wake() {
        // A counter of 64 bits, to which this is added.
        var one: UInt64 = 1
        _ = write(writing.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes back every ``wake()`` so far; without one it does nothing.
    package func clear() {
        #if os(Linux)
            var count: UInt64 = 0
            _ = read(reading.number, &count, MemoryLayout<UInt64>.size)
        #else
            withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
                while read(reading.number, buffer.baseAddress, buffer.count) == buffer.count {}
            }
        #endif
    }
}
