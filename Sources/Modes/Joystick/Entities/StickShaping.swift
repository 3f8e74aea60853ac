package import FlightControl
package import UAVLink

/// Converts stick deflections into velocities: dead zone, exponential curve, limits.
package struct StickShaping: Hashable, Sendable {
    /// The fraction of an axis around the centre that counts as the centre: worn sticks rest up to 5 % off centre.
    package var deadZone: Double
    /// The exponential part of the curve: 0 is linear, 1 is cubic. Full stick is full speed with any value.
    package var expo: Double
    /// The speeds at full stick.
    package var limits: SpeedLimits
    /// The axes that the vehicle has; the others are ignored.
    package var axes = VehicleCapabilities.Steering.Axes.all

    /// A shaping; `deadZone` is clamped to 0...0.5, `expo` to 0...1.
    package init(deadZone: Double = 0.08, expo: Double = 0.4, limits: SpeedLimits = .defaultLimits) {
        self.deadZone = deadZone.isFinite ? min(max(deadZone, 0), 0.5) : 0.08
        self.expo = expo.isFinite ? min(max(expo, 0), 1) : 0
        self.limits = limits
    }

    /// One axis after dead zone and curve: continuous, 0 within the dead zone, 1 at 1.
    package func shaped(_ axis: Double) -> Double {
        let cut = StickPosition.cut(axis)
        guard cut.magnitude > deadZone else { return 0 }
        let way = (cut.magnitude - deadZone) / (1 - deadZone)
        let curved = (1 - expo) * way + expo * way * way * way
        return cut < 0 ? -curved : curved
    }

    /// All axes after dead zone and curve.
    package func shaped(_ requested: Deflection) -> Deflection {
        let requested = requested.along(axes)
        return Deflection(
            turn: shaped(requested.turn), climb: shaped(requested.climb), right: shaped(requested.right),
            forward: shaped(requested.forward))
    }

    /// The same for a vehicle that has only those axes, and follows only those speeds.
    package func limited(to steering: VehicleCapabilities.Steering?) -> Self {
        guard let steering else { return self }
        var shaping = self
        shaping.axes = steering.axes
        if let most = steering.most {
            shaping.limits = SpeedLimits(
                horizontalMetresPerSecond: min(limits.horizontalMetresPerSecond, most.horizontalMetresPerSecond),
                verticalMetresPerSecond: min(limits.verticalMetresPerSecond, most.verticalMetresPerSecond),
                turningRadiansPerSecond: min(limits.turningRadiansPerSecond, most.turningRadiansPerSecond))
        }
        return shaping
    }

    /// The motion for a deflection. Both horizontal axes together keep the horizontal limit, so that the corner of the stick's
    /// square is no faster than its edge.
    package func motion(_ requested: Deflection) -> Motion {
        let shaped = shaped(requested)
        let length = (shaped.forward * shaped.forward + shaped.right * shaped.right).squareRoot()
        let speed = limits.horizontalMetresPerSecond / max(1, length)
        return Motion(
            velocityMetresPerSecond: Vector3(
                x: shaped.forward * speed, y: -shaped.right * speed, z: shaped.climb * limits.verticalMetresPerSecond),
            headingRateRadiansPerSecond: -shaped.turn * limits.turningRadiansPerSecond)
    }

    /// The names of the axes outside the dead zone.
    package func nonNeutralAxes(of requested: Deflection) -> [String] {
        let shaped = shaped(requested)
        let axes = [
            ("turn", shaped.turn), ("climb", shaped.climb), ("right", shaped.right), ("forward", shaped.forward),
        ]
        return axes.filter { $0.1 != 0 }.map(\.0)
    }
}

extension Deflection {
    /// Without the axes that a vehicle does not have.
    package func along(_ axes: VehicleCapabilities.Steering.Axes) -> Self {
        Self(
            turn: axes.contains(.turn) ? turn : 0, climb: axes.contains(.climb) ? climb : 0,
            right: axes.contains(.sideways) ? right : 0, forward: axes.contains(.forward) ? forward : 0)
    }
}
