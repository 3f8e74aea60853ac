import Testing
import UAVLink

@Suite struct `Commands are checked before they leave` {
    static let notFinite = [Double.nan, .infinity, -.infinity, .signalingNaN]

    private func code(_ command: Command) -> LinkError.Code? {
        do throws(LinkError) {
            try command.validate()
            return nil
        } catch {
            return error.code
        }
    }

    private func goTo(_ x: Double, _ y: Double, _ z: Double, _ heading: Double, in frame: FrameName) -> Command {
        .goTo(.init(.frame(frame), position: Vector3(x: x, y: y, z: z), headingRadians: heading))
    }

    @Test(arguments: notFinite)
    func `a number that is not finite is refused wherever it stands`(bad: Double) {
        let frames: [Command.Destination.Reference] = [.frame(.current), .relative, .body]
        for reference in frames {
            for place in 0..<4 {
                let n = (0..<4).map { $0 == place ? bad : 1 }
                let destination = Command.Destination(
                    reference, position: Vector3(x: n[0], y: n[1], z: n[2]), headingRadians: n[3])
                #expect(code(.goTo(destination)) == .invalidInput)
            }
        }
        #expect(code(.altitude(metres: bad)) == .invalidInput)
        #expect(code(.heading(radians: bad)) == .invalidInput)
        #expect(code(.turn(byRadians: bad)) == .invalidInput)
    }

    @Test func `the error names the value`() {
        let error = #expect(throws: LinkError.self) { try goTo(1, .nan, 3, 0, in: .current).validate() }
        #expect(error?.description == "y is nan, which is not a finite number")
    }

    @Test(arguments: [
        (90.0, 180.0, true), (-90, -180, true), (90.000001, 0, false), (-90.000001, 0, false), (0, 180.000001, false),
        (0, -180.000001, false),
    ])
    func `degrees are bounded to the last one`(latitude: Double, longitude: Double, isGood: Bool) {
        #expect((code(goTo(latitude, longitude, 300, 0, in: .latitudeLongitude)) == nil) == isGood)
        #expect(code(goTo(latitude, longitude, 300, 0, in: .utm)) == nil)
    }

    @Test(arguments: [(360.0, true), (-360, true), (360.1, false), (-361, false), (1e30, false), (-1e30, false)])
    func `a heading is at most one turn`(degrees: Double, isGood: Bool) {
        let radians = Heading.radians(degrees: degrees)
        let commands: [Command] = [
            .heading(radians: radians), .turn(byRadians: radians), goTo(1, 2, 3, radians, in: .current),
        ]
        for command in commands { #expect((code(command) == nil) == isGood, "\(command)") }
    }

    @Test func `of a frame's name that is far too long the beginning is shown`() {
        let long = goTo(0, 0, 0, 0, in: FrameName(String(repeating: "x", count: 5000)))
        let error = #expect(throws: LinkError.self) { try long.validate() }
        #expect(error.map { $0.what.utf8.count < 200 } == true)
    }

    @Test(arguments: [(361.0, "361.0"), (-360.5, "-360.5"), (1e30, "1e+30")])
    func `a heading that is refused is named as it was given`(degrees: Double, expected: String) {
        let error = #expect(throws: LinkError.self) {
            try Command.heading(radians: Heading.radians(degrees: degrees)).validate()
        }
        #expect(error?.what.hasPrefix("heading \(expected)") == true, "\(error?.what ?? "accepted")")
    }

    @Test func `a frame's name is letters, digits, _ and slash, at most 128 bytes`() {
        for good in ["", "world_origin", "uav1/gps_garmin_origin", "A0_/", String(repeating: "a", count: 128)] {
            #expect(FrameName(good).isValid, "\(good)")
            #expect(code(goTo(0, 0, 1, 0, in: FrameName(good))) == nil)
        }
        for bad in ["a b", "a\n", "a;b", "é", "a-b", "\u{0}", "$(a)", String(repeating: "a", count: 129)] {
            #expect(code(goTo(0, 0, 1, 0, in: FrameName(bad))) == .invalidInput, "\(bad)")
        }
    }

    @Test func `commands without numbers are fine, and those that stop motion are known`() {
        let plain: [Command] = [
            .arm(true), .arm(false), .enableOutput(true), .offboard, .takeoff, .land, .landHome, .hover,
            .emergencyHover, .emergencyLand, .goToTrajectoryStart, .startTrajectory, .stopTrajectory,
            .resumeTrajectory, .snapshot(service: "camera/snapshot"),
        ]
        for command in plain { #expect(code(command) == nil) }
        #expect(plain.filter(\.stopsMotion) == [.hover, .emergencyHover, .emergencyLand, .stopTrajectory])
        #expect(plain.filter(\.stopsOrLands) == [.land, .hover, .emergencyHover, .emergencyLand, .stopTrajectory])
        #expect(Set(plain.map(\.name)).count == plain.count)
    }
}

@Suite struct `Trajectories are checked before they leave` {
    private func trajectory(
        _ points: [Trajectory.Point] = [.init(position: .zero, headingRadians: 0)], step: Double = 0.2,
        frame: FrameName = .current
    ) -> Trajectory {
        Trajectory(frame: frame, points: points, timeStepSeconds: step)
    }

    @Test(arguments: [0, -0.2, .nan, .infinity, -.infinity])
    func `the time step is positive: the vehicle would take 0 for 0_2 s`(step: Double) {
        #expect(throws: LinkError.self) { try trajectory(step: step).validate() }
    }

    @Test func `there is at least one point and at most a million`() throws {
        #expect(throws: LinkError.self) { try trajectory([]).validate() }
        let point = Trajectory.Point(position: .zero, headingRadians: 0)
        var many = Array(repeating: point, count: Trajectory.maximumPoints)
        try trajectory(many).validate()
        many.append(point)
        #expect(throws: LinkError.self) { try trajectory(many).validate() }
    }

    @Test func `a bad point is named`() throws {
        try trajectory().validate()
        var points = [Trajectory.Point](repeating: .init(position: .zero, headingRadians: 0), count: 9)
        points[7].headingRadians = .nan
        let error = #expect(throws: LinkError.self) { try Command.uploadTrajectory(trajectory(points)).validate() }
        #expect(error?.what.contains("point 7") == true)
        #expect(throws: LinkError.self) { try trajectory(frame: FrameName("no good")).validate() }
    }
}

@Suite struct `Setpoints are checked before they leave` {
    private func setpoint(
        _ velocity: Vector3 = .zero, rate: Double = 0, validFor: Duration = .milliseconds(200)
    ) -> VelocitySetpoint {
        VelocitySetpoint(
            velocityMetresPerSecond: velocity, headingRateRadiansPerSecond: rate,
            intendedAt: MonotonicTime(nanoseconds: 1), validFor: validFor)
    }

    @Test(arguments: `Commands are checked before they leave`.notFinite)
    func `a number that is not finite is refused wherever it stands`(bad: Double) throws {
        try setpoint().validate()
        let velocities = [Vector3(x: bad, y: 0, z: 0), Vector3(x: 0, y: bad, z: 0), Vector3(x: 0, y: 0, z: bad)]
        for velocity in velocities {
            #expect(throws: LinkError.self) { try setpoint(velocity).validate() }
        }
        #expect(throws: LinkError.self) { try setpoint(rate: bad).validate() }
    }

    @Test func `a setpoint is good for more than nothing and at most half a second`() throws {
        try setpoint(validFor: .nanoseconds(1)).validate()
        try setpoint(validFor: .milliseconds(500)).validate()
        for bad in [Duration.zero, .milliseconds(-1), .milliseconds(500) + .nanoseconds(1), .seconds(1e9)] {
            #expect(throws: LinkError.self) { try setpoint(validFor: bad).validate() }
        }
    }
}
