import Testing
import UAVLink

@testable import Tello

/// The six states, and every arrow between them.
@Suite("Tello states") struct TelloModeTests {
    private typealias Mode = TelloMode

    /// Every arrow; what is not here leads nowhere.
    private static let arrows: [(from: TelloMode, event: TelloMode.Event, to: TelloMode)] = [
        (.disconnected, .joined, .wifiUp), (.disconnected, .planOpened, .planning),
        (.wifiUp, .confirmed, .command), (.wifiUp, .lost, .disconnected),
        (.command, .tookOff, .manual), (.command, .planOpened, .planning), (.command, .planStarted, .autoPilot),
        (.command, .lost, .disconnected),
        (.planning, .planClosed, .command), (.planning, .tookOff, .manual), (.planning, .lost, .planning),
        (.manual, .landed, .command), (.manual, .planStarted, .autoPilot), (.manual, .lost, .disconnected),
        (.autoPilot, .planEnded, .manual), (.autoPilot, .landed, .command), (.autoPilot, .lost, .disconnected),
    ]

    @Test(arguments: TelloMode.allCases, TelloMode.Event.allCases)
    func `each event leads where the table says, or nowhere`(_ mode: TelloMode, _ event: TelloMode.Event) {
        let expected = Self.arrows.first { $0.from == mode && $0.event == event }?.to
        #expect(mode.after(event) == expected)
    }

    @Test func `a disconnected drone is left for its Wi-Fi and for planning only`() {
        let next = Set(TelloMode.Event.allCases.compactMap { TelloMode.disconnected.after($0) })
        #expect(next == [.wifiUp, .planning])
    }

    @Test func `only a drone that stands and takes commands takes off`() {
        #expect(TelloMode.allCases.filter { $0.takeOffObstacle == nil } == [.command])
    }

    @Test(arguments: TelloMode.allCases)
    func `the table that a screen shows is this one`(_ mode: TelloMode) {
        let shown = PilotStates(mode)
        #expect(shown.states.count == 6 && shown.present.name == mode.title)
        for (state, each) in zip(TelloMode.allCases, shown.states) {
            let expected = Self.arrows.filter { $0.from == state }.map { [$0.event.words, $0.to.title] }
            #expect(Set(each.arrows.map { [$0.event, shown.states[$0.next].name] }) == Set(expected))
        }
        #expect(shown.takeOffObstacle == mode.takeOffObstacle && shown.isPlanning == (mode == .planning))
        #expect(shown.allowsPlanning == (mode == .command || mode == .disconnected))
        // Planning is not left when the drone is lost.
        #expect(!shown.next.contains(mode.title))
    }

    @Test func `a table whose arrows lead out of it is none`() {
        let lost = PilotStates.State(name: "a", meaning: "", arrows: [.init(event: "x", next: 1)])
        #expect(PilotStates([lost], current: 0) == nil && PilotStates([], current: 0) == nil)
        #expect(PilotStates(one: "a").next.isEmpty)
    }
}
