internal import FlightControl
internal import ReportKit
internal import UAVLink

/// Formats the histories of figures.
struct SparklineFormatter {
    let history: VehicleHistory
    /// The parts of telemetry that the vehicle reports; figures of the others are left out.
    var parts = VehicleCapabilities.TelemetryParts.all
    /// Whether its link can measure round trips.
    var measuresRoundTrips = true
    /// The round trip that stands above every screen.
    var roundTrip: Duration?

    var sparklines: [SparklineHistory] {
        VehicleHistory.Figure.allCases.filter { $0 != .charge && parts.isSuperset(of: needed($0)) }.map { figure in
            var shown = sparkline(figure == .battery ? battery : figure)
            if figure == .roundTrip, !measuresRoundTrips { shown.lack = "it answers nothing: no round trips" }
            if figure == .roundTrip, shown.newest == Figures.unknown, let roundTrip {
                // As above the screen: where only commands measure it, it is that of the last ones.
                shown.newest = words(roundTrip.inMilliseconds, figure)
                shown.lack = "only commands measure it"
            }
            return shown
        }
    }

    /// Volts, or percent of a machine that tells no volts.
    private var battery: VehicleHistory.Figure {
        func isKnown(_ figure: VehicleHistory.Figure) -> Bool { history.series(of: figure).contains { $0 != nil } }
        return !isKnown(.battery) && isKnown(.charge) ? .charge : .battery
    }

    private func needed(_ figure: VehicleHistory.Figure) -> VehicleCapabilities.TelemetryParts {
        switch figure {
        case .height: .height
        case .speed: .velocity
        case .battery, .charge: .battery
        case .roundTrip, .age: []
        }
    }

    private func sparkline(_ figure: VehicleHistory.Figure) -> SparklineHistory {
        let values = history.series(of: figure)
        let known = values.compactMap(\.self)
        // A figure without a present value shows none, though its history is shown.
        let newest = values.last.flatMap(\.self).map { words($0, figure) } ?? Figures.unknown
        var range = ""
        if let least = known.min(), let most = known.max() {
            range = "\(words(least, figure)) to \(words(most, figure))"
        }
        return SparklineHistory(
            label(figure), values: values, minimumSpan: minimumSpan(figure), newest: newest, range: range,
            unit: unit(figure))
    }

    /// In the figure's own unit: metres, metres per second, volts, milliseconds.
    private func minimumSpan(_ figure: VehicleHistory.Figure) -> Double {
        switch figure {
        case .height, .speed, .battery: 0.5
        case .roundTrip, .charge: 5
        case .age: 50
        }
    }

    private func label(_ figure: VehicleHistory.Figure) -> String {
        switch figure {
        case .height: "Height"
        case .speed: "Speed"
        case .battery, .charge: "Battery"
        case .roundTrip: "RTT"
        case .age: "Age"
        }
    }

    private func unit(_ figure: VehicleHistory.Figure) -> String {
        switch figure {
        case .height: "m"
        case .speed: "m/s"
        case .battery: "V"
        case .charge: "%"
        case .roundTrip, .age: "ms"
        }
    }

    private func words(_ value: Double, _ figure: VehicleHistory.Figure) -> String {
        switch figure {
        case .height: "\(value.formatted(decimals: 1)) m"
        case .speed: "\(value.formatted(decimals: 1)) m/s"
        case .battery: "\(value.formatted(decimals: 1)) V"
        case .charge: "\(value.formatted(decimals: 0)) %"
        case .roundTrip, .age: Figures.milliseconds(value)
        }
    }
}
