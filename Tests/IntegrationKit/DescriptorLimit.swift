#if canImport(Glibc)
    internal import Glibc

    /// How many descriptors this process may have.
    public enum DescriptorLimit {
        /// Runs `body` while this process may have no more than `count` descriptors: it keeps those it has, and gets no others.
        ///
        /// - Throws: what `body` throws, and ``ProcessFailure`` if the limit cannot be changed.
        public static func lowered<Value>(to count: UInt = 3, _ body: () throws -> Value) throws -> Value {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var usual = rlimit()
            guard getrlimit(resource, &usual) == 0 else { throw ProcessFailure("getrlimit: errno \(errno)") }
            var low = usual
            low.rlim_cur = count
            guard setrlimit(resource, &low) == 0 else { throw ProcessFailure("setrlimit: errno \(errno)") }
            let result = Result { try body() }
            guard setrlimit(resource, &usual) == 0 else { throw ProcessFailure("setrlimit: errno \(errno)") }
            return try result.get()
        }
    }
#endif
