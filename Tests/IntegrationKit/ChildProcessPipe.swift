#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization

/// Two ends that no child inherits unless it is told to.
struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Not while another is started: it would inherit them, and its life would keep this one's input open.
        let isMade = ChildProcess.spawning.withLock { _ in
            guard pipe(&ends) == 0 else { return false }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return true
        }
        guard isMade else { throw ProcessFailure("no pipe: errno \(errno)") }
        reading = ends[0]
        writing = ends[1]
    }
}
