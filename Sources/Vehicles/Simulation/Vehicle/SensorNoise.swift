internal import UAVLink

/// Wind with gusts, and the errors of GNSS, range finder and estimator.
struct SensorNoise: Hashable, Sendable {
    /// Standard deviations and correlation times at noise 1.
    enum Figures {
        /// Metres and seconds: a typical GNSS receiver drifts by a few decimetres within half a minute.
        static let gnss = (deviation: 0.3, correlation: 20.0)
        static let gnssVertical = (deviation: 0.6, correlation: 20.0)
        /// Metres, white: the LIDAR range finder's published repeatability is about 1 cm.
        static let range = 0.01
        /// Metres and m/s: error of the fused estimate.
        static let position = (deviation: 0.01, correlation: 3.0)
        static let velocity = (deviation: 0.01, correlation: 0.5)
        /// Correlation time of gusts, seconds.
        static let gust = 2.0
    }

    private var gusts: [GaussMarkovNoise]
    private var position: [GaussMarkovNoise]
    private var velocity: [GaussMarkovNoise]
    private var gnss: [GaussMarkovNoise]
    private let wind: Vector3
    private let scale: Double
    /// The air's velocity, world axes, m/s.
    private(set) var air: Vector3
    private(set) var rangeError = 0.0

    init(_ configuration: SimulatorConfiguration, step: Double) {
        scale = configuration.noise
        wind = configuration.windMetresPerSecond
        air = wind
        let gust = GaussMarkovNoise(
            deviation: configuration.gustsMetresPerSecond, correlation: Figures.gust, step: step)
        func three(_ figure: (deviation: Double, correlation: Double), scale: Double) -> [GaussMarkovNoise] {
            let one = GaussMarkovNoise(
                deviation: figure.deviation * scale, correlation: figure.correlation, step: step)
            return [one, one, one]
        }
        gusts = [gust, gust, gust]
        position = three(Figures.position, scale: scale)
        velocity = three(Figures.velocity, scale: scale)
        gnss = three(Figures.gnss, scale: scale)
        gnss[2] = three(Figures.gnssVertical, scale: scale)[2]
    }

    mutating func update(from source: inout NoiseSource) {
        for axis in 0..<3 {
            gusts[axis].update(from: &source)
            position[axis].update(from: &source)
            velocity[axis].update(from: &source)
            gnss[axis].update(from: &source)
        }
        rangeError = source.gaussian() * Figures.range * scale
        air = wind + vector(gusts)
    }

    var positionError: Vector3 { vector(position) }
    var velocityError: Vector3 { vector(velocity) }
    var gnssError: Vector3 { vector(gnss) }

    private func vector(_ axes: [GaussMarkovNoise]) -> Vector3 {
        Vector3(x: axes[0].value, y: axes[1].value, z: axes[2].value)
    }
}
