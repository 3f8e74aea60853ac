import FuzzKit
import MRS
import UAVLink
@testable import VehicleAccess

/// Any bytes as what programs on the vehicle print: lines of the companion's `doctor`, and of `date`.
@main enum FuzzInspection: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let printed = String(decoding: bytes, as: UTF8.self)
        if let (nanoseconds, doubt) = RemoteInspection.wallClock(printed) {
            precondition(doubt >= .zero && printed.contains { $0.isNumber }, "\(nanoseconds) out of nothing")
        }
        for line in printed.split(whereSeparator: \.isNewline) {
            guard let finding = RemoteInspection.finding(String(line)) else { continue }
            for text in [finding.check, finding.message, finding.advice] {
                precondition(!text.sanitizedLine.contains { $0.isNewline }, "more than one line")
            }
        }
    }
}
