package import ChannelProtocol
package import UAVLink

/// Values for tests.
package enum Samples {
    /// Those of a machine that is no MRS one: every field differs from its usual value.
    package static let capabilities = VehicleCapabilities(
        machine: "toy", commands: [.takeoff, .land, .hover], destinations: .body,
        steering: .init(
            axes: [.forward, .sideways, .turn], frames: .body, unit: .deflection,
            most: .init(horizontalMetresPerSecond: 2, verticalMetresPerSecond: 0.5, turningRadiansPerSecond: 1.5)),
        telemetry: [.velocity, .flight, .battery], survey: .limits, mostTrajectoryPoints: 7)

    package static func setpoint(x: Double = 1, at: MonotonicTime, validFor: Duration = .milliseconds(200))
        -> VelocitySetpoint
    {
        VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: x, y: -2, z: 0.5), headingRateRadiansPerSecond: 0.25, frame: .body,
            intendedAt: at, validFor: validFor)
    }

    /// Telemetry with every part, measured at that time.
    package static func telemetry(at: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(
                frame: FrameName("uav1/gps_garmin_origin"), positionMetres: Vector3(x: 1, y: 2, z: 3),
                headingRadians: 0.5),
            at: at)
        telemetry.velocityMetresPerSecond = Sample(Vector3(x: 0.1, y: 0.2, z: 0.3), at: at)
        telemetry.heightAboveGroundMetres = Sample(2.5, at: at)
        telemetry.battery = Sample(Battery(voltageVolts: 22.2, currentAmperes: 14, remaining: 0.7), at: at)
        telemetry.gnss = Sample(
            GNSSFix(
                quality: .groundAugmented, latitudeDegrees: 49.36, longitudeDegrees: 14.26, altitudeMetres: 380,
                horizontalAccuracyMetres: 0.02), at: at)
        telemetry.flight = Sample(
            FlightStatus(
                state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true), at: at)
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true, hasGoal: true,
                isTrackingTrajectory: true, trajectoryIndex: 4, trajectoryLength: 99), at: at)
        telemetry.estimator = Sample(EstimatorStatus(name: "gps_garmin", ceilingMetres: 120), at: at)
        telemetry.rangeFinderMetres = Sample(2.75, at: at)
        telemetry.topicRates = Sample(
            [
                TopicRate(name: "hw_api/gnss", measuredHertz: 20.5, expectedHertz: 41),
                TopicRate(name: "hw_api/imu", measuredHertz: 0, expectedHertz: nil),
            ], at: at)
        telemetry.messages = [
            Sample(VehicleMessage(severity: .warning, text: "battery gets low"), at: at),
            Sample(VehicleMessage(severity: .error, text: "žluťoučký kůň"), at: at),
        ]
        return telemetry
    }

    /// Only rates that are judged, and a clock of stamps.
    package static func judgedRates(at: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.topicRates = Sample(
            [
                TopicRate(name: "hw_api/gnss", measuredHertz: 13.5, expectedHertz: 41, condition: .slow),
                TopicRate(name: "hw_api/status", measuredHertz: 200, expectedHertz: 200, condition: .good),
            ], at: at)
        telemetry.stampClock = StampClock(.simulated, offset: .milliseconds(740))
        return telemetry
    }

    package static func trajectory(points count: Int) -> Trajectory {
        Trajectory(
            frame: .worldOrigin,
            points: (0..<count).map { index in
                Trajectory.Point(position: Vector3(x: Double(index) * 0.1, y: 1, z: 2), headingRadians: 0.01)
            }, timeStepSeconds: 0.2)
    }

    /// Bytes that stand for a map.
    package static func map(bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    }

    /// Questions for the document's vectors, with the frame's number and the question's.
    package static let questions: [(number: Int, id: UInt64, SurveyQuestion)] = [
        (9, 5, .flightEnvelope), (10, 6, .maps),
        (11, 7, .map(MapRequest(topic: "/uav1/map/points", spacingMetres: 0.25, maximumPoints: 1000))),
        (12, 8, .world(known: 0x0123_4567_89AB_CDEF)),
    ]

    /// What is answered to them.
    package static let surveyAnswers: [(number: Int, id: UInt64, Result<SurveyAnswer, LinkError>)] = [
        (
            11, 5,
            .success(
                .flightEnvelope(
                    FlightEnvelope(
                        limits: .medium,
                        worldOrigin: .init(
                            latitudeDegrees: 47.397743, longitudeDegrees: 8.545594, altitudeMetres: 340,
                            source: .transformer))))
        ),
        (
            12, 6,
            .success(
                .maps([
                    AvailableMap(topic: "/uav1/map/points", frame: FrameName("uav1/world_origin"), points: 1234),
                    AvailableMap(topic: "/uav1/lidar"),
                ]))
        ),
        (13, 7, .failure(LinkError(.unsupported, "no map", hint: "ask for another"))),
        (14, 7, .success(.map(Array("VERSION 0.7".utf8)))),
    ]
    /// What is answered to the one about the vehicle's world, under numbers of their own.
    package static let worldAnswers: [(number: Int, id: UInt64, Result<SurveyAnswer, LinkError>)] = [
        (
            17, 8,
            .success(
                .world(
                    VehicleWorld(path: "/home/mrs/world.yaml", .document(.file, Array("safety_area: {}\n".utf8)))))
        ),
        (
            18, 9,
            .success(.world(VehicleWorld(path: "/root/world.yaml", .permissionDenied, details: "mode 600")))
        ),
        (19, 10, .success(.world(VehicleWorld(path: "/home/mrs/world.yaml", .unchanged)))),
    ]
}
