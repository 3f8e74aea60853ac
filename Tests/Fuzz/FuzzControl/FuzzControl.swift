import FuzzKit
@_spi(Fuzzing) import CompanionControl

/// Any bytes at either end of the control socket, in any split.
@main enum FuzzControl: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        ControlFuzzing.line(bytes)
    }
}
