internal import CFuzzer

/// A decoder of bytes from outside, put before libFuzzer.
///
/// A fuzz target is a folder `Tests/Fuzz/Fuzz<What>` with one `@main` type of this kind and one line at the end of
/// `Package.swift`; `scripts/fuzz` finds, builds and runs it. Files in its folder `seeds` are what fuzzing starts from.
public protocol FuzzTarget {
    /// Decodes these bytes. Throwing is no finding and is to be caught here; trapping, reading out of bounds, hanging and
    /// eating memory are findings, and so is whatever the target itself checks with `precondition`: that a value which
    /// was decoded encodes to the same bytes again, say.
    static func test(_ bytes: [UInt8])
}

/// What libFuzzer's C callback, which can hold nothing, hands the bytes to. Unsafe to the compiler only: it is set once,
/// before libFuzzer starts, and libFuzzer calls back on the thread that started it.
nonisolated(unsafe) private var target: (([UInt8]) -> Void)?

extension FuzzTarget {
    /// Hands the process to libFuzzer; its own options stand on the command line.
    public static func main() {
        target = { Self.test($0) }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
            target?(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }
}
