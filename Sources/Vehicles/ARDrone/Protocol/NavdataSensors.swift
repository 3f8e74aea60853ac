/// The options of sensors, video and radio. Offsets are from the option's tag on.
extension Navdata {
    /// Option 2: measurements as they are converted.
    package struct RawMeasures: Hashable, Sendable {
        package var accelerometers: SIMD3<UInt16>
        package var gyros: SIMD3<Int16>
        package var batteryMillivolts: UInt32
        package var altitudeMillimetres: Int32?

        init?(_ option: NavdataFields) {
            guard option.has(24) else { return nil }
            accelerometers = SIMD3(option.whole(4), option.whole(6), option.whole(8))
            gyros = SIMD3(option.whole(10), option.whole(12), option.whole(14))
            batteryMillivolts = option.whole(20)
            altitudeMillimetres = option.integer(46)
        }
    }

    /// Option 3: forward, right, down.
    package struct PhysicalMeasures: Hashable, Sendable {
        /// Thousandths of the acceleration of gravity, of what holds the drone: about -1000 down, at rest.
        package var accelerations: NavdataTriple?
        /// Degrees per second.
        package var turnRates: NavdataTriple?

        init?(_ option: NavdataFields) {
            guard option.has(34) else { return nil }
            (accelerations, turnRates) = (option.triple(10), option.triple(22))
        }
    }

    /// Option 16: roundels and stripes that its cameras see, at most four.
    package struct Detection: Hashable, Sendable {
        package struct Found: Hashable, Sendable {
            package var type: UInt32
            /// Thousandths of the picture's size.
            package var x: UInt32
            package var y: UInt32
            package var distanceCentimetres: UInt32
        }

        package var found: [Found]

        init?(_ option: NavdataFields) {
            guard let count: UInt32 = option.integer(4) else { return nil }
            let slots = option.has(104) ? min(count, 4) : 0
            found =
                slots == 0
                ? []
                : (0..<Int(slots)).map { slot in
                    Found(
                        type: option.whole(8 + 4 * slot), x: option.whole(24 + 4 * slot),
                        y: option.whole(40 + 4 * slot),
                        distanceCentimetres: option.whole(88 + 4 * slot))
                }
        }
    }

    /// Option 19.
    package struct VideoStream: Hashable, Sendable {
        package var frameBytes: UInt32
        package var frame: UInt32

        init?(_ option: NavdataFields) {
            guard option.has(13) else { return nil }
            (frameBytes, frame) = (option.whole(5), option.whole(9))
        }
    }

    /// Option 21.
    package struct Pressure: Hashable, Sendable {
        package var celsius: Double
        package var pascals: Int32

        init?(_ option: NavdataFields) {
            guard let tenths: Int32 = option.integer(10), let pascals: Int32 = option.integer(14) else { return nil }
            (celsius, self.pascals) = (Double(tenths) / 10, pascals)
        }
    }

    /// Option 22.
    package struct Magnetometer: Hashable, Sendable {
        /// Degrees clockwise from magnetic north: of the magnetometer, and together with the gyros.
        package var headingDegrees: Double?
        package var fusedDegrees: Double?
        package var isCalibrated: Bool
        /// The strength of the field after calibration, in the drone's units.
        package var radius: Double?

        init?(_ option: NavdataFields) {
            guard option.has(59) else { return nil }
            (headingDegrees, fusedDegrees) = (option.single(46), option.single(54))
            isCalibrated = option.whole(58, UInt8.self) != 0
            radius = option.single(63)
        }
    }

    /// Option 23.
    package struct Wind: Hashable, Sendable {
        package var metresPerSecond: Double
        /// Where the air moves to: radians from north towards east.
        package var directionRadians: Double

        init?(_ option: NavdataFields) {
            guard let speed = option.single(4), let direction = option.single(8) else { return nil }
            (metresPerSecond, directionRadians) = (speed, direction)
        }
    }

    /// Option 25: what the drone records on its USB stick.
    package struct Recording: Hashable, Sendable {
        package var state: UInt32
        package var freeKilobytes: UInt32
        package var secondsLeft: UInt32

        init?(_ option: NavdataFields) {
            guard option.has(32) else { return nil }
            (state, freeKilobytes, secondsLeft) = (option.whole(4), option.whole(20), option.whole(28))
        }
    }
}
