internal import UAVLink

/// The vehicle's capabilities, as a part of an extras frame.
///
/// Unknown bits of its sets belong to later versions, and are ignored.
extension VehicleCapabilities {
    /// The bit beside the commands that says that an emergency landing stops the motors; an older ground ignores it.
    private static let stopsMotors: UInt32 = 1 << 31
    /// The one that says that a take-off clears an emergency.
    private static let takeOffClears: UInt32 = 1 << 30
    /// The one that says that the axes of its velocity are its own.
    private static let ownAxes: UInt32 = 1 << 29
    /// The one that says that its nodes are of ROS 2.
    private static let ros2: UInt32 = 1 << 28
    /// Bytes of the encoded value besides the machine's name.
    private static let fixedBytes = 2 + 4 + 4 + 24 + 2 + 1 + 4

    /// Bytes of the encoded value.
    var encodedSize: Int { Self.fixedBytes + WireWriter.cut(machine, limit: Self.longestMachine) }

    /// Writes it; runs on the steering thread, and allocates nothing.
    func write(_ writer: inout WireWriter) {
        writer.put(text: machine, limit: Self.longestMachine)
        writer.put(
            commands.rawValue | (emergencyStopsMotors ? Self.stopsMotors : 0)
                | (takeOffClearsEmergency ? Self.takeOffClears : 0)
                | (hasOwnVelocityAxes ? Self.ownAxes : 0) | (isROS2 ? Self.ros2 : 0))
        writer.put(destinations.rawValue)
        writer.put(steering?.axes.rawValue ?? 0)
        writer.put(steering?.frames.rawValue ?? 0)
        writer.put(steering?.unit.rawValue ?? 0)
        let most = steering?.most
        writer.put(most?.horizontalMetresPerSecond ?? 0)
        writer.put(most?.verticalMetresPerSecond ?? 0)
        writer.put(most?.turningRadiansPerSecond ?? 0)
        writer.put(telemetry.rawValue)
        writer.put(survey.rawValue)
        writer.put(UInt32(clamping: mostTrajectoryPoints))
    }

    /// Reads what ``write(_:)`` wrote.
    init(_ reader: inout WireReader) throws(WireError) {
        let machine = try reader.text(limit: Self.longestMachine)
        guard !machine.isEmpty else { throw .invalid }
        let bits = try reader.integer(UInt32.self)
        let commands = CommandKinds(rawValue: bits).intersection(.all)
        let destinations = Destinations(rawValue: try reader.integer()).intersection(.all)
        let steering = try Steering.read(&reader)
        let telemetry = TelemetryParts(rawValue: try reader.integer()).intersection(.all)
        let survey = SurveyParts(rawValue: try reader.integer()).intersection(.all)
        self.init(
            machine: machine, commands: commands, destinations: destinations, steering: steering, telemetry: telemetry,
            survey: survey, mostTrajectoryPoints: Int(try reader.integer(UInt32.self)))
        isROS2 = bits & Self.ros2 != 0
        emergencyStopsMotors = bits & Self.stopsMotors != 0 && commands.contains(.emergencyLand)
        hasOwnVelocityAxes = bits & Self.ownAxes != 0 && telemetry.contains(.velocity)
        takeOffClearsEmergency = bits & Self.takeOffClears != 0 && commands.contains(.takeoff)
    }
}

extension VehicleCapabilities.Steering {
    /// Reads it; `nil` without axes.
    fileprivate static func read(_ reader: inout WireReader) throws(WireError) -> Self? {
        let axes = Axes(rawValue: try reader.integer()).intersection(.all)
        let frames = Frames(rawValue: try reader.integer()).intersection(.all)
        guard let unit = Unit(rawValue: try reader.integer()) else { throw .invalid }
        let speeds = Speeds(
            horizontalMetresPerSecond: try speed(&reader), verticalMetresPerSecond: try speed(&reader),
            turningRadiansPerSecond: try speed(&reader))
        guard !axes.isEmpty else { return nil }
        guard !frames.isEmpty else { throw .invalid }
        let isUnknown =
            speeds.horizontalMetresPerSecond == 0 && speeds.verticalMetresPerSecond == 0
            && speeds.turningRadiansPerSecond == 0
        // Without full speeds a velocity cannot be turned into a deflection.
        guard !(isUnknown && unit == .deflection) else { throw .invalid }
        return Self(axes: axes, frames: frames, unit: unit, most: isUnknown ? nil : speeds)
    }

    private static func speed(_ reader: inout WireReader) throws(WireError) -> Double {
        let speed = try reader.finite()
        guard (0...TelemetryBounds.metresPerSecond).contains(speed) else { throw .invalid }
        return speed
    }
}
