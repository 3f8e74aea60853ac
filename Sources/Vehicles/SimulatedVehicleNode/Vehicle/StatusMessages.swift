internal import Geodesy
internal import MRSMessages
internal import Simulation
internal import UAVLink

/// The summaries published by `mrs_uav_status` and the UAV manager, about once a second.
extension MessageBuilder {
    /// The colour of normal values in its terminal.
    private static let good: Int16 = 102

    func uavManagerDiagnostics(
        home: GeographicCoordinate?, here: GeographicCoordinate?
    ) -> MRSMsgs.UavManagerDiagnostics {
        // `state` was always 0 on the real stack.
        MRSMsgs.UavManagerDiagnostics(
            stamp: stamp, uavName: vehicle, homeLatitude: home?.latitudeDegrees ?? 0,
            homeLongitude: home?.longitudeDegrees ?? 0, curLatitude: here?.latitudeDegrees ?? 0,
            curLongitude: here?.longitudeDegrees ?? 0, flightTime: seen.flightSeconds, state: 0)
    }

    /// The mass is a NUL character and the header names no frame, as on the real stack.
    var uavStatus: MRSMsgs.UavStatus {
        var message = MRSMsgs.UavStatus()
        message.header.stamp = stamp
        message.uavName = vehicle
        message.uavType = "hexacopter"
        message.uavMass = "\0"
        message.controlManagerDiagHz = 10
        message.controlManagerDiagColor = Self.good
        message.controllers = first(seen.tracker.controller, of: FlightStackNames.controllers)
        message.gains = first(seen.gains, of: FlightStackNames.gains)
        message.trackers = first(seen.tracker.tracker, of: ["MpcTracker"])
        message.constraints = first(seen.constraints, of: Constraints.names)
        message.nullTracker = seen.tracker.tracker == "NullTracker"
        message.secsFlown = UInt32(max(0, min(seen.flightSeconds, 4e9)))
        message.odomHz = 100
        message.odomColor = Self.good
        message.odomX = Float(seen.position.x)
        message.odomY = Float(seen.position.y)
        message.odomZ = Float(seen.position.z)
        message.odomHdg = Float(seen.heading)
        message.odomFrame = controlFrame
        message.odomEstimators = first(seen.estimator, of: FlightStackNames.estimators)
        message.horizontalEstimator = "lat_gps"
        message.verticalEstimator = verticalEstimator
        message.headingEstimator = "hdg_hw_api"
        message.aglEstimator = "garmin_agl"
        message.maxFlightZ = seen.ceiling.isFinite ? Float(seen.ceiling) : 0
        message.cmdX = Float(seen.referencePosition.x)
        message.cmdY = Float(seen.referencePosition.y)
        message.cmdZ = Float(seen.referencePosition.z)
        message.cmdHdg = Float(seen.referenceHeading)
        fillHardware(&message)
        message.flyingNormally = seen.flight.isFlyingNormally
        message.haveGoal = seen.tracker.hasGoal
        message.trackingTrajectory = seen.tracker.isTrackingTrajectory
        message.callbacksEnabled = seen.tracker.takesReferences
        return message
    }

    /// The active one first, then all others.
    private func first(_ current: String, of all: [String]) -> [String] { [current] + all.filter { $0 != current } }

    private func fillHardware(_ message: inout MRSMsgs.UavStatus) {
        message.hwApiHz = 120
        message.hwApiColor = Self.good
        message.hwApiBatteryHz = 10
        message.hwApiStateHz = 350
        message.hwApiCmdHz = seen.flight.isOutputEnabled ? 100 : 0
        message.hwApiMode = ""
        message.hwApiArmed = seen.flight.isArmed
        message.hwApiGnssOk = true
        message.hwApiGnssQual = 0
        message.batteryVolt = Float(seen.battery.voltageVolts ?? 0)
        message.batteryCurr = Float(seen.battery.currentAmperes ?? 0)
        message.batteryWhDrained = Float(seen.wattHours)
        message.thrust = Float(seen.throttle)
        message.massEstimate = Float(world.massKilograms)
        message.massSet = Float(world.massKilograms)
    }

    var uavStatusShort: MRSMsgs.UavStatusShort {
        MRSMsgs.UavStatusShort(
            odomHz: 100, odomColor: Self.good, odomX: Float(seen.position.x), odomY: Float(seen.position.y),
            odomZ: Float(seen.position.z), odomHdg: Float(seen.heading), cmdX: Float(seen.referencePosition.x),
            cmdY: Float(seen.referencePosition.y), cmdZ: Float(seen.referencePosition.z),
            cmdHdg: Float(seen.referenceHeading))
    }
}
