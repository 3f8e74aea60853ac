#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How much longer this machine takes than the one for which the tests' deadlines were chosen.
///
/// It is measured once, at the start, by a fixed piece of work in wall-clock time: so it tells of a slow processor as of a
/// busy one. Whoever starts several test processes side by side measures before and hands the factor on in the environment
/// variable `UAVLINK_TEST_PACE`, so that they neither measure each other nor differ.
public enum MachinePace {
    /// 1 on a machine that is as fast as that one, or faster; never more than 20.
    public static let factor: Double = {
        let factor: Double
        if let given = getenv(variable).flatMap({ Double(String(cString: $0)) }), given.isFinite {
            factor = given
        } else {
            factor = measured() ?? 1
            // Processes that this one starts do not measure again.
            setenv(variable, "\(bounded(factor))", 1)
        }
        print("tests: deadlines are \(bounded(factor)) times the usual ones on this machine")
        return bounded(factor)
    }()

    /// A deadline as a test names it, made one for this machine.
    ///
    /// A deadline only matters in a test that fails anyway, so none is shorter than 20 s: what loads the machine may come
    /// after the measure.
    public static func patience(_ usual: Duration) -> Duration { max(usual, shortest) * factor }

    /// The same for the time limit of a test, in whole minutes.
    public static func minutes(_ usual: Int) -> Int { Int((Double(usual) * factor).rounded(.up)) }

    private static let shortest: Duration = .seconds(20)
    private static let variable = "UAVLINK_TEST_PACE"
    private static let greatest = 20.0

    private static func bounded(_ factor: Double) -> Double { (min(greatest, max(1, factor)) * 10).rounded() / 10 }

    /// What the work below takes on two quiet cores of a machine of the year 2025, in seconds.
    private static let usualSeconds = 0.13

    /// Computing and starting programs, in the proportion in which the tests wait for them. `scripts/test` has the same.
    private static let work = """
        import subprocess, sys, time
        begun = time.perf_counter()
        for _ in range(3):
            sum(i * i % 7 for i in range(400000))
            subprocess.call([sys.executable, "-c", "import json"])
        print(time.perf_counter() - begun)
        """

    private static func measured() -> Double? {
        guard let stream = popen("\(Guardian.python) -c '\(work)'", "r") else { return nil }
        defer { pclose(stream) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), stream) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return Double(text).map { $0 / usualSeconds }
    }
}

extension Duration {
    /// Enough time for something that must come, on this machine; see ``MachinePace/patience(_:)``.
    public static func patient(seconds: Int) -> Duration { MachinePace.patience(.seconds(seconds)) }
}

/// The rest of a wait that asks again and again whether something has come.
///
/// A process that is kept off the processor, or stopped with its whole machine, loses at most a second of its patience by
/// that, however long it lasts.
public struct Patience {
    /// How long it lasts in all, on this machine.
    public let whole: Duration
    private var left: Duration
    private var last = ContinuousClock.now
    private static let longestStep: Duration = .seconds(1)

    /// Begins now.
    ///
    /// - Parameter usual: how long it is to last on a machine of the usual pace.
    public init(_ usual: Duration) {
        whole = MachinePace.patience(usual)
        left = whole
    }

    /// Whether it is at an end; to be asked each time that nothing has come.
    public mutating func isOver() -> Bool {
        let now = ContinuousClock.now
        left -= min(now - last, Self.longestStep)
        last = now
        return left <= .zero
    }
}
