#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
public import UAVLink

/// Allows one companion per vehicle; the kernel releases the lock when the process ends, however it ends.
public final class InstanceLock: Sendable {
    private let file: OwnedDescriptor

    /// Takes the lock; `nil` if another companion holds it.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionUnavailable`` if no lock can be created at that path.
    public init?(path: String) throws(LinkError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw LinkError(.companionUnavailable, "cannot open \(path): \(SystemError.text(errno))")
        }
        file = OwnedDescriptor(descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }
}
