import Foundation
import IntegrationKit
import Synchronization
import TerminalEmulation

/// A terminal that speaks the kitty keyboard protocol: it tells when a key is let go of. The screen is libvterm's; the keyboard,
/// which libvterm has not, is ours.
///
/// It is an actor since the emulator is one owner's.
actor KittyTerminal {
    private let bridge: ChildProcess
    private let emulator: TerminalEmulator
    private var bytesTaken = 0
    private var tail: [UInt8] = []
    private(set) var isKittyOn = false
    /// Whether the program has shown the cursor again and left its screen.
    private(set) var isGivenBack = false
    private(set) var exitStatus: Int32?

    /// Starts a program in it.
    init(_ command: [String], environment: [String: String], columns: Int = 80, rows: Int = 24) throws {
        guard let emulator = TerminalEmulator(TerminalSize(rows: rows, columns: columns)) else {
            throw ProcessFailure("no emulator")
        }
        self.emulator = emulator
        bridge = try ChildProcess(
            ["/usr/bin/python3", BuiltPrograms.repository + "/Tests/Peers/terminal_bridge.py", "\(rows)", "\(columns)"]
                + command,
            environment: environment.merging(["TERM": "xterm-256color"]) { _, new in new })
    }

    /// The program's process.
    func process() async throws -> Int32 {
        let line = try await bridge.line(containing: "pid ")
        guard let pid = Int32(line.dropFirst(4)) else { throw ProcessFailure("no process: \(line)") }
        return pid
    }

    /// The lines on the screen.
    func screen() -> [String] {
        take()
        return emulator.picture().lines.map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Waits until the screen is as `isRight` wants it; returns it.
    @discardableResult
    func sees(
        _ what: String, within timeout: Duration = .seconds(20), _ isRight: @Sendable ([String]) -> Bool
    ) async throws -> [String] {
        var patience = Patience(timeout)
        while true {
            let lines = screen()
            if isRight(lines) { return lines }
            guard !patience.isOver(), exitStatus == nil else {
                throw ProcessFailure("the screen never showed \(what):\n" + lines.joined(separator: "\n"))
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits until a line of the screen contains `text`; returns the screen.
    @discardableResult
    func sees(_ text: String, within timeout: Duration = .seconds(20)) async throws -> [String] {
        try await sees("'\(text)'", within: timeout) { $0.contains { $0.contains(text) } }
    }

    /// A key that gives a character goes down.
    func down(_ key: Character) { key.unicodeScalars.first.map { send("\u{1B}[\($0.value);1:1;\($0.value)u") } }
    /// It comes up.
    func up(_ key: Character) { key.unicodeScalars.first.map { send("\u{1B}[\($0.value);1:3u") } }
    /// A key goes down and comes up.
    func press(_ key: Character) {
        down(key)
        up(key)
    }
    /// A key goes down and is held: it repeats, as the user's system makes it, until the task is cancelled, or the terminal
    /// is stopped.
    nonisolated func hold(_ key: Character) -> Task<Void, Never> {
        Task { [weak self] in
            await self?.down(key)
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(33))
                guard let self, !Task.isCancelled else { return }
                await self.repeats(key)
            }
        }
    }
    /// Answers what the program asks while no test looks at the screen, as every terminal does, until the task is cancelled or the
    /// terminal is gone: a front end ends steering at one that is silent for a second and a half.
    nonisolated func answer() -> Task<Void, Never> {
        Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(33))
                guard let self, !Task.isCancelled else { return }
                await self.look()
            }
        }
    }
    private func look() { take() }
    private func repeats(_ key: Character) {
        guard exitStatus == nil else { return }
        key.unicodeScalars.first.map { send("\u{1B}[\($0.value);1:2;\($0.value)u") }
        // What the program draws and asks meanwhile is taken as a terminal takes it, at once.
        take()
    }
    /// Enter, as the protocol sends it.
    func pressEnter() { send("\u{1B}[13;1:1u\u{1B}[13;1:3u") }
    /// The window loses the focus, or gets it.
    func focus(_ hasFocus: Bool) { send(hasFocus ? "\u{1B}[I" : "\u{1B}[O") }
    /// Function keys up to F12.
    func pressFunction(_ number: Int) {
        let codes = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24]
        send("\u{1B}[\(codes[number - 1])~")
    }

    /// Waits for the program's end.
    func exit(within timeout: Duration = .seconds(20)) async throws -> Int32 {
        var patience = Patience(timeout)
        while true {
            take()
            if let exitStatus { return exitStatus }
            guard !patience.isOver() else {
                throw ProcessFailure("it did not end:\n" + screen().joined(separator: "\n"))
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Ends it.
    func stop() async { await bridge.stop() }

    private func send(_ text: String) { send(Array(text.utf8)) }
    private func send(_ bytes: [UInt8]) { bridge.send(line: "in " + bytes.map { Self.hex($0) }.joined()) }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    /// Brings what came since the last time to the screen, and answers what the terminal is asked.
    private func take() {
        let output = bridge.output.utf8
        let fresh = output[output.index(output.startIndex, offsetBy: bytesTaken)...]
        guard let end = fresh.lastIndex(of: 0x0A) else { return }
        let whole = fresh[...end]
        bytesTaken += whole.count
        for line in whole.split(separator: 0x0A) {
            let line = Substring(line)
            if line.hasPrefix("out ") { show(Self.bytes(line.dropFirst(4))) }
            if line.hasPrefix("exit ") { exitStatus = Int32(line.dropFirst(5)) }
        }
    }

    private func show(_ bytes: [UInt8]) {
        // A sequence may come in two pieces.
        let text = String(decoding: tail + bytes, as: UTF8.self)
        tail = Array(bytes.suffix(16))
        if text.contains("\u{1B}[>27u") { isKittyOn = true }
        if text.contains("\u{1B}[?25h\u{1B}[?1049l") { isGivenBack = true }
        if text.contains("\u{1B}[?u"), isKittyOn { send("\u{1B}[?27u") }
        emulator.feed(bytes)
        let answer = emulator.takeOutput()
        if !answer.isEmpty { send(answer) }
    }

    private static func bytes(_ hex: Substring) -> [UInt8] {
        let digits = Array(hex.utf8)
        let value = { (digit: UInt8) in digit <= 0x39 ? digit - 0x30 : digit - 0x61 + 10 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { value(digits[$0]) << 4 | value(digits[$0 + 1]) }
    }
}
