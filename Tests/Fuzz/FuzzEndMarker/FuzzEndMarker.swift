import FuzzKit
@_spi(Fuzzing) import SSHTransport

/// Any bytes as the output of a warm shell, with end marks in it, in any split.
@main enum FuzzEndMarker: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        EndMarkerFuzzing.output(bytes)
    }
}
