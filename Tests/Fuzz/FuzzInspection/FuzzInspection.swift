import FuzzKit
import MRS
import UAVLink
@testable import VehicleAccess

/// Any bytes as what programs on the vehicle print: lines of the companion's `doctor`, of `date`, and of the search for ROS.
@main enum FuzzInspection: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let printed = String(decoding: bytes, as: UTF8.self)
        if let (nanoseconds, doubt) = RemoteInspection.wallClock(printed) {
            precondition(doubt >= .zero && printed.contains { $0.isNumber }, "\(nanoseconds) out of nothing")
        }
        if let environment = ROSEnvironment(answer: bytes) {
            let limit = ROSEnvironment.longestAnswer
            precondition(bytes.count <= limit && environment.variables.count <= ROSEnvironment.variableNames.count)
            precondition(!environment.setup.contains { $0.isNewline }, "a set-up of more than one line")
            precondition(environment.isFound && (environment.failure == nil) == (environment.source != .missing))
        }
        for line in printed.split(whereSeparator: \.isNewline) {
            guard let finding = RemoteInspection.finding(String(line)) else { continue }
            for text in [finding.check, finding.message, finding.advice] {
                precondition(!text.sanitizedLine.contains { $0.isNewline }, "more than one line")
            }
        }
    }
}
