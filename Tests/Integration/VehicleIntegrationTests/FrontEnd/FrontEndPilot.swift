import Foundation
import IntegrationKit
import Testing

extension FrontEndFlightTests {
    /// Who sees on the screen that steering has ended, and takes command again. Only a machine that kept the programs waiting may
    /// end it: setpoints come to the vehicle through two of them, at least five in a second.
    final class Pilot {
        /// Of a gap of 200 ms one of the two has most of the half.
        private static let starvedNanoseconds: Int64 = 90_000_000

        let terminal: TmuxTerminal
        let witness: FlightWitness
        private let watch: SchedulingWatch
        private let takeCommand: () async throws -> Void
        private var since = SchedulingWatch.now

        init(
            terminal: TmuxTerminal, witness: FlightWitness, watch: SchedulingWatch,
            takeCommand: @escaping () async throws -> Void
        ) {
            (self.terminal, self.witness, self.watch, self.takeCommand) = (terminal, witness, watch, takeCommand)
        }

        /// A machine that keeps the programs waiting at this very moment ends steering before the screen ever shows it.
        func engage() async throws {
            while true {
                since = SchedulingWatch.now
                try await takeCommand()
                if try await isEngaged() { return }
                try await judgeEnd()
            }
        }

        /// Whether steering has begun; not when the screen goes on saying that it is released.
        private func isEngaged() async throws -> Bool {
            var patience = Patience(.seconds(30))
            var released = Patience(.seconds(5))
            while true {
                let screen = try await terminal.screen()
                // Before setpoints reach the vehicle they are neutral: a step that is pressed meanwhile would be lost.
                if screen.contains(where: { $0.contains("ENGAGED") }), screen.contains(where: Self.tellsApplied) {
                    return true
                }
                if !screen.contains(where: { $0.contains("RELEASED") }) { released = Patience(.seconds(5)) }
                if released.isOver() { return false }
                guard !patience.isOver() else { throw ProcessFailure("neither engaged nor released: \(screen)") }
                try await Task.sleep(for: .milliseconds(50))
            }
        }

        /// Whether a line of the screen says that setpoints reach the vehicle: so many of them in a second.
        private static func tellsApplied(_ line: String) -> Bool {
            guard let place = line.range(of: ", applied ") else { return false }
            return Double(line[place.upperBound...].prefix { $0.isNumber || $0 == "." }) ?? 0 > 0
        }

        /// Steering has ended: only because a process had to wait?
        private func judgeEnd() async throws {
            watch.settle()
            let longest = watch.longestWait(from: since, to: SchedulingWatch.now)
            let screen = try await terminal.screen()
            try #require(longest > Self.starvedNanoseconds, "steering has ended by itself: \(screen)")
            print("front end: a process waited \(longest / 1_000_000) ms, steering ended and was begun again")
        }

        /// Waits until the vehicle is as wanted; `nil` when steering had ended, and goes on now.
        func sees(
            _ what: String, _ condition: (FlightWitness.Account) -> Bool
        ) async throws -> FlightWitness.Account? {
            var patience = Patience(.seconds(30))
            while true {
                let account = try await witness.account()
                if condition(account) { return account }
                let screen = try await terminal.screen()
                if !screen.contains(where: { $0.contains("ENGAGED") }) {
                    try await judgeEnd()
                    try await engage()
                    return nil
                }
                guard !patience.isOver() else {
                    throw ProcessFailure("not within \(patience.whole): \(what); \(account); \(screen)")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
