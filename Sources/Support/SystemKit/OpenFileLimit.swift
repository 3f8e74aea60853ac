#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How many files, sockets and the like this process may have open (`ulimit -n`).
public enum OpenFileLimit {
    /// Raises the limit to what the process is allowed to set, at most to `wanted`; returns what holds then.
    ///
    /// Shells and service managers set a low soft limit for programs that use `select`.
    @discardableResult
    public static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        let most = min(limit.rlim_max, rlim_t(max(0, wanted)))
        if limit.rlim_cur < most {
            var raised = limit
            raised.rlim_cur = most
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
