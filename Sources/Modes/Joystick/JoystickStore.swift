internal import FlightControl

/// What a user has set for steering, from one visit of the screen to the next: it must not change back without a word.
@MainActor
package final class JoystickStore {
    /// The settings when the screen was last left; `nil` before that.
    var settings: JoystickSettings?
    /// The speed limits that were chosen for each vehicle, by its number: a fast one must not make another fast.
    var limits: [Int: SpeedLimits] = [:]

    nonisolated package init() {}
}
