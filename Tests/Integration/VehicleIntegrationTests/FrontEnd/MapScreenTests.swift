import Foundation
import IntegrationKit
import Testing

/// The front end's map as a user has it, by keyboard alone: a route is placed, written, read again and flown.
@Suite(
    .enabled(if: TmuxTerminal.isAvailable, "tmux is needed"), .serialized, .timeLimit(.minutes(MachinePace.minutes(4))))
struct MapScreenTests {
    @Test func `a route is placed, written, opened and flown`() async throws {
        try await SimulatedFrontEnd.run { user in
            let (folder, terminal) = (user.folder, user.terminal)
            try await user.takeOff()
            try await terminal.press("4")
            try await terminal.sees("no trajectory")
            // Where world_origin lies is the vehicle's answer.
            try await terminal.sees("origin from vehicle")
            for _ in 0..<5 { try await terminal.press("-") }
            try await terminal.press("C-Right", "C-Up")
            try await user.answer("Enter", "height of the waypoint", "5")
            try await terminal.sees("point 1 of 1")
            try await terminal.press("C-Right", "Enter")
            try await terminal.sees("ready to send")

            let file = folder.path + "/field.kml"
            try await user.answer("w", "file to write", file)
            try await terminal.sees("points written to")
            let written = try String(contentsOfFile: file, encoding: .utf8)
            #expect(written.contains("<altitudeMode>absolute</altitudeMode>"))
            try await terminal.press("C")
            try await terminal.sees("no trajectory")
            try await user.answer("o", "file of waypoints", file)
            try await terminal.sees("2 points from")
            try await terminal.sees("ready to send")

            try await user.confirm("e", "Send this trajectory to")
            try await terminal.sees("on the vehicle")
            try await user.confirm("g", "to the start of its trajectory?")
            try await terminal.sees("flying to the start")
            try await terminal.sees("the start reached", within: .seconds(60)) { lines in
                lines.contains { $0.hasSuffix("on the vehicle") }
            }
            try await user.confirm("s", "Start the trajectory on")
            try await terminal.sees("flying the trajectory")
            // There is no distance to the path before the first position of the flight.
            try await terminal.sees("the start reported, and the distance to the path", within: .seconds(60)) { lines in
                lines.contains { $0.contains("trajectory started") } && lines.contains { $0.contains("cross-track") }
            }
            try await terminal.press("Escape")
            try await terminal.sees("What do you want to do?")
        }
    }
}
