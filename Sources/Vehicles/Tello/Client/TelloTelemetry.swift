internal import UAVLink

extension Telemetry {
    /// Takes over what a state of the drone has, checked against ``UAVLink/TelemetryBounds``.
    ///
    /// Velocities are along axes that were the body's when it was switched on: x forward, y left, z up.
    mutating func take(_ state: TelloState, at now: MonotonicTime) {
        if let x = state.speedX, let y = state.speedY, let z = state.speedZ {
            // Decimetres per second; the protocol's y is to the right, and z down.
            let velocity = Vector3(x: Double(x) / 10, y: -Double(y) / 10, z: -Double(z) / 10)
            velocityMetresPerSecond = rejected.checked(
                Sample(velocity, at: now), .velocity, TelemetryBounds.velocity)
        }
        if let roll = state.roll, let pitch = state.pitch, let yaw = state.yaw {
            // The protocol's yaw is clockwise.
            attitude = Sample(
                Attitude(
                    rollRadians: Heading.radians(degrees: Double(roll)),
                    pitchRadians: Heading.radians(degrees: Double(pitch)),
                    yawRadians: Heading.radians(degrees: Double(-yaw))), at: now)
        }
        if let height = state.heightMetres {
            heightAboveGroundMetres = rejected.checked(Sample(height, at: now), .height, TelemetryBounds.height)
        }
        // Over a place from which nothing comes back there is no distance, not an old one.
        rangeFinderMetres = state.rangeMetres.flatMap {
            rejected.checked(Sample($0, at: now), .range, TelemetryBounds.range)
        }
        if let percent = state.battery { battery = Sample(Battery(remaining: Double(percent) / 100), at: now) }
        var readings: [Reading] = []
        if let celsius = state.highestTemperature {
            readings.append(Reading("temperature", Double(celsius), unit: "°C"))
        }
        if let seconds = state.motorSeconds {
            readings.append(Reading("motors ran", Double(seconds), unit: "s"))
        }
        if !readings.isEmpty { self.readings = Sample(readings, at: now) }
    }

    /// Takes over the answer to `battery?`.
    mutating func takeBattery(_ text: String, at now: MonotonicTime) {
        guard let percent = Int(text), (0...100).contains(percent) else { return }
        battery = Sample(Battery(remaining: Double(percent) / 100), at: now)
    }
}
