import FlightControl
import ModeKit
import ModeTestKit
import RemoteTerminalMode
import Foundation
import TerminalEmulation
import Testing
import UAVTestKit

/// The history and the log.
extension TerminalTests {
    @Test func `Enter on an empty line says what is expected, and runs nothing`() async {
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([])) { presenter = $0 }
        presenter?.handle(.switchForm)
        presenter?.handle(.run("  "))
        await settle()
        #expect(stage.notices.last?.text == "nothing was typed; type a command, for example: ls -l")
        #expect(runner.lines.isEmpty && !view.shown.simple.isRunning)
        instance.detach()
    }

    @Test("the history goes up and down, is searched, and is kept in a file of mode 600")
    func history() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("uavlink-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([]), environment: ["XDG_STATE_HOME": folder]) { presenter = $0 }
        presenter?.handle(.switchForm)
        for line in ["rosnode list", "ls", " secret"] {
            presenter?.handle(.run(line))
            #expect(await becomesTrue { runner.lines.last == line })
            runner.end(.success(ProgramEnding(status: 0)))
            #expect(
                await timeSource.fake.run { !view.shown.simple.isRunning })
        }
        presenter?.handle(.history(-1, from: "draft"))
        #expect(view.shown.simple.field.text == "ls")
        presenter?.handle(.history(-1, from: "ls"))
        #expect(view.shown.simple.field.text == "rosnode list")
        presenter?.handle(.history(1, from: ""))
        presenter?.handle(.history(1, from: ""))
        #expect(view.shown.simple.field.text == "draft")
        presenter?.handle(.historySearch("s"))
        #expect(view.shown.simple.search?.line == "ls")
        presenter?.handle(.historySearchOlder)
        presenter?.handle(.historySearchAccept)
        #expect(view.shown.simple.field.text == "rosnode list")
        let file = folder + "/uavlink/history"
        func kept() -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        #expect(await becomesTrue { kept() == "uav1\trosnode list\nuav1\tls\n" })
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let known = await HistoryFile(environment: ["XDG_STATE_HOME": folder])?.lines(of: "uav1")
        #expect(known == ["rosnode list", "ls"])
        instance.detach()
    }

    @Test(
        "the log has connection, sent and received with times, and no key; its file is private and never written over")
    func log() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("uavlink-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let shell = FakeShell()
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([shell]), logs: SessionLogFile(folder: folder)) { presenter = $0 }
        shell.write("Password: \u{1B}[31m")
        #expect(
            await timeSource.fake.run { view.lines == ["Password:"] })
        for character in "s3cret" { presenter?.handle(.key(TerminalKey(.character(character)))) }
        presenter?.handle(.run("uptime"))
        #expect(await becomesTrue { runner.lines == ["uptime"] })
        runner.end(.success(ProgramEnding(status: 0)))
        #expect(
            await timeSource.fake.run { !view.shown.simple.isRunning })
        presenter?.handle(.saveLog)
        #expect(await becomesTrue { stage.notices.count == 1 })
        presenter?.handle(.saveLog)
        #expect(await becomesTrue { stage.notices.count == 2 })
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files.count == 2)
        for file in files {
            #expect(file.hasPrefix("uavlink-terminal-2023111"))
            #expect(stage.notices.contains { $0.text.contains(file) && $0.weight == .success })
            let path = folder + "/" + file
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("-- opening a shell on mrs@uav1\n"))
            #expect(text.contains(".250 Rx Password: \n"))
            #expect(text.contains(" Tx uptime\n"))
            #expect(!text.contains("s3cret"))
        }
        instance.detach()
    }

    @Test("a log that cannot be saved says why")
    func logTrouble() async {
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([])) { presenter = $0 }
        presenter?.handle(.saveLog)
        #expect(await becomesTrue { stage.notices.count == 1 })
        #expect(stage.notices.first?.weight == .error)
        #expect(stage.notices.first?.text.contains("no such file or directory") == true)
        instance.detach()
    }
}
