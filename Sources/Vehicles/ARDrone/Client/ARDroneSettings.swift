/// The configuration that is set when the drone is opened.
package enum ARDroneSettings {
    /// Tilt of a full deflection, radians: the drone's own for indoors.
    package static let tilt = 0.2094
    /// Climb of a full deflection, millimetres per second: the drone's own for indoors.
    package static let climb = 700
    /// Turn of a full deflection, radians per second: the drone's own for indoors, 100 degrees.
    package static let turn = 1.745
    /// The options with satellite navigation (bit 27), as the vendor's program asks for them.
    static let options = 777_060_865

    /// What is set. In the air the limits stay what they are: a pilot who takes over would not expect that.
    package static func wanted(inFlight: Bool) -> [ARDroneConfigurator.Setting] {
        let stream: [ARDroneConfigurator.Setting] = [
            .init("general:navdata_demo", "FALSE"), .init("general:navdata_options", "\(options)"),
        ]
        guard !inFlight else { return stream }
        return stream + [
            .init("control:euler_angle_max", "\(tilt)"), .init("control:control_vz_max", "\(climb)"),
            .init("control:control_yaw", "\(turn)"),
        ]
    }
}
