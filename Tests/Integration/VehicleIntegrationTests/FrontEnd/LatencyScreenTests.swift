import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// The front end's latency laboratory as a user has it, over real servers: two links, as the network is and with a delay of
/// 3 ms each way that is typed.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"),
    .enabled(if: TmuxTerminal.isAvailable, "tmux is not installed"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(3))))
struct LatencyScreenTests {
    @Test func `two links are measured under two conditions, read, and written as a page`() async throws {
        let stack = try await sharedStack()
        let terminal = try await TmuxTerminal(
            [BuiltPrograms.path("uavlink"), "--config", stack.configuration, "--vehicle", "stack", "--link", "udp"],
            environment: stack.groundEnvironment, columns: 100, rows: 32)
        do {
            let watch = try await stack.schedulingWatch()
            watch.add(try await terminal.process())
            try await Self.choose(at: terminal)
            let begin = SchedulingWatch.now
            try await Self.measure(at: terminal)
            let end = SchedulingWatch.now
            watch.settle()
            try await Self.read(at: terminal, watch, begin...end)
            try await Self.write(to: stack.folder.path + "/run.html", at: terminal)
            // Back to the choices, and to the menu.
            try await terminal.press("Escape")
            try await terminal.sees("Measure latency")
            try await terminal.press("Escape")
            try await terminal.sees("What do you want to do?")
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }

    private static func choose(at terminal: TmuxTerminal) async throws {
        let menu = try await terminal.sees("SSH and sockets", within: .seconds(40))
        let line = try #require(menu.first { $0.contains("SSH and sockets") })
        try await terminal.press(String(try #require(line.first { $0.isNumber })))
        try await terminal.sees("Measure latency")
        // Only tcp and udp of the six.
        try await terminal.press("Enter", "Down", "Enter", "Down", "Enter", "Down", "Down", "Down", "Enter")
        try await terminal.sees("tcp and udp under one condition")
        // The line of the length is seven further down.
        for _ in 0..<7 { try await terminal.press("Down") }
        try await terminal.press("Enter")
        try await terminal.sees("Duration per condition")
        try await terminal.press("C-u")
        try await terminal.type("3")
        try await terminal.press("Enter")
        // A mistake is said where it was typed, and nothing is lost.
        try await terminal.press("c")
        try await terminal.sees("Network impairment, the same in both directions")
        try await terminal.type("delay=3")
        try await terminal.press("Enter")
        try await terminal.sees("delay: '3' is not a time")
        try await terminal.type("ms")
        try await terminal.press("Enter")
        try await terminal.sees("tcp and udp under 2 conditions, about 10 s")
    }

    private static func measure(at terminal: TmuxTerminal) async throws {
        try await terminal.press("s")
        try await terminal.sees("Measuring stack:uav1")
        // Figures stand there before it is over.
        try await terminal.sees("so far (ms)") { lines in
            lines.contains { $0.contains("of 3 s") } && lines.contains { $0.contains("│ udp") && $0.contains("%") }
        }
        try await terminal.sees("measured in", within: .seconds(30))
    }

    private static func read(
        at terminal: TmuxTerminal, _ watch: SchedulingWatch, _ measured: ClosedRange<Int64>
    ) async throws {
        let plain = try median(of: "udp", in: await terminal.sees("condition 1 of 2: none"))
        try await terminal.press("Right")
        let delayed = try median(of: "udp", in: await terminal.sees("condition 2 of 2: delay=3ms"))
        // Commands go there and back.
        #expect(plain > 0 && delayed >= 6, "\(plain) ms became \(delayed) ms")
        if plain >= delayed {
            // A machine that is busy while the one is measured and not while the other is can turn them around.
            let (begin, end) = (measured.lowerBound, measured.upperBound)
            let account = watch.account(from: begin, to: end)
            print("latency screen: NOT JUDGED on this machine: \(plain) ms became \(delayed) ms; \(account)")
            #expect(watch.waited(from: begin, to: end) > (end - begin) / 10, "\(account)")
        }
        try await terminal.press("2")
        try await terminal.sees("90 %")
        try await terminal.press("3")
        try await terminal.sees("companion")
        try await terminal.press("4")
        try await terminal.sees("× lost")
        try await terminal.press("5")
        try await terminal.sees("Can I fly this?")
    }

    /// The median of commands, milliseconds: the row of the link in the first table.
    private static func median(of link: String, in lines: [String]) throws -> Double {
        func words(_ line: String) -> [Substring] { line.split { $0 == " " || $0 == "│" } }
        let titles = words(try #require(lines.first { $0.contains("p50") }))
        let column = try #require(titles.firstIndex(of: "p50"))
        let row = words(try #require(lines.first { words($0).first == Substring(link) }))
        return try #require(Double(row[column]), "\(lines)")
    }

    private static func write(to path: String, at terminal: TmuxTerminal) async throws {
        try await terminal.press("w")
        try await terminal.sees("the extension selects the format")
        try await terminal.press("C-u")
        try await terminal.type(path)
        try await terminal.press("Enter")
        try await terminal.sees("written to")
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(page.contains("<svg") && page.contains("delay=3ms"))
        #expect(page.contains("uavlink latency --vehicle stack --links tcp,udp"))
        // Another time it asks, and keeps what is there.
        try await terminal.press("w")
        try await terminal.sees("the extension selects the format")
        try await terminal.press("Enter")
        try await terminal.sees("Replace this file by the results?")
        try await terminal.press("n")
    }
}
