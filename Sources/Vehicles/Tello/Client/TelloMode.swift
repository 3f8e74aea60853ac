/// The six states in which a Tello is for whoever flies it, and what leads from one to another.
///
/// ```
///              joined           confirmed          tookOff             planStarted
///   Disconnected ───▶ WiFiUp ───────────▶ Command ───────▶ Manual ◀────────────────▶ AutoPilot
///        ▲ │                              │ ▲  ▲              │       planEnded          │
///   lost │ │ planOpened        planOpened │ │  ╰── landed ────┴────────────────────────╯
///        │ ▼                              ▼ │ planClosed
///        ╰──────────── Planning ───────────╯          lost leads from everywhere to Disconnected, but not from Planning,
///                                                     and tookOff from Planning to Manual
/// ```
///
/// The names, and that Disconnected is left for WiFiUp and Planning only, are those of an article on such a program ("Tello
/// Drone, Swift and State Machines", 2019); its diagram is lost, so the other arrows are chosen here.
package enum TelloMode: String, Hashable, Sendable, CaseIterable {
    /// Nothing can be sent to the drone, or nothing is heard of it.
    case disconnected
    /// The network leads to it, but it has not confirmed `command` yet.
    case wifiUp
    /// It takes commands, and stands.
    case command
    /// A flight plan is edited; nothing is flown.
    case planning
    /// It flies by the user's commands and sticks.
    case manual
    /// It flies a plan.
    case autoPilot

    /// What leads from one state to another.
    package enum Event: String, Hashable, Sendable, CaseIterable {
        /// The network leads to the drone.
        case joined
        /// Nothing is heard of it any more.
        case lost
        /// It has answered `command`.
        case confirmed
        /// It is in the air.
        case tookOff
        /// It stands, with its motors off.
        case landed
        /// A plan is edited.
        case planOpened
        /// A plan is not edited any more, while the drone takes commands.
        case planClosed
        /// A plan is flown.
        case planStarted
        /// A plan was flown to its end, or stopped.
        case planEnded
    }

    /// The state after an event, by the table; `nil` if the event means nothing in this one.
    package func after(_ event: Event) -> TelloMode? {
        Self.table[self]?.first { $0.event == event }?.next
    }

    /// An arrow of the table.
    package typealias Arrow = (event: Event, next: TelloMode)

    /// What leads from each state to which others.
    package static let table: [TelloMode: [Arrow]] = [
        .disconnected: [(.joined, .wifiUp), (.planOpened, .planning)],
        .wifiUp: [(.confirmed, .command), (.lost, .disconnected)],
        .command: [
            (.tookOff, .manual), (.planOpened, .planning), (.planStarted, .autoPilot), (.lost, .disconnected),
        ],
        // A plan is edited with a drone or without; one that flies nevertheless, whoever flies it, is not left out of sight.
        .planning: [(.planClosed, .command), (.tookOff, .manual), (.lost, .planning)],
        .manual: [(.landed, .command), (.planStarted, .autoPilot), (.lost, .disconnected)],
        .autoPilot: [(.planEnded, .manual), (.landed, .command), (.lost, .disconnected)],
    ]

    /// What a take-off is refused with in this state; `nil` if it is sent.
    package var takeOffObstacle: String? {
        switch self {
        case .disconnected: "the Tello is not heard: join its Wi-Fi"
        case .wifiUp: "the Tello has not confirmed 'command' yet"
        case .command: nil
        case .planning: "a flight plan is edited"
        case .manual, .autoPilot: "the Tello is in the air"
        }
    }
}
