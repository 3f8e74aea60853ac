public import UAVLink

/// The screen of a module that may be steering right now.
///
/// Whoever sends a command past the module (the keys that work everywhere: hover, emergency landing) tells it first, so
/// that no setpoint follows the command and moves the vehicle again.
public protocol SteeringView: ModuleView {
    /// Ends steering because of a command that comes from elsewhere; control is taken anew by a person only.
    func makeWay(for command: Command)
}
