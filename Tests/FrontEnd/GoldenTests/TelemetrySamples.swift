import TelemetryMode
import Foundation

/// What the telemetry screen is given in tests.
enum TelemetrySamples {
    static var nothing: TelemetryScreenState {
        var state = TelemetryScreenState()
        state.vehicle = "uav1"
        let unknown = { TelemetryLine($0, "-", mark: .unknown) }
        state.motion = ["Position", "Frame", "Lat, lon", "Heading", "Velocity", "Speed", "Height", "Range"].map(unknown)
        state.vehicleLines = ["State", "Battery", "GNSS", "Tracker", "Goal", "Estimator"].map(unknown)
        state.ratesSummary = unknown("Topics")
        state.sparklines = ["Height", "Speed", "Battery", "RTT", "Age"].map {
            SparklineHistory($0, values: [nil, nil], minimumSpan: 1, newest: "-", range: "")
        }
        return state
    }

    static var flying: TelemetryScreenState {
        var state = nothing
        state.motion = [
            TelemetryLine("Position", "E 12.34 N -5.60 U 3.02 m"), TelemetryLine("Frame", "uav1/gps_garmin_origin"),
            TelemetryLine("Lat, lon", "50.0764080 N  14.4180190 E"), TelemetryLine("Heading", "45.0° ENU, north-east"),
            TelemetryLine("Velocity", "E 1.00 N 0.60 U -0.10 m/s"),
            TelemetryLine("Speed", "1.17 m/s, climb -0.10 m/s"), TelemetryLine("Height", "2.95 m above ground"),
            TelemetryLine("Range", "2.96 m by range finder"),
        ]
        state.vehicleLines = [
            TelemetryLine("State", "flying: armed, offboard, output"),
            TelemetryLine("Battery", "15.9 V, 12.3 A, 78 %, ~11 min"),
            TelemetryLine("GNSS", "RTK fix, ±0.02 m, 245.3 m AMSL"),
            TelemetryLine("Tracker", "MpcTracker / Se3Controller"), TelemetryLine("Goal", "flying to it"),
            TelemetryLine("Estimator", "gps_garmin, ceiling 20.0 m"),
        ]
        state.ratesSummary = TelemetryLine("Topics", "12 at expected rates")
        state.trail = TelemetryTrail(
            places: (0...80).map { step in
                let angle = Double(step) / 80 * 1.7 * .pi
                return .init(east: 12 + 8 * cos(angle), north: -5 + 5 * sin(angle))
            }, headingRadians: 0.8)
        state.sparklines = [
            SparklineHistory(
                "Height", values: wave(3, 1), minimumSpan: 0.5, newest: "3.0 m", range: "2.0 m to 4.0 m",
                unit: "m"),
            SparklineHistory(
                "Speed", values: wave(1, 0.8), minimumSpan: 0.5, newest: "1.2 m/s", range: "0.2 m/s to 1.8 m/s",
                unit: "m/s"),
            SparklineHistory(
                "Battery", values: (0..<120).map { 16.1 - Double($0) * 0.002 }, minimumSpan: 0.5, newest: "15.9 V",
                range: "15.9 V to 16.1 V", unit: "V"),
            SparklineHistory(
                "RTT", values: wave(4, 3), minimumSpan: 5, newest: "4.1 ms", range: "1.0 ms to 7.0 ms",
                unit: "ms"),
            SparklineHistory(
                "Age", values: wave(12, 4), minimumSpan: 50, newest: "12 ms", range: "8.0 ms to 16 ms",
                unit: "ms"),
        ]
        state.messages = [
            TelemetryLine("WARN", "[ControlManager]: the bumper is off", note: "42 s", mark: .warning),
            TelemetryLine("info", "[UavManager]: taking off", note: "22 s"),
        ]
        state.rates = rates(slow: [])
        return state
    }

    static var warnings: TelemetryScreenState {
        var state = flying
        state.motion[0].note = "3.2 s old"
        state.motion[0].mark = .danger
        state.motion[3].note = "0.7 s old"
        state.motion[3].mark = .warning
        state.vehicleLines[0] = TelemetryLine("State", "emergency: armed, output", mark: .danger)
        state.vehicleLines[1] = TelemetryLine("Battery", "13.9 V, 12.3 A, 12 %, ~90 s", note: "EMPTY", mark: .danger)
        state.vehicleLines[2] = TelemetryLine("GNSS", "no fix, 245.3 m AMSL", mark: .warning)
        state.ratesSummary = TelemetryLine("Topics", "odom_main and 1 more", note: "SLOW", mark: .warning)
        state.rates = rates(slow: ["estimation_manager/odom_main", "hw_api/gnss"])
        state.sparklines[0].values = wave(3, 1).enumerated().map { $0.offset > 90 ? nil : $0.element }
        state.sparklines[0].newest = "-"
        state.messages += (1...14).map { number in
            TelemetryLine(
                number.isMultiple(of: 3) ? "ERROR" : "WARN",
                "[EstimationManager]: estimator \(number) is unreliable, switching to the next one that is healthy",
                note: "\(15 - number) s", mark: number.isMultiple(of: 3) ? .danger : .warning)
        }
        return state
    }

    static var topic: TelemetryScreenState {
        var state = flying
        state.topics = [
            TelemetryTopic(
                name: "/uav1/hw_api/imu", status: "sensor_msgs/Imu, 249 Hz, 0.1 s old",
                fields: [
                    .init(depth: 0, name: "header", value: ""), .init(depth: 1, name: "seq", value: "4711"),
                    .init(depth: 1, name: "stamp", value: "1700000000.120"),
                    .init(depth: 1, name: "frame_id", value: "uav1/fcu"),
                    .init(depth: 0, name: "orientation", value: ""), .init(depth: 1, name: "x", value: "0.0012"),
                    .init(depth: 1, name: "y", value: "-0.0034"), .init(depth: 1, name: "z", value: "0.7071"),
                    .init(depth: 1, name: "w", value: "0.7071"),
                    .init(depth: 0, name: "orientation_covariance", value: "9 elements"),
                    .init(depth: 1, name: "[0]", value: "0"),
                ]),
            TelemetryTopic(
                name: "/uav1/lidar/points", status: "not published", mark: .unknown),
        ]
        state.selectedTopic = 0
        state.focus = .topics
        return state
    }

    private static func wave(_ middle: Double, _ swing: Double) -> [Double?] {
        (0..<120).map { middle + swing * sin(Double($0) / 9) }
    }

    private static func rates(slow: [String]) -> [TelemetryLine] {
        [
            ("estimation_manager/odom_main", 100.0), ("estimation_manager/uav_state", 100),
            ("estimation_manager/height_agl", 110), ("estimation_manager/diagnostics", 10),
            ("control_manager/diagnostics", 10), ("constraint_manager/diagnostics", 1), ("gain_manager/diagnostics", 1),
            ("hw_api/status", 350), ("hw_api/battery_state", 10), ("hw_api/gnss", 41), ("hw_api/distance_sensor", 120),
            ("mrs_uav_status/uav_status", 1),
        ].map { name, expected in
            let isSlow = slow.contains(name)
            let measured = isSlow ? expected * 0.4 : expected
            return TelemetryLine(
                name, "\(Int(measured))/\(Int(expected)) Hz", note: isSlow ? "SLOW" : "",
                mark: isSlow ? .warning : .plain)
        }
    }
}
