internal import LatencyMeasurement
internal import ReportKit

/// What the links of a condition cost, for a terminal, a page and JSON.
struct CostTable {
    static let titles = [
        "link", "ground CPU", "wake-ups/s", "vehicle CPU", "vehicle wake-ups/s", "kB/s up", "kB/s down",
        "packets/s up", "packets/s down",
    ]
    static let meaning = "on average in the turns of each link; 100 % is one processor"

    private let links: [(name: String, cost: LinkCost)]

    init(_ condition: LatencySummary.Condition) {
        links = condition.links.compactMap { link in link.run.cost.map { (link.name, $0) } }
    }

    /// One row for each link; a cell of what is not known is `?`.
    var rows: [[String]] {
        links.map { name, cost in
            func percent(_ nanoseconds: Int64?) -> String {
                nanoseconds.map { (cost.share($0) * 100).formatted(decimals: 1) + " %" } ?? LatencyHTMLTable.unknown
            }
            func rate(_ count: Int?, _ decimals: Int, per unit: Double = 1) -> String {
                count.map { (cost.rate($0) / unit).formatted(decimals: decimals) } ?? LatencyHTMLTable.unknown
            }
            let traffic = cost.traffic.value
            return [
                name, percent(cost.groundNanoseconds), rate(cost.groundWakeUps, 0),
                percent(cost.vehicleNanoseconds.value), rate(cost.vehicleWakeUps.value.map { Int(clamping: $0) }, 0),
                rate(traffic?.bytesUp, 1, per: 1000), rate(traffic?.bytesDown, 1, per: 1000),
                rate(traffic?.packetsUp, 0), rate(traffic?.packetsDown, 0),
            ]
        }
    }

    /// `nil` if nothing was measured.
    var table: TextTable? {
        guard !links.isEmpty else { return nil }
        var table = TextTable(Self.titles.enumerated().map { $0 == 0 ? .init($1) : .init($1, .right) })
        table.rows = rows
        return table
    }

    /// What the figures are of, or why they are not known.
    var notes: [String] {
        guard !links.isEmpty else { return [] }
        let ground =
            "ground CPU and wake-ups: this whole process, with 0.2 ms of busy-waiting before each setpoint and command"
        let vehicle =
            "vehicle wake-ups: how often the companion's threads waited for something, but in a turn in which they ended"
        return [ground, vehicle]
            + links.map { name, cost in
                "\(name): vehicle CPU: \(cost.vehicleNanoseconds.text); traffic: \(cost.traffic.text)"
            }
    }

    static func json(_ cost: LinkCost) -> JSONValue {
        let traffic = cost.traffic.value
        return [
            "seconds": .number(cost.seconds), "ground_cpu_s": .number(Double(cost.groundNanoseconds) / 1e9),
            "ground_wake_ups": JSONValue(cost.groundWakeUps),
            "vehicle_cpu_s": JSONValue(cost.vehicleNanoseconds.value.map { Double($0) / 1e9 }),
            "vehicle_cpu_of": .string(cost.vehicleNanoseconds.text),
            "vehicle_wake_ups": JSONValue(cost.vehicleWakeUps.value),
            "vehicle_wake_ups_of": .string(cost.vehicleWakeUps.text),
            "bytes_up": JSONValue(traffic?.bytesUp), "bytes_down": JSONValue(traffic?.bytesDown),
            "packets_up": JSONValue(traffic?.packetsUp), "packets_down": JSONValue(traffic?.packetsDown),
            "traffic_of": .string(cost.traffic.text),
        ]
    }
}
