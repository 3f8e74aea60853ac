import Foundation
import IntegrationKit
import Testing

/// The front end's indoor mode as a user has it: a room with a pillar is opened, and a place behind the pillar is flown to, around
/// it.
@Suite(
    .enabled(if: TmuxTerminal.isAvailable, "tmux is needed"), .serialized, .timeLimit(.minutes(MachinePace.minutes(4))))
struct IndoorScreenTests {
    /// A room of 12 by 8 by 4 m around the vehicle's start, with a pillar of 1 by 2 m before it; a point every 10 cm.
    private static func room() -> String {
        var points: [(Double, Double, Double)] = []
        func steps(_ low: Double, _ high: Double) -> [Double] {
            (0...Int(((high - low) * 10).rounded())).map { low + Double($0) / 10 }
        }
        for x in steps(-2, 10) {
            for y in steps(-4, 4) { points += [(x, y, 0), (x, y, 4)] }
            for z in steps(0, 4) { points += [(x, -4, z), (x, 4, z)] }
        }
        for z in steps(0, 4) {
            for y in steps(-4, 4) { points += [(-2, y, z), (10, y, z)] }
            for y in steps(-1, 1) { points += [(4, y, z), (5, y, z)] }
            for x in steps(4, 5) { points += [(x, -1, z), (x, 1, z)] }
        }
        return """
            VERSION .7
            FIELDS x y z
            SIZE 4 4 4
            TYPE F F F
            COUNT 1 1 1
            WIDTH \(points.count)
            HEIGHT 1
            VIEWPOINT 0 0 1.5 1 0 0 0
            POINTS \(points.count)
            DATA ascii

            """ + points.map { "\($0.0) \($0.1) \($0.2)\n" }.joined()
    }

    @Test func `a place behind a pillar is flown to around it`() async throws {
        try await SimulatedFrontEnd.run { user in
            let terminal = user.terminal
            let file = try user.folder.write(Self.room(), to: "room.pcd")
            try await user.takeOff()
            let menu = try await terminal.screen()
            let line = try #require(menu.first { $0.contains("Indoor") })
            try await terminal.press(String(try #require(line.first { $0.isNumber })))
            try await terminal.sees("no trajectory")
            try await terminal.press("o")
            try await terminal.sees("Enter")
            try await terminal.type(file)
            try await terminal.press("Enter")
            try await terminal.sees("room.pcd:", within: .seconds(30))
            // It begins at the layer of the vehicle, which hovers at 1.5 m. Where the layers are cut depends on the room's height
            // only: the fourth of ten begins at 1.2 m, the sixth at 2 m.
            try await terminal.sees("layer 4 of 10: 1.20 to 1.60 m")
            try await terminal.press("]", "]")
            try await terminal.sees("layer 6 of 10: 2.00 to 2.40 m")
            // From the vehicle 7.5 m to the east: behind the pillar, as the vehicle sees it.
            try await terminal.press("C-Right", "C-Right", "C-Right", "C-Right", "C-Right", "Enter")
            try await terminal.sees("point 1 of 1", within: .seconds(30)) { lines in
                lines.contains { $0.contains("point        1 of 1") }
            }
            // That space is unknown: it says so, until such space counts as free.
            try await terminal.press("C-Up", "Enter")
            try await user.answer("O", "Unknown space counts as", "free")
            try await terminal.sees("unknown space counts as free")
            let planned = try await terminal.sees("ready to send", within: .seconds(60))
            #expect(planned.contains { $0.contains("path to 1") && $0.contains("clearance ") }, "\(planned)")
            let clearance = try #require(planned.first { $0.contains("clearance") })
            let metres = try #require(clearance.split(separator: " ").compactMap { Double($0) }.last)
            #expect(metres >= 0.55, "\(clearance)")

            try await user.confirm("e", "Send this trajectory to")
            try await terminal.sees("trajectory loaded")
            try await user.confirm("g", "to the start of its trajectory?")
            try await user.confirm("s", "Start the trajectory on")
            let flown = try await terminal.sees("flown", within: .seconds(90)) { lines in
                lines.contains { $0.hasSuffix("┐ flown") }
            }
            #expect(flown.contains { $0.contains("cross-track") }, "\(flown)")
            try await terminal.press("Escape")
            try await terminal.sees("What do you want to do?")
        }
    }
}
