internal import ReportKit

/// Processor time of processes on the vehicle, and how often they wait, from `/proc/PID/stat` and `/proc/PID/task/TID/status` (proc(5))
/// of Linux.
package enum RemoteProcessorTime {
    /// The kernel gives times to programs in hundredths of a second (`USER_HZ`) on all architectures that this runs on.
    private static let tickNanoseconds: Int64 = 10_000_000

    /// The shell's parent, sshd: its own time and that of the programs whose ends it has waited for, those that ask for it
    /// among them.
    package static let ofSSHD = "cat /proc/$PPID/stat"
    /// The same, and the shell itself with its programs.
    package static let ofShell = "cat /proc/$PPID/stat /proc/$$/stat"

    /// The processes of the companion by this name, of which a kernel keeps 15 characters, and how often each of their threads has waited.
    package static let ofCompanions =
        #"for d in /proc/[0-9]*; do read -r n <$d/comm && [ "$n" = uavlink-compani ] && cat $d/stat && "#
        + "grep -H ^voluntary_ctxt_switches: $d/task/*/status; done 2>/dev/null"

    /// Divides what ``ofCompanions`` prints.
    ///
    /// - Returns: the time of the one companion, `nil` as ``nanoseconds(_:lines:first:)``, and how often its threads have waited, `nil`
    ///   if the system does not say.
    package static func companion(_ text: String) -> (nanoseconds: Int64?, waits: ThreadWaits?) {
        let lines = text.split(separator: "\n")
        // With the file's name in front.
        let waits = lines.filter { $0.hasPrefix("/") }
        let times = lines.filter { !$0.hasPrefix("/") }.joined(separator: "\n")
        return (nanoseconds(times, lines: 1), ThreadWaits(waits))
    }

    /// The sum of the lines' times with those of their children; `nil` if a line is none of such a file, or there is none.
    ///
    /// - Parameters:
    ///   - count: how many lines there must be.
    ///   - first: what the name of the first process begins with.
    package static func nanoseconds(_ text: String, lines count: Int, first: String? = nil) -> Int64? {
        let lines = text.split(separator: "\n")
        guard lines.count == count, let head = lines.first else { return nil }
        if let first, !head.split(separator: " ").dropFirst().joined().hasPrefix("(" + first) { return nil }
        var sum: Int64 = 0
        for line in lines {
            // The name, in brackets, may have blanks and brackets.
            guard let end = line.lastIndex(of: ")") else { return nil }
            let fields = line[line.index(after: end)...].split(separator: " ")
            // utime, stime, cutime, cstime are fields 14 to 17; the first here is the third.
            guard fields.count > 14 else { return nil }
            for word in fields[11...14] {
                guard let ticks = Int64(word), (0..<1 << 36).contains(ticks) else { return nil }
                sum += ticks * tickNanoseconds
            }
        }
        return sum
    }
}
