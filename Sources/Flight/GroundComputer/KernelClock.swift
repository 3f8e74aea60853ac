#if os(Linux)
    internal import CKernelClock
#endif
internal import ReportKit

/// What the kernel says of this computer's clock (adjtimex): whether somebody keeps it, and how far it may be off. It takes neither a
/// program nor a privilege.
package struct KernelClock: Hashable, Sendable {
    /// Whether somebody has said of late that it is right: chrony, ntpd, systemd-timesyncd. PTP's programs need not.
    var isSynchronized: Bool
    /// What is still to be corrected, nanoseconds.
    var offsetNanoseconds: Int64
    /// How much faster than its crystal it runs, parts per million.
    var frequencyPPM: Double
    /// The largest and the estimated error that were stated, microseconds.
    var largestErrorMicroseconds: Int64
    var estimatedErrorMicroseconds: Int64

    init(
        isSynchronized: Bool, offsetNanoseconds: Int64, frequencyPPM: Double, largestErrorMicroseconds: Int64,
        estimatedErrorMicroseconds: Int64
    ) {
        self.isSynchronized = isSynchronized
        self.offsetNanoseconds = offsetNanoseconds
        self.frequencyPPM = frequencyPPM
        self.largestErrorMicroseconds = largestErrorMicroseconds
        self.estimatedErrorMicroseconds = estimatedErrorMicroseconds
    }

    /// That of this computer, read without changing anything; `nil` where the system does not say.
    package static var now: Self? {
        #if os(Linux)
            var state = timex()
            guard adjtimex(&state) >= 0 else { return nil }
            let unit: Int64 = state.status & STA_NANO != 0 ? 1 : 1000
            return Self(
                isSynchronized: state.status & STA_UNSYNC == 0,
                offsetNanoseconds: Int64(clamping: state.offset) &* unit,
                frequencyPPM: Double(state.freq) / 65_536, largestErrorMicroseconds: Int64(clamping: state.maxerror),
                estimatedErrorMicroseconds: Int64(clamping: state.esterror))
        #else
            return nil
        #endif
    }

    /// `synchronised, error at most 3.2 ms, ...`.
    package var text: String {
        let frequency = "runs \(frequencyPPM.formatted(decimals: 3)) ppm off its crystal"
        guard isSynchronized else { return "not synchronised (adjtimex), \(frequency)" }
        func milliseconds(_ microseconds: Double) -> String { (microseconds / 1000).formatted(decimals: 3) + " ms" }
        return "synchronised (adjtimex), error at most \(milliseconds(Double(largestErrorMicroseconds))), "
            + "estimated \(milliseconds(Double(estimatedErrorMicroseconds))), "
            + "\(milliseconds(Double(offsetNanoseconds) / 1000)) to be corrected, \(frequency)"
    }
}
