package import UAVLink
internal import Trajectories
internal import YAML

/// The flight stack's trajectory files: a line `x, y, z, heading` for each sample, and a YAML file with the frame, the time
/// between samples and whether to loop, to use the headings and to fly at once.
package enum TrajectoryFile {
    /// Reads a trajectory from the two files.
    ///
    /// - Throws: ``RouteFileError`` that names the file, the line, what was found and what was expected.
    package static func read(
        _ bytes: [UInt8], name: String, settings: [UInt8], settingsName: String
    ) throws(RouteFileError) -> Trajectory {
        var trajectory: Trajectory
        let offset: [Double]
        do throws(YAMLError) {
            (trajectory, offset) = try Self.settings(settings)
        } catch { throw RouteFileError(error.from(settingsName).description) }
        let route = try TableReader.read(bytes, source: name, limit: Trajectory.maximumPoints).route
        guard !route.points.isEmpty else { throw RouteFileError("\(name.sanitizedLine): the file has no samples") }
        for (index, point) in route.points.enumerated() {
            guard case .local(let x, let y, _) = point.place, let z = point.altitude?.metres,
                case .fixed(let heading) = point.heading
            else {
                throw RouteFileError("\(name.sanitizedLine): sample \(index + 1) is not x, y, z and heading")
            }
            trajectory.points.append(
                .init(
                    position: Vector3(x: x + offset[0], y: y + offset[1], z: z + offset[2]),
                    headingRadians: heading + offset[3]))
        }
        return trajectory
    }

    /// The name of the YAML file beside a file of samples: `flight.yaml` of `flight.txt`; `nil` for another format's name.
    package static func settingsName(of name: String) -> String? {
        guard RouteFormat.named(name) == .mrs, let dot = name.lastIndex(of: ".") else { return nil }
        return String(name[..<dot]) + ".yaml"
    }

    private static func settings(_ bytes: [UInt8]) throws(YAMLError) -> (Trajectory, [Double]) {
        let top = try YAMLReader.document(bytes, limits: YAMLLimits(bytes: 1 << 20, depth: 16, nodes: 10_000))
        let root = top.find("trajectory") ?? top
        let step = try root.value("dt")
        guard try step.finiteDouble >= 0.01 else {
            throw step.unexpected("a time between samples of at least 0.01 s")
        }
        var frame = FrameName.current
        if let named = root.find("frame_id"), !named.isNull {
            frame = FrameName(try named.string)
            guard frame.isValid else { throw named.unexpected("a frame such as local_origin") }
        }
        var offset = [0.0, 0, 0, 0]
        if let given = root.find("offset") {
            let numbers = try given.sequence
            guard numbers.count == 4 else { throw given.unexpected("x, y, z and heading") }
            for index in offset.indices { offset[index] = try numbers[index].finiteDouble }
        }
        func flag(_ key: String) throws(YAMLError) -> Bool {
            guard let node = root.find(key) else { return false }
            return try node.bool
        }
        let trajectory = Trajectory(
            frame: frame, points: [], timeStepSeconds: try step.finiteDouble, usesHeading: try flag("use_heading"),
            fliesNow: try flag("fly_now"), loops: try flag("loop"))
        return (trajectory, offset)
    }

    /// Writes the two files of a trajectory.
    package static func write(_ trajectory: Trajectory) -> (samples: [UInt8], settings: [UInt8]) {
        var lines = ""
        for point in trajectory.points {
            lines += line(point.position, point.headingRadians)
        }
        let settings = """
            trajectory:
              frame_id: "\(trajectory.frame.name)"
              dt: \(trajectory.timeStepSeconds)
              use_heading: \(trajectory.usesHeading)
              fly_now: \(trajectory.fliesNow)
              loop: \(trajectory.loops)
              offset: [0.0, 0.0, 0.0, 0.0]

            """
        return (Array(lines.utf8), Array(settings.utf8))
    }

    /// Writes the points of a route as samples, without the YAML file.
    static func write(_ route: Route) throws(RouteFileError) -> WrittenRoute {
        var lines = ""
        var frames: Set<FrameName> = []
        for (index, point) in route.points.enumerated() {
            try GeographicOnly.finite(point, number: index + 1)
            guard case .local(let x, let y, let frame) = point.place, let altitude = point.altitude,
                altitude.reference == .frame(frame), case .fixed(let heading) = point.heading
            else {
                throw RouteFileError(
                    "point \(index + 1): the trajectory format needs x, y and z in metres of one frame, and a heading")
            }
            frames.insert(frame)
            lines += line(Vector3(x: x, y: y, z: altitude.metres), heading)
        }
        guard frames.count <= 1 else {
            throw RouteFileError("the points are in \(frames.count) frames, expected one")
        }
        var notes: [String] = []
        if let frame = frames.first {
            notes.append("the file does not contain its frame: set frame_id '\(frame.name)' in the YAML file")
        }
        if route.points.contains(where: { $0.holdSeconds > 0 || $0.cameraPitchRadians != nil || $0.takesSnapshot }) {
            notes.append("holds, the camera and snapshots are left out")
        }
        return WrittenRoute(bytes: Array(lines.utf8), notes: notes)
    }

    private static func line(_ position: Vector3, _ heading: Double) -> String {
        [position.x, position.y, position.z, heading].map(PlainNumber.text).joined(separator: ", ") + "\n"
    }
}
