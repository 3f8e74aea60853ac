#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

extension Telemetry {
    /// Takes over what a packet of navigation data has, checked against ``UAVLink/TelemetryBounds``.
    ///
    /// - Parameter heading: degrees clockwise from north, by which velocities are turned into world axes.
    mutating func take(_ navdata: Navdata, heading: Double?, at now: MonotonicTime) {
        if let demo = navdata.demo {
            if let velocity = demo.velocity {
                velocityMetresPerSecond = rejected.checked(
                    Sample(Self.world(velocity, heading: heading ?? demo.yawDegrees ?? 0), at: now), .velocity,
                    TelemetryBounds.velocity)
            }
            attitude = demo.attitude.map { Sample($0, at: now) }
            heightAboveGroundMetres = rejected.checked(
                Sample(Double(demo.altitudeMillimetres) / 1000, at: now), .height, TelemetryBounds.height)
            var battery = Battery(remaining: demo.battery <= 100 ? Double(demo.battery) / 100 : nil)
            battery.voltageVolts = navdata.rawMeasures.map { Double($0.batteryMillivolts) / 1000 }
            self.battery = rejected.checked(Sample(battery, at: now), .battery, TelemetryBounds.battery)
        }
        rangeFinderMetres = navdata.altitude.flatMap { altitude in
            guard altitude.rawMillimetres > 0 else { return nil }
            return rejected.checked(
                Sample(Double(altitude.rawMillimetres) / 1000, at: now), .range, TelemetryBounds.range)
        }
        if readings.map({ now - $0.at >= ARDroneTimes.readings }) ?? true {
            let new = navdata.readings
            if !new.isEmpty { readings = Sample(new, at: now) }
        }
        guard let gps = navdata.gps else { return }
        let fix = GNSSFix(
            quality: gps.hasFix ? .fix : .none, latitudeDegrees: gps.latitudeDegrees,
            longitudeDegrees: gps.longitudeDegrees, altitudeMetres: gps.elevationMetres ?? 0,
            horizontalAccuracyMetres: gps.horizontalError)
        // Without a fix it sends places that are none, which is no fault.
        gnss = gps.hasFix ? rejected.checked(Sample(fix, at: now), .gnss, TelemetryBounds.gnss) : nil
    }

    /// Metres per second, ENU, of millimetres per second forward, right and down.
    private static func world(_ body: NavdataTriple, heading: Double) -> Vector3 {
        let angle = heading * .pi / 180
        let (forward, right) = (body.x / 1000, body.y / 1000)
        return Vector3(
            x: forward * sin(angle) + right * cos(angle), y: forward * cos(angle) - right * sin(angle),
            z: -body.z / 1000)
    }
}

extension Navdata.Demo {
    /// The attitude; `nil` without one, or with angles that no body has. The protocol's yaw is clockwise.
    var attitude: Attitude? {
        guard let roll = rollDegrees, let pitch = pitchDegrees, let yaw = yawDegrees,
            [roll, pitch, yaw].allSatisfy({ abs($0) <= 360 })
        else { return nil }
        return Attitude(
            rollRadians: Heading.radians(degrees: roll), pitchRadians: Heading.radians(degrees: pitch),
            yawRadians: Heading.radians(degrees: -yaw))
    }
}

extension Navdata {
    /// What the drone measures besides. The motors are front left, front right, rear right, rear left.
    fileprivate var readings: [Reading] {
        var readings: [Reading] = []
        if let pressure, (1...200_000).contains(pressure.pascals) {
            readings.append(Reading("pressure", Double(pressure.pascals) / 100, unit: "hPa", decimals: 1))
            if abs(pressure.celsius) <= 200 {
                readings.append(Reading("temperature", pressure.celsius, unit: "°C", decimals: 1))
            }
        }
        if let motors {
            let shares = (0..<4).map { Double(motors.powers[$0]) / 255 * 100 }
            readings.append(Reading("motors", shares[0], shares[1], shares[2], shares[3], unit: "%"))
        }
        if let magnetometer, magnetometer.isCalibrated, let degrees = magnetometer.headingDegrees, abs(degrees) <= 360 {
            readings.append(Reading("compass", degrees, unit: "° from magnetic north"))
        }
        if let wind, (0...100).contains(wind.metresPerSecond) {
            readings.append(Reading("wind", wind.metresPerSecond, unit: "m/s", decimals: 1))
        }
        return readings
    }
}
