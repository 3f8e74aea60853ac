#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import UAVLink

/// Lets only one companion for a vehicle run; the kernel frees it when its process ends, however it ends.
public final class InstanceLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionUnavailable`` when another companion holds it.
    public init(path: String) throws(LinkError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw LinkError(.companionUnavailable, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw LinkError(
                .companionUnavailable, "another companion for this vehicle runs on this machine already",
                hint: "end it with 'uavlink-companion stop', or use it")
        }
    }

    deinit { close(descriptor) }
}
