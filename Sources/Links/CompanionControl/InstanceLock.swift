#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import UAVLink

/// Lets only one companion for a vehicle run; the kernel frees it when its process ends, however it ends.
public final class InstanceLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; `nil` when another companion holds it.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionUnavailable`` when there can be no lock at that path.
    public init?(path: String) throws(LinkError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw LinkError(.companionUnavailable, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}
