/// The state that is kept while the latency laboratory is closed.
@MainActor
package final class LatencyLabStore {
    /// The selection; `nil` before the laboratory was first opened.
    package var choices: LatencyChoices?
    /// The result of the last measurement.
    package internal(set) var shown: LatencyLabResult?
    /// The number of the result that was saved last.
    var saved: Int?
    /// Whether the result of the last measurement is in no file.
    package var hasUnsavedResult: Bool { shown.map { $0.id != saved } ?? false }
    /// The number of measurements so far.
    var measured = 0
    /// Whether a measurement is running, or its links are still being closed.
    var isBusy = false
    /// Whether a measurement is running that was not ended.
    package internal(set) var isMeasuring = false
    /// The path of the last saved file.
    var lastPath = "latency.html"

    package init() {}
}
