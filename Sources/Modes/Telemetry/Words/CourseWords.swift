internal import FlightControl
internal import ReportKit

/// The courses of figures in words.
struct CourseWords {
    let history: TelemetryHistory

    var courses: [TelemetryCourse] { TelemetryHistory.Figure.allCases.map(course) }

    private func course(_ figure: TelemetryHistory.Figure) -> TelemetryCourse {
        let values = history.course(of: figure)
        let known = values.compactMap(\.self)
        // What is not known now is not shown as if it were, though its past is.
        let newest = values.last.flatMap(\.self).map { words($0, figure) } ?? Figures.unknown
        var range = ""
        if let least = known.min(), let most = known.max() {
            range = "\(words(least, figure)) to \(words(most, figure))"
        }
        return TelemetryCourse(
            label(figure), values: values, leastSpan: leastSpan(figure), newest: newest, range: range)
    }

    /// In the figure's own unit: metres, metres per second, volts, milliseconds.
    private func leastSpan(_ figure: TelemetryHistory.Figure) -> Double {
        switch figure {
        case .height, .speed, .battery: 0.5
        case .roundTrip: 5
        case .age: 50
        }
    }

    private func label(_ figure: TelemetryHistory.Figure) -> String {
        switch figure {
        case .height: "Height"
        case .speed: "Speed"
        case .battery: "Battery"
        case .roundTrip: "Trip"
        case .age: "Age"
        }
    }

    private func words(_ value: Double, _ figure: TelemetryHistory.Figure) -> String {
        switch figure {
        case .height: "\(value.formatted(decimals: 1)) m"
        case .speed: "\(value.formatted(decimals: 1)) m/s"
        case .battery: "\(value.formatted(decimals: 1)) V"
        case .roundTrip, .age: Figures.milliseconds(value)
        }
    }
}
