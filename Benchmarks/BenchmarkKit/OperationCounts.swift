internal import ReportKit

/// What one operation takes of each process on its way besides time: counts, which hardly depend on the machine.
package struct OperationCounts: Hashable, Sendable {
    /// One process on the way; of each count what one operation adds to it.
    package struct Place: Hashable, Sendable {
        package var name: String
        /// `nil` where they could not be counted.
        package var systemCalls: Double?
        /// How often its threads waited for something, and how often the scheduler took the processor from them.
        package var waits: Double
        package var preemptions: Double

        package init(_ name: String, systemCalls: Double?, waits: Double, preemptions: Double) {
            (self.name, self.systemCalls, self.waits, self.preemptions) = (name, systemCalls, waits, preemptions)
        }
    }

    package var key: String
    package var name: String
    package var places: [Place]

    package init(_ key: String, _ name: String, _ places: [Place]) {
        (self.key, self.name, self.places) = (key, name, places)
    }

    /// Cells of a row: the sum over all processes, and each.
    var cells: [String] {
        [name] + columns(\.systemCalls) + columns { $0.waits } + columns { $0.preemptions }
    }

    static let titles: [TextTable.Column] = [
        .init("per operation"), .init("system calls", .right), .init("of which"), .init("waits", .right),
        .init("of which"), .init("preemptions", .right), .init("of which"),
    ]

    private func columns(_ count: (Place) -> Double?) -> [String] {
        let counts = places.map(count)
        let known = counts.compactMap { $0 }
        let sum = known.count == counts.count ? Self.text(known.reduce(0, +)) : "-"
        let parts = zip(places, counts).map { "\($0.name) \($1.map(Self.text) ?? "-")" }
        return [sum, parts.joined(separator: ", ")]
    }

    private static func text(_ count: Double) -> String { count.formatted(decimals: 1) }

    var json: JSONValue {
        .object([
            .init("name", .string(key)),
            .init(
                "processes",
                .array(
                    places.map { place in
                        .object([
                            .init("name", .string(place.name)), .init("system_calls", JSONValue(place.systemCalls)),
                            .init("waits", .number(place.waits)), .init("preemptions", .number(place.preemptions)),
                        ])
                    })),
        ])
    }
}

/// Counters of a process, and for how long they have counted.
package struct CounterReading: Hashable, Sendable {
    package var seconds: Double
    package var count: Double

    package init(seconds: Double, count: Double) { (self.seconds, self.count) = (seconds, count) }

    /// What one operation adds: less what the process does anyway in that time, such as reading and sending telemetry.
    ///
    /// - Parameter idle: the same process without operations.
    package func perOperation(_ operations: Int, idle: CounterReading) -> Double {
        guard operations > 0, idle.seconds > 0 else { return .nan }
        return max(0, count - idle.count / idle.seconds * seconds) / Double(operations)
    }
}

/// How often threads have given up the processor, and how often it was taken from them.
package struct ContextSwitches: Hashable, Sendable {
    package var waits = 0
    package var preemptions = 0

    package init() {}

    /// Adds those of a thread.
    ///
    /// - Parameter status: its `/proc/PID/task/TID/status`.
    package mutating func add(status: String) {
        for line in status.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == ":" || $0.isWhitespace })
            guard words.count == 2, let count = Int(words[1]) else { continue }
            switch words[0] {
            case "voluntary_ctxt_switches": waits += count
            case "nonvoluntary_ctxt_switches": preemptions += count
            default: break
            }
        }
    }
}

/// The summary of `strace -c -U name,calls`.
package enum SystemCallSummary {
    /// How many there were; 0 where none was made, of which it prints nothing.
    package static func total(_ text: String) -> Int {
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count == 2, words[0] == "total", let count = Int(words[1]) { return count }
        }
        return 0
    }
}
