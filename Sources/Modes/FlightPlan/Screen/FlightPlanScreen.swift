package import ModeKit
package import TextScreen
internal import UAVLink

/// The screen of the mode: the states of the drone, the list of the plan, and the plan from above or the table of states.
@MainActor
package final class FlightPlanScreen: FlightPlanView, DialogScreen {
    /// The state, the dialog and the receiver of intents.
    package let head: DialogScreenHead<FlightPlanScreenState, FlightPlanIntent>

    /// A screen; `send` receives the user's intents.
    package init(send: @escaping (FlightPlanIntent) -> Void) { head = DialogScreenHead(send: send) }

    package var contentKeys: [KeyHelp] { FlightPlanKeys.help(state) }

    /// What keeps a plan from being flown.
    package var contentRefusals: [RefusedKey] {
        guard state.flight?.isUnderWay != true, let obstacle = state.obstacle ?? state.flightObstacle else { return [] }
        return FlightPlanKeys.fly.map { RefusedKey($0, obstacle) }
    }

    /// How the plan or its flight is, the findings, and what leads from which state to which: lines here cut them.
    package var details: [KeyHelp] {
        let words = FlightPlanDrawing(state).second.0
        let isCut = words.cells > (area?.columns ?? .max) - 2
        var details = isCut ? [KeyHelp("plan", words)] : []
        details += state.findings.map { KeyHelp($0.weight == .failure ? "✗" : "!", $0.text) }
        guard let states = state.states else { return details }
        for (index, each) in states.states.enumerated() {
            details.append(KeyHelp(each.name, PlanStatesDrawing(states).arrows(of: index, withEvents: true)))
        }
        return details
    }

    package func sized(_ area: ScreenArea) -> FlightPlanIntent { .resized }

    /// Handles a key; `false` when it has no meaning here.
    package func handle(_ key: KeyEvent) -> Bool {
        guard let intent = FlightPlanKeys.intent(key) else { return false }
        send(intent)
        return true
    }

    /// Handles the mouse: the wheel moves the simulated drone.
    package func handle(_ mouse: MouseEvent) -> Bool {
        let rows = [MouseEvent.Action.wheelUp: -1, .wheelDown: 1][mouse.action]
        if let rows { send(.move(rows)) }
        return rows != nil
    }

    // MARK: Drawing

    /// Draws the content.
    package func drawContent(on canvas: inout Canvas, in area: ScreenArea) {
        let layout = FlightPlanLayout(area, state)
        FlightPlanDrawing(state).drawHead(on: &canvas, in: layout.head)
        if let obstacle = state.obstacle {
            canvas.writeParagraph(obstacle, in: layout.body.inset(left: 1, right: 1), .tone(.warning))
            return
        }
        let drawing = FlightPlanDrawing(state)
        drawing.drawList(on: &canvas, in: layout.list)
        if let findings = layout.findings { drawing.drawFindings(on: &canvas, in: findings) }
        if let map = layout.map {
            let isFlown = state.flight?.isUnderWay == true
            let inside = canvas.box(map, title: "From above, \(isFlown ? "as planned" : "not flown")")
            PlanTopView(state).draw(on: &canvas, in: inside)
        }
        if let place = layout.states, let states = state.states {
            let inside = canvas.box(place, title: "States of the drone")
            PlanStatesDrawing(states).draw(on: &canvas, in: inside)
        }
        drawing.drawFoot(on: &canvas, in: layout.foot, withFinding: layout.findings == nil)
    }
}
