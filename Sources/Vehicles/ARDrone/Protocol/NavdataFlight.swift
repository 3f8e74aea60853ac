/// The options that say how the drone flies. Offsets are from the option's tag on.
extension Navdata {
    /// Option 0.
    package struct Demo: Hashable, Sendable {
        package var control: ARDroneControlState
        /// Percent.
        package var battery: UInt32
        /// Degrees, nose up positive.
        package var pitchDegrees: Double?
        /// Degrees, right side down positive.
        package var rollDegrees: Double?
        /// Degrees, clockwise positive.
        package var yawDegrees: Double?
        /// Above ground.
        package var altitudeMillimetres: Int32
        /// Millimetres per second in the body's axes: forward, right, and down, of which the sign is not certain.
        package var velocity: NavdataTriple?
        package var frame: UInt32?

        init?(_ option: NavdataFields) {
            guard option.has(28) else { return nil }
            control = ARDroneControlState(option.whole(4))
            battery = option.whole(8)
            pitchDegrees = option.single(12).map { $0 / 1000 }
            rollDegrees = option.single(16).map { $0 / 1000 }
            yawDegrees = option.single(20).map { $0 / 1000 }
            altitudeMillimetres = option.whole(24)
            velocity = option.triple(28)
            frame = option.integer(40)
        }
    }

    /// Option 1: the drone's clock, which wraps at 2048 s.
    package struct Time: Hashable, Sendable {
        package var seconds: UInt32
        package var microseconds: UInt32

        init?(_ option: NavdataFields) {
            guard let field: UInt32 = option.integer(4) else { return nil }
            (seconds, microseconds) = (field >> 21, field & 0x1F_FFFF)
        }
    }

    /// Option 5.
    package struct Euler: Hashable, Sendable {
        package var theta: Double
        package var phi: Double

        init?(_ option: NavdataFields) {
            guard let theta = option.single(4), let phi = option.single(8) else { return nil }
            (self.theta, self.phi) = (theta, phi)
        }
    }

    /// Option 6: what its controllers follow.
    package struct References: Hashable, Sendable {
        package var theta: Int32
        package var phi: Int32
        package var pitch: Int32
        package var roll: Int32
        package var yaw: Int32
        package var psi: Int32
        package var velocityX: Double?
        package var velocityY: Double?

        init?(_ option: NavdataFields) {
            guard option.has(36) else { return nil }
            (theta, phi) = (option.whole(4), option.whole(8))
            (pitch, roll, yaw, psi) = (option.whole(20), option.whole(24), option.whole(28), option.whole(32))
            (velocityX, velocityY) = (option.single(36), option.single(40))
        }
    }

    /// Option 8: the sticks as the drone has read them.
    package struct RadioReferences: Hashable, Sendable {
        package var pitch: Int32
        package var roll: Int32
        package var yaw: Int32
        package var climb: Int32

        init?(_ option: NavdataFields) {
            guard option.has(20) else { return nil }
            (pitch, roll, yaw, climb) = (option.whole(4), option.whole(8), option.whole(12), option.whole(16))
        }
    }

    /// Option 9: the motors, in the order front left, front right, rear right, rear left.
    package struct Motors: Hashable, Sendable {
        package var powers: SIMD4<UInt8>
        package var saturated: SIMD4<UInt8>
        /// Milliamperes.
        package var currents: SIMD4<UInt16>?

        init?(_ option: NavdataFields) {
            guard option.has(12) else { return nil }
            powers = SIMD4(option.whole(4), option.whole(5), option.whole(6), option.whole(7))
            saturated = SIMD4(option.whole(8), option.whole(9), option.whole(10), option.whole(11))
            guard option.has(68) else { return }
            currents = SIMD4(option.whole(60), option.whole(62), option.whole(64), option.whole(66))
        }
    }

    /// Option 10.
    package struct Altitude: Hashable, Sendable {
        package var visionMillimetres: Int32
        /// Millimetres per second, up or down: not certain.
        package var verticalSpeed: Double?
        package var referenceMillimetres: Int32
        package var rawMillimetres: Int32

        init?(_ option: NavdataFields) {
            guard option.has(20) else { return nil }
            visionMillimetres = option.whole(4)
            verticalSpeed = option.single(8)
            (referenceMillimetres, rawMillimetres) = (option.whole(12), option.whole(16))
        }
    }

    /// Option 27 of 216 bytes: satellite navigation. The same tag with 12 bytes is something older.
    package struct GPS: Hashable, Sendable {
        package var latitudeDegrees: Double
        package var longitudeDegrees: Double
        package var elevationMetres: Double?
        package var horizontalDilution: Double?
        package var isAvailable: Bool
        package var fusedLatitudeDegrees: Double?
        package var fusedLongitudeDegrees: Double?
        /// Metres per second.
        package var speed: Double?
        package var courseDegrees: Double?
        /// Metres.
        package var horizontalError: Double?
        package var satellites: UInt32
        package var isPlugged: Bool

        init?(_ option: NavdataFields) {
            guard option.has(200), let latitude = option.double(4), let longitude = option.double(12) else {
                return nil
            }
            (latitudeDegrees, longitudeDegrees) = (latitude, longitude)
            (elevationMetres, horizontalDilution) = (option.double(20), option.double(28))
            isAvailable = option.whole(36, Int32.self) != 0
            (fusedLatitudeDegrees, fusedLongitudeDegrees) = (option.double(64), option.double(72))
            (speed, courseDegrees, horizontalError) = (option.single(140), option.single(148), option.single(156))
            satellites = option.whole(168)
            isPlugged = option.whole(196, Int32.self) != 0
        }

        /// Whether it is a place: without a fix the drone sends 0 or 500 for both.
        package var hasFix: Bool {
            isAvailable && (latitudeDegrees != 0 || longitudeDegrees != 0) && abs(latitudeDegrees) <= 90
                && abs(longitudeDegrees) <= 180
        }
    }
}
