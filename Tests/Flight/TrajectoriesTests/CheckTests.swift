import FlightVolume
import Foundation
import Geodesy
import Testing
import Trajectories
import UAVLink

@Suite("What is checked before anything is sent")
struct CheckTests {
    private func generate(_ points: [Vector3]) throws -> GeneratedTrajectory {
        try TrajectoryGenerator(limits: .medium).trajectory(through: points.map { PlannedPoint(position: $0) })
    }

    private func at(_ x: Double, _ y: Double, _ z: Double = 5) -> Vector3 { Vector3(x: x, y: y, z: z) }

    private var full: BatteryModel { BatteryModel(remaining: 1, enduranceSeconds: 900) }

    /// A square of 40 m with a notch from the north in its middle, 4 m wide, down to the centre.
    private var notched: FlyableVolume {
        FlyableVolume(
            corners: [
                SIMD2(-20, -20), SIMD2(20, -20), SIMD2(20, 20), SIMD2(2, 20), SIMD2(2, 0), SIMD2(-2, 0), SIMD2(-2, 20),
                SIMD2(-20, 20),
            ], minimumZMetres: 1, maximumZMetres: 15)
    }

    private func findings(_ check: TrajectoryCheck, _ points: [Vector3]) throws -> [TrajectoryFinding] {
        check.report(on: try generate(points)).findings
    }

    @Test("A clean flight has no findings")
    func clean() throws {
        let check = TrajectoryCheck(
            limits: .medium, volume: notched, altitudes: 1...15, maximumDistanceMetres: 100,
            vehiclePosition: at(-12, -10), maximumLengthMetres: 100, maximumDurationSeconds: 60, battery: full)
        let report = check.report(on: try generate([at(-10, -10), at(10, -10), at(10, 10)]))
        #expect(report.findings == [])
        #expect(report.isOK)
        #expect((report.lengthMetres - 40).magnitude < 1)
        #expect(report.maximumSpacingMetres <= 0.08)
        #expect(report.batteryNeeded.map { ($0 - report.durationSeconds / 900).magnitude < 1e-12 } == true)
    }

    @Test("Both points lie inside, the way between them does not")
    func notch() throws {
        let check = TrajectoryCheck(limits: .medium, volume: notched, battery: full)
        let found = try findings(check, [at(-10, -10), at(-10, 10), at(10, 10)])
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.kind == .safetyArea)
        #expect(finding.pointIndex == 1)
        #expect(finding.text.hasPrefix("between point 2 and point 3, at (-2, 10, 5) m: it leaves the safety area"))
        #expect(finding.position.map { ($0.x + 2).magnitude < 1e-6 } == true)
    }

    @Test("A circle has no corners that could be named")
    func round() throws {
        let corners = (0..<72).map { step -> SIMD2<Double> in
            let angle = Double(step) / 72 * 2 * .pi
            return SIMD2(20 * cos(angle), 20 * sin(angle))
        }
        let circle = FlyableVolume(corners: corners, minimumZMetres: 0, maximumZMetres: 20)
        let check = TrajectoryCheck(limits: .medium, volume: circle, battery: full)
        let texts = try findings(check, [at(-10, -10), at(30, 0)]).map(\.text)
        #expect(texts.contains { $0.contains("it leaves the safety area") }, "\(texts)")
        #expect(!texts.contains { $0.contains("corner") }, "\(texts)")
    }

    @Test("A path below the ground fails")
    func belowGround() throws {
        var check = TrajectoryCheck(limits: .medium, volume: nil, vehiclePosition: at(0, 0, 0), battery: full)
        func failures(_ points: [Vector3]) throws -> [String] {
            try findings(check, points).filter { $0.weight == .failure }.map(\.text)
        }
        #expect(try failures([at(0, 0, -1), at(5, 0, -1)]) == [])
        check.vehicleGroundZMetres = 0
        let found = try failures([at(0, 0, -1), at(5, 0, -1)])
        #expect(
            found.first?.hasPrefix("point 1, at (0, 0, -1) m: it is 1 m below the ground under the vehicle") == true)
        // How its z is given depends on where this is shown.
        #expect(found.first?.hasSuffix("give its z") == true)
        let remedies = try findings(check, [at(0, 0, -1), at(5, 0, -1)]).filter { $0.weight == .failure }.map(\.remedy)
        #expect(remedies.first == .giveGround)
        #expect(try failures([at(0, 0, 5), at(12, 0, -330)]).isEmpty == false)
        // Terrain falls, and a height that the user gave is that of the whole field.
        #expect(try failures([at(20, 0, -3), at(30, 0, -3)]) == [])
        check.groundZMetres = -10
        #expect(try failures([at(0, 0, -9), at(5, 0, -9)]) == [])
        check.groundZMetres = 0
        #expect(try failures([at(20, 0, -3), at(30, 0, -3)]).count == 1)
    }

    @Test("A path far below all that is known is doubted, as a distance is")
    func doubtedDepth() throws {
        var check = TrajectoryCheck(limits: .medium, battery: full)
        func doubts(_ z: Double) throws -> [String] {
            let report = check.report(on: try generate([at(0, 0, z), at(5, 0, z)]))
            let warnings = report.findings.filter { $0.kind == .altitude && $0.weight == .warning }
            let missing = report.missingChecks.filter { $0.kind == .altitude }.map(\.text)
            #expect(report.isOK && warnings.count == missing.count, "\(report)")
            #expect(warnings.allSatisfy { $0.text.hasSuffix("is the reference of the heights right?") })
            return missing
        }
        #expect(try doubts(-335) == ["height implausible (335 m below the origin of world_origin)"])
        #expect(try doubts(-99).isEmpty)
        check.vehiclePosition = at(0, 0, 20)
        #expect(try doubts(-99) == ["height implausible (119 m below the vehicle)"])
        // In a valley below the origin.
        check.vehiclePosition = at(0, 0, -330)
        #expect(try doubts(-335).isEmpty)
        // Its heights decide, or the ground does.
        check.vehiclePosition = nil
        check.groundZMetres = -340
        #expect(try doubts(-335).isEmpty)
        (check.groundZMetres, check.altitudes) = (nil, -400 ... -300)
        #expect(try doubts(-335).isEmpty)
    }

    private var guarded: FlyableVolume {
        var volume = notched
        volume.obstacles = [
            .init(name: "pond", shape: .circle(centre: [10, -10], radiusMetres: 2)),
            .init(name: "shed", shape: .polygon([[-12, 8], [-8, 8], [-8, 12], [-12, 12]]), maximumZMetres: 3),
        ]
        volume.obstacleMarginMetres = 0.5
        return volume
    }

    @Test("A path through an obstacle of the world fails, at its margin; one above it passes")
    func obstacle() throws {
        let check = TrajectoryCheck(limits: .medium, volume: guarded, battery: full)
        let found = try findings(check, [at(-10, -10), at(18, -10)])
        #expect(found.map(\.kind) == [.obstacle])
        let finding = try #require(found.first)
        #expect(finding.weight == .failure && finding.pointIndex == 0)
        #expect(finding.text.hasSuffix("it comes within 0.5 m of the obstacle 'pond'"), "\(finding.text)")
        #expect(finding.position.map { ($0.x - 7.5).magnitude < 0.02 } == true)
        #expect(try findings(check, [at(-10, -10), at(-10, 15)]) == [], "over the shed")
        #expect(try findings(check, [at(-10, -10, 3), at(-10, 15, 3)]).map(\.kind) == [.obstacle])
        var bare = guarded
        bare.obstacleMarginMetres = 0
        let through = try findings(
            TrajectoryCheck(limits: .medium, volume: bare, battery: full), [at(10, -10), at(15, -10), at(10, -10)])
        #expect(through.map(\.text.isEmpty) == [false, false])
        #expect(through.allSatisfy { $0.text.hasSuffix("it comes into the obstacle 'pond'") }, "\(through)")
    }

    @Test("So does the straight line from the vehicle to the first point, also from the ground")
    func obstacleOnTheWay() throws {
        for z in [0.0, 5] {
            let check = TrajectoryCheck(
                limits: .medium, volume: guarded, vehiclePosition: at(0, -10, z), battery: full)
            let found = try findings(check, [at(18, -10), at(18, -15)])
            #expect(found.map(\.kind) == [.obstacle])
            #expect(
                found.first?.text.hasPrefix(
                    "the straight line from the vehicle to point 1 comes within 0.5 m of the obstacle 'pond' at (7.5")
                    == true)
        }
    }

    @Test("Every place where it leaves is named, and the height too")
    func leavesTwice() throws {
        let check = TrajectoryCheck(limits: .medium, volume: notched, battery: full)
        let found = try findings(check, [at(-10, -10), at(-30, -10), at(-10, -10), at(-10, -10, 16), at(-10, -10)])
        #expect(found.map(\.kind) == [.safetyArea, .safetyArea])
        #expect(found.last?.text.contains("greatest height of 15 m") == true)
        #expect(try findings(check, [at(-30, 0), at(-10, 0)]).first?.text.contains("outside") == true)
    }

    @Test("The way to the start counts")
    func wayToStart() throws {
        let check = TrajectoryCheck(limits: .medium, volume: notched, vehiclePosition: at(-10, 10), battery: full)
        let found = try findings(check, [at(10, 10), at(10, 0)])
        #expect(found.map(\.kind) == [.safetyArea])
        #expect(found.first?.text.contains("from the vehicle to point 1") == true)
    }

    @Test("Heights, distance, length and time")
    func bounds() throws {
        let check = TrajectoryCheck(
            limits: .medium, volume: notched, altitudes: 2...8, maximumDistanceMetres: 15,
            vehiclePosition: at(-10, -10), maximumLengthMetres: 10, maximumDurationSeconds: 5, battery: full)
        let found = try findings(check, [at(-10, -10), at(-10, 9), at(-10, -10), at(-10, -10, 9), at(-10, -10)])
        #expect(found.map(\.kind) == [.altitude, .distance, .length, .duration])
        #expect(found.first?.pointIndex == 3 || found.first?.pointIndex == 2)
        #expect(found.allSatisfy { $0.weight == .failure })
    }

    @Test("What the vehicle would degrade is found: speed, acceleration, jerk, heading, spacing")
    func motion() throws {
        let fast = try generate([at(-10, -10), at(10, -10), at(10, 10)])
        var slow = MotionLimits.medium
        slow.horizontal = .init(speed: 1, acceleration: 0.5, jerk: 1)
        slow.heading = .init(speed: 0.1, acceleration: 0.1, jerk: 0.1)
        let check = TrajectoryCheck(limits: slow, volume: notched, spacingMetres: 0.01, battery: full)
        let report = check.report(on: fast)
        #expect(report.findings.filter { $0.kind == .motion }.count == 6)
        #expect(report.findings.filter { $0.kind == .spacing }.count == 1)
        #expect(!report.isOK)
        #expect(report.findings.first?.text.contains("the vehicle's limit is") == true)
    }

    @Test(arguments: [(0.08000000020404679, false), (0.0800008, true), (0.09, true)])
    func `a spacing is compared without the rounding of decimals, and written with as many as tell it apart`(
        spacing: Double, isFound: Bool
    ) {
        let points = (0..<3).map {
            Trajectory.Point(position: at(Double($0) * spacing, 0), headingRadians: 0)
        }
        let trajectory = Trajectory(frame: .worldOrigin, points: points, timeStepSeconds: 0.02)
        let generated = GeneratedTrajectory(
            trajectory: trajectory, pointSamples: [0, 2],
            points: [0, 2].map { PlannedPoint(position: points[$0].position) })
        let report = TrajectoryCheck(limits: .medium, volume: notched, spacingMetres: 0.08, battery: full).report(
            on: generated)
        let found = report.findings.filter { $0.kind == .spacing }
        #expect(found.isEmpty == !isFound)
        for finding in found {
            let number = finding.text.split(separator: " cm apart").first?.split(separator: " ").last ?? ""
            #expect(number.count <= 7, "\(finding.text)")
        }
    }

    @Test("A trajectory that begins in motion is a jump")
    func notAtRest() {
        let points = (0..<100).map {
            Trajectory.Point(position: at(Double($0) * 0.02, 0), headingRadians: 0)
        }
        let trajectory = Trajectory(frame: .worldOrigin, points: points, timeStepSeconds: 0.02)
        #expect(MotionAudit(trajectory, limits: .medium).excesses.contains { $0.quantity == .acceleration })
    }

    @Test("Battery: too little fails, not knowing is said")
    func battery() throws {
        var check = TrajectoryCheck(limits: .medium, volume: notched)
        let way = [at(-10, -10), at(10, -10)]
        #expect(try findings(check, way).map(\.weight) == [.warning])
        check.battery = BatteryModel(remaining: 0.25, enduranceSeconds: 100)
        let found = try findings(check, way)
        #expect(found.map(\.kind) == [.battery])
        #expect(found.first?.weight == .failure)
        check.battery = BatteryModel(remaining: 0.9, enduranceSeconds: 100)
        #expect(try findings(check, way) == [])
        #expect(BatteryModel.endurance(from: 0.9, to: 0.8, overSeconds: 60).map { ($0 - 600).magnitude < 1e-9 } == true)
        #expect(BatteryModel.endurance(from: 0.9, to: 0.9, overSeconds: 60) == nil)
    }
}
