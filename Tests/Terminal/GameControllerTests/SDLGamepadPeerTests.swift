import Foundation
import IntegrationKit
import Testing

@testable import GameController

/// SDL itself, from its virtual device on. Skipped, aloud, only where SDL2 is not installed.
@Suite("SDL's virtual game controller", .serialized, .enabled(if: SDLInstalled.isSo, "libSDL2 is not on this machine"))
struct SDLGamepadPeerTests {
    /// A pipe and the controllers that read it.
    private final class Bench {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pad-\(UUID().uuidString)").path
        let gamepads: SDLGamepads

        init(mappings: String? = nil) {
            gamepads = SDLGamepads(.init(mappingsFile: mappings, virtualController: path))
        }

        func write(_ lines: String...) throws {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
            try file.close()
        }

        func wait(_ isSo: (GamepadsState) -> Bool) async -> Bool { await eventually { isSo(gamepads.state) } }

        deinit { gamepads.close() }
    }

    @Test("it is plugged in, moved, pressed, unplugged and plugged in again as another")
    func life() async throws {
        let bench = Bench()
        #expect(await bench.wait { $0.gamepad != nil })
        let first = try #require(bench.gamepads.state.gamepad)
        #expect(first.number == 1)
        #expect(first.name.contains("uavlink") || first.name.contains("Virtual"), "\(first.name)")
        #expect([first.leftX, first.leftY, first.rightX, first.rightY].allSatisfy { abs($0) < 0.001 })
        try bench.write("axis leftx -1", "axis lefty 0.5", "axis rightx 0.25", "axis righty 1")
        #expect(await bench.wait { $0.gamepad?.rightY == 1 })
        let moved = try #require(bench.gamepads.state.gamepad)
        #expect(moved.leftX == -1)
        #expect(abs(moved.leftY - 0.5) < 0.001)
        #expect(abs(moved.rightX - 0.25) < 0.001)
        try bench.write("button a press", "button b down", "button start press", "button start press")
        #expect(await bench.wait { $0.gamepad?.presses(of: .start) == 2 })
        let pressed = try #require(bench.gamepads.state.gamepad)
        #expect(pressed.presses(of: .a) == 1)
        #expect(pressed.presses(of: .b) == 1)
        #expect(pressed.presses(of: .y) == 0)
        try bench.write("detach")
        #expect(await bench.wait { $0 == .none })
        try bench.write("attach")
        #expect(await bench.wait { $0.gamepad != nil })
        let again = try #require(bench.gamepads.state.gamepad)
        #expect(again.number == 2)
        #expect(again.presses.isEmpty)
        #expect(abs(again.rightY) < 0.001)
    }

    @Test("every button has its place in SDL's mapping", arguments: GamepadButton.allCases)
    func buttons(_ button: GamepadButton) async throws {
        let bench = Bench()
        #expect(await bench.wait { $0.gamepad != nil })
        try bench.write("button \(button.rawValue) press", "axis leftx 0.5")
        #expect(await bench.wait { ($0.gamepad?.leftX ?? 0) > 0.4 })
        #expect(bench.gamepads.state.gamepad?.presses == [button: 1])
    }

    @Test("a line that is not understood moves nothing and is reported")
    func lastInvalidLine() async throws {
        let bench = Bench()
        #expect(await bench.wait { $0.gamepad != nil })
        try bench.write("axis leftx 2", "axis lefty 0.5")
        #expect(await bench.wait { ($0.gamepad?.leftY ?? 0) > 0.4 })
        #expect(bench.gamepads.state.gamepad?.leftX == 0)
        #expect(bench.gamepads.lastInvalidLine == "axis leftx 2")
    }

    @Test("a second user waits for the first to close, and the pipe goes with its maker")
    func turns() async throws {
        let first = Bench()
        #expect(await first.wait { $0.gamepad != nil })
        let second = Bench()
        #expect(second.gamepads.state == .starting)
        first.gamepads.close()
        #expect(await second.wait { $0.gamepad != nil })
        #expect(!FileManager.default.fileExists(atPath: first.path))
        let path = second.path
        second.gamepads.close()
        #expect(await second.wait { $0 == .none })
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a pipe that cannot be opened is named with its reason")
    func unusable() async {
        let gamepads = SDLGamepads(.init(virtualController: "/nowhere/at/all"))
        #expect(await eventually { gamepads.state != .starting })
        #expect(
            gamepads.state
                == .unusable("cannot read the virtual game controller's '/nowhere/at/all': no such file or directory"))
    }

    @Test("a file of mappings changes what an axis means, one that is not there changes nothing")
    func mappings() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("db-\(UUID().uuidString).txt")
        // SDL's identifier of the virtual controller: bus 0xFF, no checksum, the name's first nine bytes, 'v', its type.
        let identifier = "ff000000" + "7561766c696e6b2076" + "00" + "7601"
        #if os(macOS)
            let platform = "Mac OS X"
        #else
            let platform = "Linux"
        #endif
        let line = "\(identifier),turned round,leftx:a2,lefty:a3,rightx:a0,righty:a1,a:b1,b:b0,platform:\(platform),\n"
        try Data(line.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let plain = Bench(mappings: "/nowhere/at/all")
        #expect(await plain.wait { $0.gamepad != nil })
        try plain.write("button a press", "axis leftx 0.5")
        #expect(await plain.wait { ($0.gamepad?.leftX ?? 0) > 0.4 })
        plain.gamepads.close()
        // SDL keeps mappings for the process: this is the last to look at its own.
        let turned = Bench(mappings: file.path)
        #expect(await turned.wait { $0.gamepad != nil })
        try turned.write("button a press", "axis leftx 0.5")
        #expect(await turned.wait { ($0.gamepad?.rightX ?? 0) > 0.4 })
        let gamepad = try #require(turned.gamepads.state.gamepad)
        #expect(gamepad.leftX == 0)
        #expect(gamepad.presses == [.b: 1])
        #expect(gamepad.name == "turned round")
    }
}

private enum SDLInstalled {
    static let isSo: Bool = {
        if case .success = SDLLibrary.loaded { true } else { false }
    }()
}
