import MRS
import MRSMessages
import ROSMessages
import Testing
import UAVLink

@Suite struct TelemetryAssemblerTests {
    private let quarterTurn = GeometryMsgs.Quaternion(x: 0, y: 0, z: 0.5.squareRoot(), w: 0.5.squareRoot())
    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    private func odometry(x: Double, speed: Double = 0) -> NavMsgs.Odometry {
        var message = NavMsgs.Odometry()
        message.header.frameID = "uav1/gps_garmin_origin"
        message.pose.pose.position.x = x
        message.pose.pose.orientation = quarterTurn
        message.twist.twist.linear.x = speed
        return message
    }

    @Test func `the velocity of odometry is turned into the world`() throws {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(odometry(x: 1, speed: 2), at: at(0))
        let velocity = try #require(assembler.telemetry.velocityMetresPerSecond?.value)
        #expect((velocity - Vector3(x: 0, y: 2, z: 0)).length < 1e-12)
        let pose = try #require(assembler.telemetry.pose)
        #expect(abs(pose.value.headingRadians - .pi / 2) < 1e-12)
        #expect(pose.at == at(0))
    }

    @Test func `the stamps of the last poses are known by when they came, those of another clock are not`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        var message = odometry(x: 1)
        message.header.stamp = ROSTime(seconds: 100, nanoseconds: 0)
        assembler.take(message, at: at(1000))
        #expect(assembler.stamp(ofPoseAt: at(1000)) == nil, "without the wall clock a stamp says nothing")
        assembler.wallMinusClock = 99_000_000_000
        for number in 1...40 as ClosedRange<Int64> {
            message.header.stamp.nanoseconds = UInt32(number) * 10_000_000
            assembler.take(message, at: at(1000 + number * 10 + 3))
        }
        #expect(assembler.stamp(ofPoseAt: at(1403)) == at(1400))
        #expect(assembler.stamp(ofPoseAt: at(1303)) == at(1300))
        #expect(assembler.stamp(ofPoseAt: at(1013)) == nil, "it is too long ago")
        // Of two that are read at one instant, telemetry has the second.
        for nanoseconds: UInt32 in [500_000_000, 510_000_000] {
            message.header.stamp.nanoseconds = nanoseconds
            assembler.take(message, at: at(1520))
        }
        #expect(assembler.stamp(ofPoseAt: at(1520)) == at(1510))
        for stamp in [ROSTime(), ROSTime(seconds: 5)] {
            message.header.stamp = stamp
            assembler.take(message, at: at(1600))
            #expect(assembler.stamp(ofPoseAt: at(1600)) == nil)
        }
    }

    @Test func `the heading is where the nose points, tilt or not`() throws {
        // Heading 0.5, then pitched by 0.4: q = q(z, 0.5) * q(y, 0.4), half angles 0.25 and 0.2.
        var message = odometry(x: 0)
        let (sz, cz, sy, cy) = (0.247403959, 0.968912422, 0.198669331, 0.980066578)
        message.pose.pose.orientation = .init(x: -sz * sy, y: cz * sy, z: sz * cy, w: cz * cy)
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(message, at: at(0))
        #expect(abs((assembler.telemetry.pose?.value.headingRadians ?? 9) - 0.5) < 1e-6)
    }

    @Test func `what is not finite or no rotation is dropped and the last good value stays`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(odometry(x: 1), at: at(0))
        assembler.take(odometry(x: .nan), at: at(10))
        var bad = odometry(x: 2)
        bad.pose.pose.orientation = .init()
        assembler.take(bad, at: at(20))
        assembler.take(heightAboveGround: .init(value: .infinity), at: at(30))
        assembler.take(SensorMsgs.NavSatFix(latitude: .nan), at: at(30))
        var battery = SensorMsgs.BatteryState()
        battery.voltage = .nan
        assembler.take(battery, at: at(30))
        #expect(assembler.telemetry.pose?.value.positionMetres.x == 1)
        #expect(assembler.telemetry.pose?.at == at(0))
        #expect(assembler.telemetry.heightAboveGroundMetres == nil)
        #expect(assembler.telemetry.gnss == nil)
        #expect(assembler.telemetry.battery == nil)
    }

    /// A message of every topic with numbers, all of which are this one.
    private func takeAll(_ number: Double, _ assembler: inout TelemetryAssembler, at now: MonotonicTime) throws {
        var odometry = odometry(x: number, speed: number)
        odometry.pose.pose.position.y = number
        var height = MRSMsgs.Float64Stamped()
        height.value = number
        var fix = SensorMsgs.NavSatFix(latitude: number, longitude: number)
        fix.altitude = number
        var battery = SensorMsgs.BatteryState()
        (battery.voltage, battery.current, battery.percentage) = (Float(number), Float(number), Float(number))
        var range = SensorMsgs.Range()
        (range.range, range.maxRange) = (Float(number), .infinity)
        // As they come over SSH and from nodes: by their bytes.
        try assembler.take(.odometry, serialised: odometry.serialised, at: now)
        try assembler.take(.heightAboveGround, serialised: height.serialised, at: now)
        try assembler.take(.gnss, serialised: fix.serialised, at: now)
        try assembler.take(.battery, serialised: battery.serialised, at: now)
        try assembler.take(.distanceSensor, serialised: range.serialised, at: now)
    }

    @Test(arguments: [1e308, -1e308, 1e18, 1e30])
    func `what no vehicle can have is counted, and the last good value stays`(number: Double) throws {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        try takeAll(0.5, &assembler, at: at(0))
        let good = assembler.telemetry
        #expect(good.rejected == RejectedValues())
        try takeAll(number, &assembler, at: at(10))
        let seen = assembler.telemetry
        #expect(seen.pose == good.pose && seen.velocityMetresPerSecond == good.velocityMetresPerSecond)
        #expect(seen.heightAboveGroundMetres == good.heightAboveGroundMetres && seen.gnss == good.gnss)
        #expect(seen.battery == good.battery && seen.rangeFinderMetres == good.rangeFinderMetres)
        #expect(seen.rejected.count >= 4 && seen.rejected.newest?.at == at(10))
        try takeAll(0.5, &assembler, at: at(20))
        #expect(assembler.telemetry.pose?.at == at(20))
    }

    @Test func `what ROS says where nothing is measured is not counted`() throws {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(SensorMsgs.NavSatFix(latitude: .nan), at: at(0))
        var battery = SensorMsgs.BatteryState()
        (battery.voltage, battery.current, battery.percentage) = (12, .nan, .nan)
        assembler.take(battery, at: at(0))
        var estimation = MRSMsgs.EstimationDiagnostics()
        estimation.maxFlightZ = .greatestFiniteMagnitude
        assembler.take(estimation, at: at(0))
        #expect(assembler.telemetry.estimator?.value.ceilingMetres == nil)
        #expect(assembler.telemetry.rejected == RejectedValues())
    }

    @Test func `a worse source counts only when the better one is silent`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        var state = MRSMsgs.UavState()
        state.pose = odometry(x: 1).pose.pose
        state.velocity.linear.x = 5
        var slow = MRSMsgs.EstimationDiagnostics()
        slow.pose = odometry(x: 3).pose.pose
        slow.aglHeight = 7
        assembler.take(slow, at: at(0))
        #expect(assembler.telemetry.pose?.value.positionMetres.x == 3)
        assembler.take(state, at: at(1))
        assembler.take(heightAboveGround: .init(value: 6), at: at(1))
        assembler.take(slow, at: at(2))
        assembler.take(odometry(x: 2), at: at(501))
        #expect(assembler.telemetry.pose?.value.positionMetres.x == 1)
        #expect(assembler.telemetry.velocityMetresPerSecond?.value.x == 5)
        #expect(assembler.telemetry.heightAboveGroundMetres?.value == 6)
        assembler.take(slow, at: at(502))
        #expect(assembler.telemetry.pose?.value.positionMetres.x == 3)
        #expect(assembler.telemetry.heightAboveGroundMetres?.value == 7)
    }

    @Test func `a battery that is not measured has no share left`() {
        func battery(_ percentage: Float, present: Bool, current: Float = 1, status: UInt8 = 0) -> Battery? {
            var message = SensorMsgs.BatteryState()
            (message.voltage, message.current, message.percentage) = (15.5, current, percentage)
            (message.present, message.powerSupplyStatus) = (present, status)
            var assembler = TelemetryAssembler(vehicle: "uav1")
            assembler.take(message, at: at(0))
            return assembler.telemetry.battery?.value
        }
        #expect(battery(0, present: false)?.remaining == nil)
        #expect(battery(.nan, present: true)?.remaining == nil)
        #expect(battery(80, present: true)?.remaining == nil)
        #expect(battery(0, present: true)?.remaining == 0)
        #expect(battery(0.5, present: false)?.remaining == 0.5)
        #expect(battery(1, present: true, current: -3)?.currentAmperes == 3)
        #expect(battery(1, present: true, current: 3)?.currentAmperes == 3)
        #expect(battery(1, present: true, current: 3, status: 1)?.currentAmperes == -3)
        #expect(battery(1, present: true, current: .nan)?.currentAmperes == nil)
    }

    @Test func `the satellites' covariance becomes an accuracy where there is one`() {
        var message = SensorMsgs.NavSatFix(latitude: 47, longitude: 8, altitude: 400)
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(message, at: at(0))
        #expect(assembler.telemetry.gnss?.value.horizontalAccuracyMetres == nil)
        #expect(assembler.telemetry.gnss?.value.quality == .fix)
        message.positionCovarianceType = SensorMsgs.NavSatFix.covarianceTypeDiagonalKnown
        message.positionCovariance = [3, 0, 0, 0, 5, 0, 0, 0, 99]
        message.status.status = 2
        assembler.take(message, at: at(1))
        #expect(assembler.telemetry.gnss?.value.horizontalAccuracyMetres == 2)
        #expect(assembler.telemetry.gnss?.value.quality == .groundAugmented)
        message.status.status = 77
        message.positionCovariance[0] = -9
        assembler.take(message, at: at(2))
        #expect(assembler.telemetry.gnss?.value.horizontalAccuracyMetres == nil)
        #expect(assembler.telemetry.gnss?.value.quality == GNSSFix.Quality.none)
    }

    @Test func `warnings of this vehicle's nodes are kept once each, newest last`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        func say(_ text: String, _ level: Int8, _ time: Int64, _ node: String = "/uav1/control_manager") {
            var message = RosgraphMsgs.Log()
            (message.level, message.name, message.msg) = (level, node, text)
            assembler.take(message, at: at(time))
        }
        say("output is disabled", RosgraphMsgs.Log.warn, 0)
        say("boom", RosgraphMsgs.Log.fatal, 1)
        say("hello", RosgraphMsgs.Log.info, 2)
        say("not mine", RosgraphMsgs.Log.error, 3, "/uav10/x")
        say("output is disabled", RosgraphMsgs.Log.warn, 4)
        let messages = assembler.telemetry.messages
        #expect(messages.map(\.value.text) == ["boom", "output is disabled"])
        #expect(messages.map(\.value.severity) == [.error, .warning])
        #expect(messages.last?.at == at(4))
        for index in 0..<50 { say("\(index)", RosgraphMsgs.Log.warn, 5) }
        #expect(assembler.telemetry.messages.count == Telemetry.maximumMessages)
    }

    @Test func `the stack is ready when odometry, constraints and gains flow`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(MRSMsgs.ConstraintManagerDiagnostics())
        assembler.take(MRSMsgs.GainManagerDiagnostics())
        #expect(!assembler.isStackReady)
        assembler.take(odometry(x: 0), at: at(0))
        #expect(assembler.isStackReady)
    }
}
