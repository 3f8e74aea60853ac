internal import LatencyStatistics

/// How often contenders are compared: runs, each with processes and connections of their own, and blocks within a run, in which
/// each has a turn.
package struct RunPlan: Hashable, Sendable {
    package var runs: Int
    package var blocks: Int
    /// How many operations a turn has.
    package var count: Int
    /// From one operation to the next; zero for back to back.
    package var period: Duration

    package init(runs: Int, blocks: Int = 1, of count: Int, every period: Duration = .zero) {
        (self.runs, self.blocks, self.count, self.period) = (runs, blocks, count, period)
    }

    /// The turns of a block: which contender goes when. Over the blocks each has each place, and follows each other one, equally
    /// often: nobody always finds the caches as the same one left them.
    package func order(of contenders: Int, run: Int, block: Int) -> [Int] {
        RoundOrder(count: contenders, seed: Self.seed).order(in: run * blocks + block)
    }

    private static let seed: UInt64 = 0x5EED

    /// For the report.
    package var text: String {
        let each = period == .zero ? "back to back" : "one every \(Figure.short(period.milliseconds)) ms"
        let turns = blocks == 1 ? "\(count) each" : "\(blocks) blocks of \(count) each"
        return "\(runs) runs with connections or processes of their own, in each \(turns) in turn, \(each)"
    }
}

extension Duration {
    package var milliseconds: Double { Double(wholeNanoseconds) / 1e6 }
}
