#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ReportKit
internal import SystemKit
internal import UAVLink

/// A named property of this computer, or a version of what runs here.
package struct ComputerFact: Hashable, Sendable {
    package var name: String
    package var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// What of the ground's computer may change the figures, for the report. What a system does not tell is left out.
package struct ComputerFacts: Sendable {
    /// The text of a file; `nil` if it cannot be read.
    let read: @Sendable (String) -> String?
    /// Whether there is a file, a socket or a folder.
    let exists: @Sendable (String) -> Bool

    init(
        read: @escaping @Sendable (String) -> String?,
        exists: @escaping @Sendable (String) -> Bool = { access($0, F_OK) == 0 }
    ) { (self.read, self.exists) = (read, exists) }

    /// This computer. The processors' descriptions of a large machine are the longest of the files.
    package static let own = Self(read: { path in
        (try? SmallFile.read(path, limit: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
    })

    /// The machine: processor, memory, governor, clock source, settings of TCP.
    ///
    /// - Parameter address: that of the vehicle, to which the network device is named.
    package func machine(to address: String) -> [ComputerFact] {
        var facts: [ComputerFact] = []
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { facts.append(.init(name, value)) }
        }
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        add("processor", line("model name", in: "/proc/cpuinfo").map { "\($0), \(cores) cores" })
        let memory = Double(sysconf(Int32(_SC_PHYS_PAGES))) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e9
        add("memory", "\(Int(saturating: memory.rounded())) GB")
        add("system", line("PRETTY_NAME", in: "/etc/os-release", separator: "=")?.filter { $0 != "\"" })
        add("frequency governor", word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))
        add("clock source", word("/sys/devices/system/clocksource/clocksource0/current_clocksource"))
        add("TCP", tcp)
        add("network device", device(to: address))
        add("load at the start", read("/proc/loadavg")?.split(separator: " ").first.map(String.init))
        return facts
    }

    /// How this computer's clock is kept: what the kernel says, and whose traces are in the system.
    ///
    /// - Parameter instant: of the run, as text: `the start`.
    package func clockFacts(at instant: String) -> [ComputerFact] {
        let keepers = Self.keepers.filter { keeper in keeper.paths.contains(where: exists) }.map(\.name)
        let names = keepers.isEmpty ? "nobody that is known" : keepers.joined(separator: ", ")
        let kept = ComputerFact("clock kept by", names)
        guard let clock = KernelClock.now else { return [kept] }
        return [kept, ComputerFact("clock at \(instant)", clock.text)]
    }

    /// What runs leaves its number, a socket, or a file that it touches.
    private static let keepers: [(name: String, paths: [String])] = [
        ("chrony", ["/run/chrony/chronyd.pid", "/run/chronyd.pid", "/run/chrony/chronyd.sock"]),
        ("ntpd", ["/run/ntpd.pid", "/run/ntpsec/ntpd.pid"]),
        ("systemd-timesyncd", ["/run/systemd/timesync/synchronized"]), ("ptp4l", ["/run/ptp4l", "/var/run/ptp4l"]),
        ("phc2sys", ["/run/phc2sys.pid"]),
    ]

    /// The versions of what runs here.
    package var versions: [ComputerFact] {
        #if DEBUG
            let build = "debug"
        #else
            let build = "release"
        #endif
        var facts = [ComputerFact("uavlink", "\(Version.text), \(build) build")]
        if let kernel = word("/proc/sys/kernel/osrelease") { facts.append(.init("kernel", kernel)) }
        return facts
    }

    /// The commit of the checkout in whose `.build` a program lies, which may be newer than the program. Of one that was installed
    /// there is none: a repository around it, such as that of somebody's home, is another.
    ///
    /// - Parameter program: its path.
    package func commit(of program: String) -> String? {
        let parts = program.split(separator: "/")
        guard let build = parts.lastIndex(of: ".build") else { return nil }
        let folder = "/" + parts[..<build].joined(separator: "/")
        // Of a worktree `.git` is a file that says where its own is; branches are the repository's.
        let link = word(folder + "/.git").flatMap { $0.hasPrefix("gitdir: ") ? String($0.dropFirst(8)) : nil }
        let own = link ?? folder + "/.git"
        guard let head = word(own + "/HEAD") else { return nil }
        guard head.hasPrefix("ref: ") else { return String(head.prefix(12)) }
        let shared = link.flatMap { link in word(link + "/commondir").map { $0.hasPrefix("/") ? $0 : link + "/" + $0 } }
        let (name, common) = (String(head.dropFirst(5)), shared ?? own)
        let packed = read(common + "/packed-refs")?.split(separator: "\n").first { $0.hasSuffix(" " + name) }
        return (word("\(common)/\(name)") ?? packed.map(String.init)).map { String($0.prefix(12)) }
    }

    private var tcp: String? {
        let names = [
            ("congestion_control", "congestion control"), ("sack", "sack"), ("recovery", "recovery"),
            ("no_metrics_save", "no_metrics_save"), ("slow_start_after_idle", "slow_start_after_idle"),
        ]
        let values = names.compactMap { file, name in word("/proc/sys/net/ipv4/tcp_\(file)").map { "\(name) \($0)" } }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    // MARK: The network device

    /// The device on the way to an IPv4 address: of the most specific route.
    private func device(to address: String) -> String? {
        guard let target = Self.number(address) else { return nil }
        if target >> 24 == 127 { return "loopback" }
        var best: (name: String, mask: UInt32)?
        for line in (read("/proc/net/route") ?? "").split(separator: "\n").dropFirst() {
            let words = line.split(whereSeparator: \.isWhitespace)
            // In the byte order of the machine, which is little-endian on all that this runs on.
            guard words.count > 7, let destination = UInt32(words[1], radix: 16),
                let mask = UInt32(words[7], radix: 16),
                target.byteSwapped & mask == destination, best.map({ mask.byteSwapped > $0.mask.byteSwapped }) ?? true
            else { continue }
            best = (String(words[0]), mask)
        }
        guard let name = best?.name else { return nil }
        var parts = [name]
        if let driver = line("DRIVER", in: "/sys/class/net/\(name)/device/uevent", separator: "=") {
            parts.append(driver)
        }
        // A device without a cable, or of a radio, has no speed, or -1.
        if let speed = word("/sys/class/net/\(name)/speed").flatMap(Int.init), speed > 0 {
            parts.append("\(speed) Mbit/s")
        }
        if let mtu = word("/sys/class/net/\(name)/mtu") { parts.append("MTU \(mtu)") }
        return parts.joined(separator: ", ")
    }

    private static func number(_ address: String) -> UInt32? {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        return parts.reduce(0 as UInt32?) { sum, text in
            guard let sum, let part = UInt32(text), part < 256 else { return nil }
            return sum << 8 | part
        }
    }

    // MARK: Load

    /// Time of all processors since the start of the system, in ticks of the kernel.
    package struct ProcessorTime: Hashable, Sendable {
        var whole: Double
        var idle: Double
        /// Taken by other guests of the same host.
        var stolen: Double
    }

    /// The processors' time until now; `nil` where the system does not tell.
    package var processorTime: ProcessorTime? {
        guard let line = read("/proc/stat")?.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
        // user nice system idle iowait irq softirq steal; what follows is counted in the first two already.
        let times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard times.count == 8 else { return nil }
        return ProcessorTime(whole: times.reduce(0, +), idle: times[3] + times[4], stolen: times[7])
    }

    /// What the processors did during the run.
    package static func load(from begin: ProcessorTime?, to end: ProcessorTime?) -> [ComputerFact] {
        guard let begin, let end, end.whole > begin.whole else { return [] }
        let whole = end.whole - begin.whole
        func share(_ time: Double) -> String { (max(0, time) / whole * 100).formatted(decimals: 1) + " %" }
        return [
            .init("processors busy during the run", share(whole - (end.idle - begin.idle))),
            .init("stolen by other guests during the run", share(end.stolen - begin.stolen)),
        ]
    }

    /// From this much on a host's other guests delay what is measured.
    private static let noticeableSteal = 0.01

    /// A warning if other guests of the host took noticeable time.
    package static func stealNote(from begin: ProcessorTime?, to end: ProcessorTime?) -> String? {
        guard let begin, let end, end.whole > begin.whole else { return nil }
        let share = (end.stolen - begin.stolen) / (end.whole - begin.whole)
        guard share > noticeableSteal else { return nil }
        return
            "other guests of this host took \((share * 100).formatted(decimals: 1)) % of the processors during the run"
    }

    // MARK: Files

    private func word(_ path: some StringProtocol) -> String? {
        read(String(path)).map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func line(_ name: String, in path: String, separator: Character = ":") -> String? {
        read(path)?.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: separator).dropFirst().first
            .map(\.trimmed)
    }
}
