package import UAVLink

/// A command as name and numbers, the form used in a recording, and the conversion back.
package struct CommandFields: Hashable, Sendable {
    /// The command's name on the command line.
    package var name: String
    /// `frame:` with a frame's name, `relative`, `body`, or a service's name.
    package var reference: String
    /// The numbers.
    package var values: [Double]

    package init(name: String, reference: String = "", values: [Double] = []) {
        self.name = name
        self.reference = reference
        self.values = values
    }

    /// The fields of a command.
    package init(_ command: Command) {
        self.init(name: command.name)
        switch command {
        case .goTo(let destination):
            let place = destination.position
            values = [place.x, place.y, place.z, destination.headingRadians]
            switch destination.reference {
            case .relative: reference = Self.relative
            case .body: reference = Self.body
            case .frame(let frame): reference = "frame:" + frame.name
            }
        case .altitude(let metres): values = [metres]
        case .heading(let radians): values = [radians]
        case .turn(let radians): values = [radians]
        case .snapshot(let service): reference = service
        case .uploadTrajectory(let trajectory):
            reference = "frame:" + trajectory.frame.name
            values = [
                trajectory.timeStepSeconds, trajectory.usesHeading ? 1 : 0, trajectory.fliesNow ? 1 : 0,
                trajectory.loops ? 1 : 0,
            ]
            values.reserveCapacity(4 + 4 * trajectory.points.count)
            for point in trajectory.points {
                values += [point.position.x, point.position.y, point.position.z, point.headingRadians]
            }
        case .arm, .enableOutput, .offboard, .takeoff, .land, .landHome, .hover, .emergencyHover, .emergencyLand,
            .goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory:
            break
        }
    }

    private static let relative = "relative"
    private static let body = "body"
    private static let plain: [Command] = [
        .arm(true), .arm(false), .enableOutput(true), .enableOutput(false), .offboard, .takeoff, .land, .landHome,
        .hover, .emergencyHover, .emergencyLand, .goToTrajectoryStart, .startTrajectory, .stopTrajectory,
        .resumeTrajectory,
    ]

    /// The command; `nil` if the fields are not those of a valid command.
    package var command: Command? {
        guard let command = unchecked else { return nil }
        do { try command.validate() } catch { return nil }
        return command
    }

    private var unchecked: Command? {
        if let plain = Self.plain.first(where: { $0.name == name }) { return values.isEmpty ? plain : nil }
        switch (name, values.count) {
        case ("altitude", 1): return .altitude(metres: values[0])
        case ("heading", 1): return .heading(radians: values[0])
        case ("heading --relative", 1): return .turn(byRadians: values[0])
        case ("snapshot", 0): return .snapshot(service: reference)
        case ("goto", 4):
            guard let meant = destinationReference else { return nil }
            return .goTo(
                .init(meant, position: Vector3(x: values[0], y: values[1], z: values[2]), headingRadians: values[3]))
        case ("trajectory send", 8...): return trajectory.map(Command.uploadTrajectory)
        default: return nil
        }
    }

    private var frame: FrameName? {
        reference.hasPrefix("frame:") ? FrameName(String(reference.dropFirst(6))) : nil
    }

    private var destinationReference: Command.Destination.Reference? {
        switch reference {
        case Self.relative: .relative
        case Self.body: .body
        default: frame.map { .frame($0) }
        }
    }

    private var trajectory: Trajectory? {
        guard let frame, (values.count - 4).isMultiple(of: 4), values.count / 4 - 1 <= Trajectory.maximumPoints else {
            return nil
        }
        let points = stride(from: 4, to: values.count, by: 4).map { index in
            Trajectory.Point(
                position: Vector3(x: values[index], y: values[index + 1], z: values[index + 2]),
                headingRadians: values[index + 3])
        }
        return Trajectory(
            frame: frame, points: points, timeStepSeconds: values[0], usesHeading: values[1] != 0,
            fliesNow: values[2] != 0, loops: values[3] != 0)
    }
}
