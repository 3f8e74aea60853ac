@testable import MapTrajectoryMode
@testable import ModeKit
@testable import RemoteTerminalMode
@testable import RobotMode
@testable import RouteKit
@testable import Workspace
import Testing
import UAVLink

@testable import TextScreen

/// The keys that the screens name are those that a configuration may not give to another action.
@MainActor
@Suite("Keys of the screens that no action can be given")
struct ConfiguredKeyTests {
    private func screens() -> [any Screen] {
        let shell = TerminalScreen { _ in }
        let command = TerminalScreen { _ in }
        var simple = TerminalScreenState()
        simple.form = .simple
        command.show(simple)
        let robots = RobotTab.allCases.map { tab in
            let screen = RobotScreen { _ in }
            var state = RobotScreenState()
            state.tab = tab
            screen.show(state)
            return screen
        }
        let map = MapTrajectoryScreen { _ in }
        var state = MapSamples.planned
        state.route.canRedo = true
        map.show(state)
        return [shell, command, map] + robots
    }

    @Test("each key that a screen names, and an action could have, is refused in the configuration")
    func screenKeys() {
        var seen: [String] = []
        for help in screens().flatMap(\.keys) {
            // F1, Ctrl-C and the like are the same on every screen.
            for word in help.keys.split(separator: " ").map(String.init) where word.count > 1 {
                guard let key = KeyEvent(label: word), (try? KeyBindings.keys(["emergency-landing": word])) != nil
                else { continue }
                seen.append("\(word): \(help.action) (\(key))")
            }
        }
        #expect(seen.filter { !$0.hasPrefix("F8") }.isEmpty, "an action can be given \(seen)")
    }
}
