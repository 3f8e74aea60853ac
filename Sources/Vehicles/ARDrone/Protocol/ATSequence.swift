/// Numbers commands, and packs them into datagrams: one counter for all commands, from 1, which resets the drone's.
package struct ATSequence: Sendable {
    /// The longest line, and the longest datagram, that the drone reads; longer ones it drops whole.
    package static let mostBytes = 1024

    /// The number of the next command.
    package private(set) var next: UInt32 = 1

    /// Begins at 1.
    package init() {}

    /// The next command resets the drone's counter.
    package mutating func restart() { next = 1 }

    /// The datagrams with these commands, in order. No command spans two, and identifiers stay with their configuration.
    ///
    /// What is not well-formed (``ATCommand/isWellFormed``) is left out, and takes no number.
    package mutating func datagrams(of commands: some Sequence<ATCommand>) -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        var current: [UInt8] = []
        var waiting: [UInt8] = []
        for command in commands where command.isWellFormed {
            waiting += Array(command.line(next).utf8)
            // 1 would reset the drone's counter, and 0 is never accepted: at 100 commands a second, after more than a year.
            next = next == .max ? 1 : next + 1
            if case .configurationIDs = command { continue }
            append(&waiting, to: &current, &datagrams)
        }
        append(&waiting, to: &current, &datagrams)
        if !current.isEmpty { datagrams.append(current) }
        return datagrams
    }

    private func append(_ lines: inout [UInt8], to current: inout [UInt8], _ datagrams: inout [[UInt8]]) {
        if !current.isEmpty, current.count + lines.count > Self.mostBytes {
            datagrams.append(current)
            current = []
        }
        current += lines
        lines = []
    }
}
